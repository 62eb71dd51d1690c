import type { Resource, ResourceField, ResourceForeignKey, ResourceIndex } from "../../schema/compile/resource.ts"
import { quote } from "../text/fragment.ts"
import { quoteText } from "../text/literal.ts"
import { localizedSql } from "../text/localized-sql.ts"
import type { ColumnSnapshot, LocalizedColumn, TableSnapshot } from "./snapshot.ts"

/** Creates the table with its columns; foreign keys follow once every table exists. */
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
 * Adds a column in which every row that is there has the value. The default stays: processes of the version before this
 * one go on inserting rows, and do not know the column.
 */
export function addFilledColumn(table: string, column: ColumnSnapshot, fill: string): string {
  return `${addColumn(table, column)} default ${fill}`
}

export function renameColumn(table: string, from: string, to: string): string {
  return `${alter(table)} rename column ${quoteAny(from)} to ${quoteAny(to)}`
}

/** Makes the primary key anew; Postgres has named it after what the table was called when it was created. */
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

/** Gives the rows without a value the given one. */
export function fillColumn(table: string, column: ColumnSnapshot, fill: string): string {
  const name = quoteAny(column.name)
  const value = column.localized ? `coalesce(${name}, '{}'::jsonb) || ${fill}` : fill
  return `update ${quoteAny(table)} set ${name} = ${value} where ${isMissing(column)}`
}

/** Holds in the rows without a value; that of a localized column is the one of its default locale. */
export function isMissing({ name, localized }: ColumnSnapshot): string {
  return localized ? `${quoteAny(name)}->'${localized.locale}' is null` : `${quoteAny(name)} is null`
}

export function countMissing(table: string, column: ColumnSnapshot): string {
  return `select count(*) from ${quoteAny(table)} where ${isMissing(column)}`
}

export function requireColumn(table: string, column: string): string {
  return `${alter(table)} alter column ${quoteAny(column)} set not null`
}

/**
 * Lets a column be empty, and so it is in rows that are inserted without it. Its name may come from the database, where
 * names can hold anything.
 */
export function releaseColumn(table: string, column: string): string {
  const altered = `alter column ${quoteAny(column)}`
  return `${alter(table)} ${altered} drop not null, ${altered} drop default`
}

export function changeType(table: string, { name, type }: ColumnSnapshot): string {
  return `${alter(table)} alter column ${quoteAny(name)} type ${type} using ${quoteAny(name)}::${type}`
}

/** Makes what a column holds the value of one locale. */
export function localizeColumn(table: string, column: string, { type, locale }: LocalizedColumn): string {
  const name = quoteAny(column)
  // JSON would round what these types hold.
  const value = /^(bigint|numeric)\b/.test(type) ? `${name}::text${type.endsWith("[]") ? "[]" : ""}` : name
  const map = `case when ${name} is not null then jsonb_build_object('${locale}', ${value}) end`
  // The default of a column that was added with one is not JSON, and Postgres would refuse the change.
  return `${alter(table)} alter column ${name} drop default, alter column ${name} type jsonb using ${map}`
}

export function createIndex(resource: Resource, index: ResourceIndex): string {
  const { createdAt, id } = resource
  const own = index.fields.map(keySql)
  const sortKeys = index.newestFirst && createdAt ? [`${quote(createdAt.name)} desc`, `${quote(id.name)} desc`] : []
  const unique = index.unique ? "unique " : ""
  const method = isOfItems(index) ? " using gin" : ""
  const where = index.activeOnly && resource.deletedAt ? ` where ${quote(resource.deletedAt.name)} is null` : ""
  const keys = [...own, ...sortKeys].join(", ")
  return `create ${unique}index ${quote(index.name)} on ${quote(resource.table)}${method} (${keys})${where}`
}

function keySql({ name, type, localized }: ResourceField): string {
  return localized ? `(${localizedSql(quote(name), { chain: localized.chain, sqlType: type.sqlType })})` : quote(name)
}

// Lists are looked into, not compared as a whole.
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

/** Deleting a record that others point to is refused by the database itself. */
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
