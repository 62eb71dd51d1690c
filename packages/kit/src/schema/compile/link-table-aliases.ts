import type { AppSchema } from "./resource.ts"

/**
 * Returns the real names of the link tables by the aliases that `db` uses. Aliases are needed because the real names
 * contain dots, and a query builder would take the part before a dot for a schema. An alias that equals the name of
 * another table is left out.
 */
export function linkTableAliases({ links, resources }: AppSchema): ReadonlyMap<string, string> {
  const taken = new Set(resources.map(({ table }) => table))
  const named = links.map(({ name }) => [name.replaceAll(".", "_"), name] as const)
  return new Map(named.filter(([key]) => !taken.has(key)))
}
