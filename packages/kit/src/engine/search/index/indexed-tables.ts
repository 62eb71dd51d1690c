import type { AppSchema, Resource, ResourceSearch } from "../../../schema/compile/resource.ts"

/** A table of searchable records. */
export interface IndexedTable {
  /** The resource that reads the table: the collection, or the copies of one of its stages. */
  readonly resource: Resource
  /** The stage whose copies the table holds; undefined for the working copies. */
  readonly stage: string | undefined
}

/** Returns the tables of searchable records by name: those of collections, and those of the copies in their stages. */
export function indexedTables({ collections, stages }: AppSchema): ReadonlyMap<string, IndexedTable> {
  const working = [...collections.values()].map((resource): IndexedTable => ({ resource, stage: undefined }))
  const searchable = [...working, ...stages].filter(({ resource }) => resource.search)
  return new Map(searchable.map(({ resource, stage }) => [resource.table, { resource, stage }]))
}

/** Returns the tables of one collection. */
export function tablesOfCollection(schema: AppSchema, name: string): readonly IndexedTable[] {
  return [...indexedTables(schema).values()].filter(({ resource }) => resource.name === name)
}

export function searchOf({ resource: { name, search } }: IndexedTable): ResourceSearch {
  if (search === undefined) throw new Error(`"${name}" is not searchable.`)
  return search
}
