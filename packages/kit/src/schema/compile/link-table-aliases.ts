import type { AppSchema } from "./resource.ts"

/**
 * Returns the names of the link tables for `db`, mapped to their real names. The real names contain dots, and a query
 * builder takes the part before a dot for a schema. A name that another table already has is left out.
 */
export function linkTableAliases({ links, resources }: AppSchema): ReadonlyMap<string, string> {
  const taken = new Set(resources.map(({ table }) => table))
  const named = links.map(({ name }) => [name.replaceAll(".", "_"), name] as const)
  return new Map(named.filter(([key]) => !taken.has(key)))
}
