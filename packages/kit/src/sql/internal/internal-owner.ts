import type { InternalTable } from "../../schema/compile/internal-table.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { column, quote } from "../text/fragment.ts"

interface OwnerQuery {
  readonly table: InternalTable
  /** The columns to read from the internal table itself. */
  readonly columns: readonly string[]
  readonly owner: Resource
  /** The fields to read from the owner, which come after the columns in the result. */
  readonly fields: readonly ResourceField[]
  /** The column of the internal table by which the row is looked up. */
  readonly by: string
}

/** Returns the SQL that reads a row of an internal table together with the record that owns it, in one statement. */
export function selectWithOwner({ table, columns, owner, fields, by }: OwnerQuery): string {
  const link = table.columns.find((candidate) => candidate.owner === owner.table)
  if (link === undefined) throw new Error(`Rows of "${table.name}" do not belong to "${owner.table}".`)
  const read = [...columns.map((name) => column("t", name)), ...fields.map(({ name }) => column("o", name))]
  const join = `${quote(owner.table)} o on ${column("o", owner.id.name)} = ${column("t", link.name)}`
  return `select ${read.join(", ")} from ${quote(table.name)} t join ${join} where ${column("t", by)} = $1`
}
