import type { Statement } from "../../ports/database.ts"
import type { SqlExpression } from "../../schema/compile/field-type.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { column, Parameters, quote } from "./fragment.ts"
import { isLocaleMap } from "./locale-map.ts"
import { listedLocales, localizedSql } from "./localized-sql.ts"

/**
 * The value of a field in the row of the table called `alias`: its column, what that holds for the locale or the locales
 * that are read, or the SQL that a virtual field stands for.
 */
export function fieldSql(alias: string, field: ResourceField): string {
  const { name, type, localized } = field
  if (type.expression) return `(${expressionSql(alias, type.expression)})::${type.sqlType}`
  const stored = column(alias, name)
  if (isLocaleMap(field)) return listedLocales(stored, field.inOneLocale.localized?.all ?? [])
  return localized ? localizedSql(stored, { chain: localized.chain, sqlType: type.sqlType }) : stored
}

function expressionSql(alias: string, expression: SqlExpression): string {
  let sql = ""
  for (const part of expression) {
    if ("text" in part) sql += part.text
    else if (part.localized) sql += localizedSql(column(alias, part.column), part.localized)
    else sql += column(alias, part.column)
  }
  return sql
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
