import type { Statement } from "../ports/database.ts"
import { isProblem } from "../schema/field-type.ts"
import type { Resource, ResourceField, ResourceForeignKey, ResourceIndex } from "../schema/resource.ts"
import { quote } from "./fragment.ts"

/** Creates the table with its columns; foreign keys follow once every table exists. */
export function createTable(resource: Resource): string {
  const columns = resource.columns.map((field) => columnSql(resource, field))
  return `create table ${quote(resource.table)} (${columns.join(", ")})`
}

export function addColumn(resource: Resource, field: ResourceField): string {
  return `alter table ${quote(resource.table)} add column ${columnSql(resource, field)}`
}

/** Gives the rows without a value the field's constant default. */
export function fillColumn(resource: Resource, field: ResourceField): Statement {
  const parsed = field.type.parse(field.default)
  if (isProblem(parsed)) throw new Error(`The default of "${field.name}" does not fit: ${parsed.problem}`)
  const value = field.type.toSql ? field.type.toSql(parsed.value) : parsed.value
  const name = quote(field.name)
  return { text: `update ${quote(resource.table)} set ${name} = $1 where ${name} is null`, values: [value] }
}

export function requireColumn(resource: Resource, field: ResourceField): string {
  return `alter table ${quote(resource.table)} alter column ${quote(field.name)} set not null`
}

/** Lets a column be empty. Its name may come from the database, where names can hold anything. */
export function releaseColumn(resource: Resource, column: string): string {
  return `alter table ${quote(resource.table)} alter column ${quoteAny(column)} drop not null`
}

export function createIndex(resource: Resource, index: ResourceIndex): string {
  const { createdAt, id } = resource
  const own = index.fields.map((field) => quote(field.name))
  const sortKeys = index.newestFirst && createdAt ? [`${quote(createdAt.name)} desc`, `${quote(id.name)} desc`] : []
  const unique = index.unique ? "unique " : ""
  const where = index.activeOnly && resource.deletedAt ? ` where ${quote(resource.deletedAt.name)} is null` : ""
  const keys = [...own, ...sortKeys].join(", ")
  return `create ${unique}index ${quote(index.name)} on ${quote(resource.table)} (${keys})${where}`
}

export function dropIndex(name: string): string {
  return `drop index ${quoteAny(name)}`
}

export function dropConstraint(resource: Resource, name: string): string {
  return `alter table ${quote(resource.table)} drop constraint ${quoteAny(name)}`
}

/** Deleting a record that others point to is refused by the database itself. */
export function addForeignKey(resource: Resource, { name, field, target }: ResourceForeignKey): string {
  const references = `foreign key (${quote(field.name)}) references ${quote(target.table)} (${quote(target.id.name)})`
  return `alter table ${quote(resource.table)} add constraint ${quote(name)} ${references}`
}

function quoteAny(name: string): string {
  return quote(name.replaceAll('"', '""'))
}

function columnSql(resource: Resource, field: ResourceField): string {
  const key = field === resource.id ? " primary key" : ""
  const notNull = field.required && key === "" ? " not null" : ""
  return `${quote(field.name)} ${field.type.sqlType}${key}${notNull}`
}
