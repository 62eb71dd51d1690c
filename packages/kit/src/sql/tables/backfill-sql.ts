import type { Statement } from "../../ports/database.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { column, quote } from "../text/fragment.ts"
import { defaultLocaleMap } from "../text/localized-sql.ts"

/** The value of a field for one existing row. */
interface RowBackfill {
  readonly id: unknown
  readonly value: unknown
}

/** Selects the ids of rows that have no value in the field or, if it is localized, none in the default locale. */
export function selectRowsWithout({ table, id }: Resource, field: ResourceField, limit: number): Statement {
  const text = `select ${quote(id.name)} from ${quote(table)} where ${isEmpty(quote(table), field)} order by 1 limit ${limit}`
  return { text, values: [] }
}

/** Stores the field's values in existing rows. */
export function storeBackfill({ table, id }: Resource, field: ResourceField, rows: readonly RowBackfill[]): Statement {
  const type = field.localized ? "jsonb" : field.type.sqlType
  const tuples = rows.map((_row, index) => `($${2 * index + 1}::${id.type.sqlType}, $${2 * index + 2}::${type})`)
  const isSame = `${column(quote(table), id.name)} = _row.id`
  const text = `update ${quote(table)} set ${filled(quote(table), field, "_row.value")} from (values ${tuples.join(", ")}) _row(id, value) where ${isSame}`
  return { text, values: rows.flatMap((row) => [row.id, storedValue(field, row.value)]) }
}

/** Gives the rows of stage copies that have no value the values of the working copies. */
export function copyFromWorkingCopies({ table, id, working }: Resource, field: ResourceField): Statement {
  const isSame = `${column(quote(table), id.name)} = ${column("_working", id.name)}`
  const set = filled(quote(table), field, column("_working", field.name))
  const text = `update ${quote(table)} set ${set} from ${quote(working?.table ?? "")} _working where ${isSame} and ${isEmpty(quote(table), field)}`
  return { text, values: [] }
}

function filled(table: string, { name, localized }: ResourceField, value: string): string {
  return `${quote(name)} = ${localized ? `${value} || coalesce(${column(table, name)}, '{}'::jsonb)` : value}`
}

function isEmpty(table: string, { name, localized }: ResourceField): string {
  return localized ? `${column(table, name)}->'${localized.defaultLocale}' is null` : `${column(table, name)} is null`
}

function storedValue(field: ResourceField, value: unknown): unknown {
  if (field.localized) return defaultLocaleMap(field, value)
  return field.type.toSql ? field.type.toSql(value) : value
}
