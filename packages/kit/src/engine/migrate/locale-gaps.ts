import type { Connection } from "../../ports/database.ts"
import { countMissing } from "../../sql/tables/ddl.ts"
import type { ColumnSnapshot, SchemaSnapshot } from "../../sql/tables/snapshot.ts"
import { queryIfPresent } from "./inspect-step.ts"

interface LocalizedField {
  readonly table: string
  readonly column: ColumnSnapshot
  readonly locale: string
}

/** Returns the fields that are localized in both snapshots. */
export function localizedInBoth(before: SchemaSnapshot, after: SchemaSnapshot): readonly LocalizedField[] {
  return pairs(before, after).map(({ field }) => field)
}

/** Returns the fields that are localized in both snapshots, but whose default locale differs between the snapshots. */
export function fieldsWithChangedLocale(before: SchemaSnapshot, after: SchemaSnapshot): readonly LocalizedField[] {
  return pairs(before, after).flatMap(({ field, locale }) => (field.locale === locale ? [] : [field]))
}

function pairs(before: SchemaSnapshot, after: SchemaSnapshot) {
  const known = new Map(localizedFields(before).map((field) => [columnPath(field), field.locale]))
  return localizedFields(after).flatMap((field) => {
    const locale = known.get(columnPath(field))
    return locale === undefined ? [] : [{ field, locale }]
  })
}

/**
 * Returns one sentence, with a remedy, for each required field that lacks a value in the default locale in some rows.
 */
export async function findLocaleGaps(
  connection: Connection,
  fields: readonly LocalizedField[],
): Promise<readonly string[]> {
  const gaps: string[] = []
  for (const field of fields.filter(({ column }) => !column.nullable)) {
    const [row] = (await queryIfPresent(connection, countMissing(field.table, field.column))) ?? []
    const count = Number(row?.[0] ?? 0)
    if (count > 0) gaps.push(gapOf(field, count))
  }
  return gaps
}

function localizedFields({ tables }: SchemaSnapshot): readonly LocalizedField[] {
  return tables.flatMap(({ name: table, columns }) =>
    columns.flatMap((column) => (column.localized ? [{ table, column, locale: column.localized.locale }] : [])),
  )
}

function columnPath({ table, column }: LocalizedField): string {
  return `${table}.${column.name}`
}

function gapOf(field: LocalizedField, count: number): string {
  const { locale } = field
  const rows = count === 1 ? "1 row has" : `${count} rows have`
  return (
    `${columnPath(field)} is required, but ${rows} no value in "${locale}", the default locale, and may read null. ` +
    `Write one in that locale, or name another that has it: locales: { fallback: { "${locale}": ["…"] } }.`
  )
}
