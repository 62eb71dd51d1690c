import type { Statement } from "../../ports/database.ts"
import type { SqlExpression } from "../../schema/compile/field-type.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { column, Parameters, quote } from "./fragment.ts"
import { isLocaleMap } from "./locale-map.ts"
import { localizedSql, pickLocales } from "./localized-sql.ts"
import { comparisonSql } from "./public-comparison.ts"

/**
 * Returns the SQL of a field's value in a row of the table with this alias. It is the column itself, the part of a
 * localized column for the requested locales, the expression of a virtual field, or a comparison with the public copy.
 */
export function fieldSql(alias: string, field: ResourceField): string {
  const { name, type, localized, comparison } = field
  if (comparison) return comparisonSql(comparison, alias, requireVisible)
  if (type.expression) return `(${expressionSql(alias, type.expression)})::${type.sqlType}`
  const stored = column(alias, name)
  if (isLocaleMap(field)) return pickLocales(stored, field.inOneLocale.localized?.all ?? [])
  return localized ? localizedSql(stored, { chain: localized.chain, sqlType: type.sqlType }) : stored
}

// A field that is hidden in some rows needs the predicate for the other rows, which this station does not know.
function requireVisible(field: ResourceField, difference: string): string {
  if ("mask" in field) throw new Error(`The field "${field.name}" is hidden in some rows and cannot be compared here.`)
  return difference
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
 * Returns a statement that reads no rows but fails if a virtual field's SQL is invalid. The statement uses the SQL in a
 * condition. It also names the table twice, so that a column name without quotes is ambiguous and fails.
 */
export function virtualFieldProbe(resource: Resource, field: ResourceField): Statement {
  const parameters = new Parameters()
  const alias = parameters.alias()
  const from = `${quote(resource.table)} ${alias}, ${quote(resource.table)} ${parameters.alias()}`
  return { text: `select 1 from ${from} where ${fieldSql(alias, field)} is null limit 0`, values: [] }
}
