import { quoteText } from "../text/literal.ts"
import { VERSIONS_TABLE } from "../versions/version-table.ts"
import type { LocalizedColumn, TableSnapshot } from "./snapshot.ts"
import type { Step } from "./step.ts"

/** The column by which a table tells that it keeps versions. */
export const VERSION_COLUMN = "_version"

/** Whether records of this table have a history, which follows what becomes of the table. */
export function hasHistory({ columns }: TableSnapshot): boolean {
  return columns.some(({ name }) => name === VERSION_COLUMN)
}

/** The step, and what it means for the history of the records. */
export function withHistory(step: Step, ...sql: readonly string[]): Step {
  return { ...step, sql: [...step.sql, ...sql] }
}

export function renameHistory(from: string, to: string): string {
  return `update ${VERSIONS_TABLE} set "table" = ${quoteText(to)} where ${isOf(from)}`
}

export function forgetHistory(table: string): string {
  return `delete from ${VERSIONS_TABLE} where ${isOf(table)}`
}

export function renameInHistory(table: string, from: string, to: string): string {
  const [old, name] = [quoteText(from), quoteText(to)]
  return changed(table, from, `data - ${old} || jsonb_build_object(${name}, data->${old})`)
}

export function dropInHistory(table: string, column: string): string {
  return changed(table, column, `data - ${quoteText(column)}`)
}

/** Makes what the versions hold the values of one locale. */
export function localizeInHistory(table: string, column: string, { type, locale }: LocalizedColumn): string {
  const name = quoteText(column)
  const map = `jsonb_build_object(${name}, jsonb_build_object('${locale}', ${exactValue(name, type)}))`
  return `${changed(table, column, `data || ${map}`)} and data->${name} <> 'null'`
}

/** Makes the numbers that the versions hold those of a type, and fails where one is too long for it. */
export function retypeInHistory(table: string, column: string, type: string): string {
  const name = quoteText(column)
  const value = `jsonb_build_object(${name}, (data->>${name})::${type})`
  return `${changed(table, column, `data || ${value}`)} and data->${name} <> 'null'`
}

// As in the column itself: what JSON would round is text.
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
