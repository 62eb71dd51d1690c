import { databaseName } from "../../schema/compile/names.ts"
import type { Resource, ResourceSearch } from "../../schema/compile/resource.ts"
import { PLAIN_CONFIGURATION } from "../search/configurations.ts"
import { indexedColumns, triggerBody } from "../search/search-trigger.ts"
import { quote } from "../text/fragment.ts"
import type { ColumnSnapshot, IndexSnapshot, SearchSnapshot } from "./snapshot.ts"

/** True if the column is one by which records are searched. Authors cannot use such a name for a field. */
export function isSearchColumn(name: string): boolean {
  return name.startsWith("_search")
}

/** Returns the columns by which the table's records are searched; none if they are not searched. */
export function searchColumns({ search }: Resource): readonly ColumnSnapshot[] {
  if (search === undefined) return []
  return [
    ...search.indexes.map(({ vector }) => searchColumn(vector, "tsvector")),
    ...search.indexes.flatMap(({ key }) => (key === undefined ? [] : [searchColumn(key, "uuid")])),
    ...(search.content ? [searchColumn(search.content.column, "jsonb")] : []),
  ]
}

function searchColumn(name: string, type: string): ColumnSnapshot {
  return { name, type, nullable: true }
}

export function searchIndexes({ table, search }: Resource): readonly IndexSnapshot[] {
  const indexes = search?.indexes ?? []
  return [
    ...indexes.map(({ vector }) => searchIndex(table, vector, "using gin ")),
    ...indexes.flatMap(({ key }) => (key === undefined ? [] : [searchIndex(table, key, "")])),
  ]
}

function searchIndex(table: string, column: string, method: string): IndexSnapshot {
  const name = databaseName([table, column])
  const sql = `create index ${quote(name)} on ${quote(table)} ${method}(${quote(column)})`
  return { name, columns: [column], unique: false, sql }
}

/** Returns the snapshot of the trigger that keeps the search columns of a table. */
export function searchSnapshot(resource: Resource, search: ResourceSearch): SearchSnapshot {
  const used = search.indexes.map(({ configuration }) => configuration)
  return {
    body: triggerBody(resource, search),
    columns: indexedColumns(search),
    configurations: [...new Set([...used, PLAIN_CONFIGURATION])].sort(),
  }
}
