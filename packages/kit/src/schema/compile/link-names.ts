import type { AppSchema } from "./resource.ts"

/**
 * The names by which code calls the tables of links, whose own names hold points: a query builder takes what stands before a
 * point for a schema. A name that is taken by another table is not given.
 */
export function linkNames({ links, resources }: AppSchema): ReadonlyMap<string, string> {
  const taken = new Set(resources.map(({ table }) => table))
  const named = links.map(({ name }) => [name.replaceAll(".", "_"), name] as const)
  return new Map(named.filter(([key]) => !taken.has(key)))
}
