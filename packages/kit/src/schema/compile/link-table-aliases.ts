import type { AppSchema } from "./resource.ts"

/**
 * Returns the link tables' aliases for use in `db`, mapped to the real table names. Real names contain dots, and a
 * query builder takes the part before a dot for a schema. An alias that is another table's name is left out.
 */
export function linkTableAliases({ links, resources }: AppSchema): ReadonlyMap<string, string> {
  const taken = new Set(resources.map(({ table }) => table))
  const named = links.map(({ name }) => [name.replaceAll(".", "_"), name] as const)
  return new Map(named.filter(([key]) => !taken.has(key)))
}
