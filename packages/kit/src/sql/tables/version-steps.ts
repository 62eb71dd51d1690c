import { quoteText } from "../text/literal.ts"
import { VERSIONS_TABLE } from "../versions/version-table.ts"
import { type ReplacedOptions, replacedJson } from "./options-sql.ts"
import type { ColumnSnapshot, LocalizedColumn, TableSnapshot } from "./snapshot.ts"
import type { Step } from "./step.ts"

/** The column that counts a record's versions. A table keeps versions if it has this column. */
export const VERSION_COLUMN = "_version"

/** True if the table's records have versions. Changes to the table must then be applied to the stored versions too. */
export function hasHistory({ columns }: TableSnapshot): boolean {
  return columns.some(({ name }) => name === VERSION_COLUMN)
}

/**
 * Returns the step with further SQL, which applies the same change to data in other tables, such as stored versions.
 */
export function withHistory(step: Step, ...sql: readonly string[]): Step {
  return { ...step, sql: [...step.sql, ...sql] }
}

export function renameHistory(from: string, to: string): string {
  return `update ${VERSIONS_TABLE} set "table" = ${quoteText(to)} where ${isOf(from)}`
}

export function deleteHistory(table: string): string {
  return `delete from ${VERSIONS_TABLE} where ${isOf(table)}`
}

export function renameInHistory(table: string, from: string, to: string): string {
  const [old, name] = [quoteText(from), quoteText(to)]
  return changed(table, from, `data - ${old} || jsonb_build_object(${name}, data->${old})`)
}

export function dropInHistory(table: string, column: string): string {
  return changed(table, column, `data - ${quoteText(column)}`)
}

/** Returns the SQL that makes a field localized in stored versions. Its values become the values of one locale. */
export function localizeInHistory(table: string, column: string, { type, locale }: LocalizedColumn): string {
  const name = quoteText(column)
  const map = `jsonb_build_object(${name}, jsonb_build_object('${locale}', ${exactValue(name, type)}))`
  return `${changed(table, column, `data || ${map}`)} and data->${name} <> 'null'`
}

/**
 * Returns the SQL that converts a field's numbers in record versions to a type. It fails if a number has too many digits
 * for the type.
 */
export function retypeInHistory(table: string, column: string, type: string): string {
  const name = quoteText(column)
  const value = `jsonb_build_object(${name}, (data->>${name})::${type})`
  return `${changed(table, column, `data || ${value}`)} and data->${name} <> 'null'`
}

/** Returns the SQL that replaces the options of a select field in stored versions. */
export function replaceInHistory(table: string, column: ColumnSnapshot, replaced: ReplacedOptions): string {
  const name = quoteText(column.name)
  const value = `jsonb_build_object(${name}, ${replacedJson(`data->${name}`, column, replaced)})`
  return `${changed(table, column.name, `data || ${value}`)} and data->${name} <> 'null'`
}

// Returns the SQL of a field's value in a stored version. Numbers that JSON would round become strings, as they do in
// the column itself.
function exactValue(name: string, type: string): string {
  if (!/^(bigint|numeric)\b/.test(type)) return `data->${name}`
  return type.endsWith("[]") ? `to_jsonb(array(select jsonb_array_elements_text(data->${name})))` : `data->>${name}`
}

function changed(table: string, column: string, data: string): string {
  return `update ${VERSIONS_TABLE} set data = ${data} where ${isOf(table)} and data ? ${quoteText(column)}`
}

function isOf(table: string): string {
  return `"table" = ${quoteText(table)}`
}
