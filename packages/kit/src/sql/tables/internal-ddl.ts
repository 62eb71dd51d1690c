import type { InternalColumn, InternalTable } from "../../schema/compile/internal-table.ts"
import { databaseName } from "../../schema/compile/names.ts"
import { reportedType } from "../text/column-types.ts"
import { quote } from "../text/fragment.ts"
import type { ColumnSnapshot, ForeignKeySnapshot, IndexSnapshot, TableSnapshot } from "./snapshot.ts"

/** Returns the snapshot of one of the framework's own tables. */
export function internalSnapshot({ name, columns }: InternalTable): TableSnapshot {
  return {
    name,
    columns: columns.map(columnOf),
    indexes: columns.flatMap((column) => indexOf(name, column)),
    foreignKeys: columns.flatMap((column) => keyOf(name, column)),
  }
}

function columnOf({ name, sqlType, isRequired = false }: InternalColumn, place: number): ColumnSnapshot {
  const column = { name, type: reportedType(sqlType), nullable: !isRequired && place > 0 }
  return place === 0 ? { ...column, primaryKey: true } : column
}

function indexOf(
  table: string,
  { name: column, isUnique = false, isIndexed = false }: InternalColumn,
): IndexSnapshot[] {
  if (!isUnique && !isIndexed) return []
  const name = databaseName([table, column, isUnique ? "unique" : "index"])
  const sql = `create ${isUnique ? "unique " : ""}index ${quote(name)} on ${quote(table)} (${quote(column)})`
  return [{ name, columns: [column], unique: isUnique, sql }]
}

// Returns the column's foreign key to the table of the rows' owners, if there is one. The database itself deletes a row
// together with its owner. No change must be appended for the row, because no live query reads the framework's own
// tables.
function keyOf(table: string, { name: column, owner }: InternalColumn): ForeignKeySnapshot[] {
  if (owner === undefined) return []
  const name = databaseName([table, column, "key"])
  const references = `foreign key (${quote(column)}) references ${quote(owner)} ("id") on delete cascade`
  return [
    { name, column, target: owner, sql: `alter table ${quote(table)} add constraint ${quote(name)} ${references}` },
  ]
}
