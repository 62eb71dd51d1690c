import type { Resource, ResourceField, ResourceForeignKey, ResourceIndex } from "../../schema/compile/resource.ts"
import { quote } from "../text/fragment.ts"
import { quoteText } from "../text/literal.ts"
import { localizedSql } from "../text/localized-sql.ts"
import type { ColumnSnapshot, LocalizedColumn, TableSnapshot } from "./snapshot.ts"

/** Returns the SQL that creates a table with its columns. Foreign keys are added later, once every table exists. */
export function createTable({ name, columns }: TableSnapshot): string {
  const key = columns.filter(({ primaryKey }) => primaryKey).map((column) => quoteAny(column.name))
  if (key.length < 2) return `create table ${quoteAny(name)} (${columns.map(columnSql).join(", ")})`
  const parts = columns.map(({ primaryKey: _, ...column }) => columnSql(column))
  return `create table ${quoteAny(name)} (${parts.join(", ")}, primary key (${key.join(", ")}))`
}

export function renameTable(from: string, to: string): string {
  return `alter table ${quoteAny(from)} rename to ${quoteAny(to)}`
}

export function dropTable(table: string): string {
  return `drop table ${quoteAny(table)}`
}

export function addColumn(table: string, column: ColumnSnapshot): string {
  return `${alter(table)} add column ${columnSql(column)}`
}

/**
 * Returns the SQL that adds a column with a default, which also fills the column in all existing rows. The default
 * stays, because processes of the app's previous version keep inserting rows without the column.
 */
export function addFilledColumn(table: string, column: ColumnSnapshot, fill: string): string {
  return `${addColumn(table, column)} default ${fill}`
}

export function renameColumn(table: string, from: string, to: string): string {
  return `${alter(table)} rename column ${quoteAny(from)} to ${quoteAny(to)}`
}

/**
 * Returns the SQL that recreates the primary key with its columns in this order. Postgres named the key's constraint
 * after the table's original name, so the SQL looks up the constraint's name.
 */
export function reorderKey(table: string, columns: readonly string[]): string {
  const [before, after] = [
    `${alter(table)} drop constraint `,
    `, add primary key (${columns.map(quoteAny).join(", ")})`,
  ]
  const name = `select conname from pg_constraint where contype = 'p' and conrelid = ${quoteText(quoteAny(table))}::regclass`
  const text = `${quoteText(before)} || quote_ident((${name})) || ${quoteText(after)}`
  return `do ${quoteText(`begin execute ${text}; end`)}`
}

export function dropColumn(table: string, column: string): string {
  return `${alter(table)} drop column ${quoteAny(column)}`
}

/** Returns the SQL that fills the column in the rows where it has no value. */
export function fillColumn(table: string, column: ColumnSnapshot, fill: string): string {
  const name = quoteAny(column.name)
  const value = column.localized ? `coalesce(${name}, '{}'::jsonb) || ${fill}` : fill
  return `update ${quoteAny(table)} set ${name} = ${value} where ${isMissing(column)}`
}

/**
 * Returns the SQL condition that a row has no value in this column or, in a localized column, none in the default
 * locale.
 */
export function isMissing({ name, localized }: ColumnSnapshot): string {
  return localized ? `${quoteAny(name)}->'${localized.locale}' is null` : `${quoteAny(name)} is null`
}

export function countMissing(table: string, column: ColumnSnapshot): string {
  return `select count(*) from ${quoteAny(table)} where ${isMissing(column)}`
}

/** Returns the SQL of a sentence with the number of rows that meet the condition; null if there are none. */
export function describeCount(table: string, label: string, where = "true"): string {
  return `select case when count(*) > 0 then format('${label}: %s.', count(*)) end from ${quoteAny(table)} where ${where}`
}

export function setNotNull(table: string, column: string): string {
  return `${alter(table)} alter column ${quoteAny(column)} set not null`
}

/**
 * Returns the SQL that makes a column nullable and drops its default, so that rows inserted without the column hold
 * null. The column name may come from the database, where names can contain any character.
 */
export function dropNotNull(table: string, column: string): string {
  const altered = `alter column ${quoteAny(column)}`
  return `${alter(table)} ${altered} drop not null, ${altered} drop default`
}

export function changeType(table: string, { name, type }: ColumnSnapshot): string {
  return `${alter(table)} alter column ${quoteAny(name)} type ${type} using ${quoteAny(name)}::${type}`
}

/** Returns the SQL that makes a column localized. Its existing values become the values of one locale. */
export function localizeColumn(table: string, column: string, { type, locale }: LocalizedColumn): string {
  const name = quoteAny(column)
  // Bigint and numeric values become text, because JSON would round them.
  const value = /^(bigint|numeric)\b/.test(type) ? `${name}::text${type.endsWith("[]") ? "[]" : ""}` : name
  const map = `case when ${name} is not null then jsonb_build_object('${locale}', ${value}) end`
  // The column's default is dropped, because it is not JSON and Postgres would refuse to change the type to jsonb.
  return `${alter(table)} alter column ${name} drop default, alter column ${name} type jsonb using ${map}`
}

/** The SQLSTATE and the message of an error that a migration raises. */
interface Refusal {
  readonly code: string
  readonly message: string
}

/** Returns the SQL that raises an error if the condition is true for any row of the table. */
export function refuseIfAny(table: string, where: string, { code, message }: Refusal): string {
  const refusal = `raise exception using errcode = '${code}', message = ${quoteText(message)}`
  const isAny = `exists (select from ${quoteAny(table)} where ${where})`
  return `do ${quoteText(`begin if ${isAny} then ${refusal}; end if; end`)}`
}

export function createIndex(resource: Resource, index: ResourceIndex): string {
  if (index.isOfTrigrams) return createTrigramIndex(resource, index)
  const { createdAt, id } = resource
  const own = index.fields.map(keySql)
  const sortKeys = index.newestFirst && createdAt ? [`${quote(createdAt.name)} desc`, `${quote(id.name)} desc`] : []
  const unique = index.unique ? "unique " : ""
  const method = isOfItems(index) ? " using gin" : ""
  const rows = indexedRows(resource, index)
  const where = rows === undefined ? "" : ` where ${rows}`
  const keys = [...own, ...sortKeys].join(", ")
  return `create ${unique}index ${quote(index.name)} on ${quote(resource.table)}${method} (${keys})${where}`
}

function createTrigramIndex({ table }: Resource, { name, fields }: ResourceIndex): string {
  const keys = fields.map((field) => `${keySql(field)} ${TRIGRAMS}`)
  return `create index ${quote(name)} on ${quote(table)} using gin (${keys.join(", ")})`
}

const TRIGRAMS = "gin_trgm_ops"

/** True if the statement creates an index that needs the extension pg_trgm. */
export function needsTrigrams(createdBy: string): boolean {
  return createdBy.includes(` ${TRIGRAMS}`)
}

/** Returns the SQL of a sentence that says why the extension pg_trgm cannot be created; null if it can. */
export function describeMissingTrigrams(): string {
  return `select case
    when exists (select from pg_extension where extname = 'pg_trgm') then null
    when not exists (select from pg_available_extensions where name = 'pg_trgm') then 'The server does not have it.'
    when not has_database_privilege(current_database(), 'create') then 'The user of the app may not create it.' end`
}

// Returns the SQL condition that a row is in the index; undefined if all rows are.
function indexedRows({ deletedAt }: Resource, { activeOnly }: ResourceIndex): string | undefined {
  return activeOnly && deletedAt ? `${quote(deletedAt.name)} is null` : undefined
}

/**
 * Returns the SQL that describes the values that occur more than once, although the index is unique. Its result is null
 * if there are none.
 */
export function describeDuplicates(resource: Resource, index: ResourceIndex): string {
  const keys = index.fields.map(keySql)
  const conditions = [...keys.map((key) => `${key} is not null`), ...[indexedRows(resource, index) ?? []].flat()]
  const value = `concat_ws(', ', ${keys.join(", ")})`
  const groups = `select ${value} as value, count(*) as rows from ${quote(resource.table)} where ${conditions.join(" and ")} group by ${keys.join(", ")} having count(*) > 1`
  const examples = `(array_agg(format('"%s" in %s records', value, rows) order by rows desc, value))[1:${MAX_EXAMPLES}]`
  return `select case when count(*) > 0 then format('Values that occur more than once: %s, such as %s.', count(*), array_to_string(${examples}, ', ')) end from (${groups}) _duplicates`
}

// The maximum number of values that a message names as examples.
const MAX_EXAMPLES = 3

function keySql({ name, type, localized }: ResourceField): string {
  return localized ? `(${localizedSql(quote(name), { chain: localized.chain, sqlType: type.sqlType })})` : quote(name)
}

// True if the index must be a GIN index, which covers the single elements of a list field. Filters on lists look for
// single elements.
function isOfItems({ fields, unique }: ResourceIndex): boolean {
  const family = fields.length === 1 ? fields[0]?.type.operators : undefined
  return !unique && (family === "list" || family === "jsonList")
}

export function dropIndex(name: string): string {
  return `drop index ${quoteAny(name)}`
}

export function dropConstraint(table: string, name: string): string {
  return `${alter(table)} drop constraint ${quoteAny(name)}`
}

/**
 * Returns the SQL that adds a foreign key, so that the database refuses to delete a record to which other records
 * point.
 */
export function addForeignKey(resource: Resource, { name, field, target }: ResourceForeignKey): string {
  const references = `foreign key (${quote(field.name)}) references ${quote(target.table)} (${quote(target.id.name)})`
  return `alter table ${quote(resource.table)} add constraint ${quote(name)} ${references}`
}

export function quoteAny(name: string): string {
  return quote(name.replaceAll('"', '""'))
}

function alter(table: string): string {
  return `alter table ${quoteAny(table)}`
}

function columnSql({ name, type, nullable, primaryKey }: ColumnSnapshot): string {
  const key = primaryKey ? " primary key" : ""
  const notNull = nullable || primaryKey ? "" : " not null"
  return `${quoteAny(name)} ${type}${key}${notNull}`
}
