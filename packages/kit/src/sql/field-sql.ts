import type { Statement } from "../ports/database.ts"
import type { Resource, ResourceField } from "../schema/resource.ts"
import { column, Parameters, quote } from "./fragment.ts"

/** The value of a field in the row of the table called `alias`: its column, or the SQL that a virtual field stands for. */
export function fieldSql(alias: string, { name, type }: ResourceField): string {
  if (type.expression === undefined) return column(alias, name)
  const text = type.expression.map((part) => ("column" in part ? column(alias, part.column) : part.text)).join("")
  return `(${text})::${type.sqlType}`
}

/**
 * Reads nothing, and fails where the SQL of a virtual field would: in a condition, and beside another table, where a
 * column that is not in quotes can no longer be told apart.
 */
export function tryField(resource: Resource, field: ResourceField): Statement {
  const parameters = new Parameters()
  const alias = parameters.alias()
  const from = `${quote(resource.table)} ${alias}, ${quote(resource.table)} ${parameters.alias()}`
  return { text: `select 1 from ${from} where ${fieldSql(alias, field)} is null limit 0`, values: [] }
}
