import type { Statement } from "../ports/database.ts"
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

/** Gives the rows that are there already the field's constant default. */
export function fillColumn(resource: Resource, field: ResourceField): Statement {
  const value = field.type.toSql ? field.type.toSql(field.default) : field.default
  return { text: `update ${quote(resource.table)} set ${quote(field.name)} = $1`, values: [value] }
}

export function requireColumn(resource: Resource, field: ResourceField): string {
  return `alter table ${quote(resource.table)} alter column ${quote(field.name)} set not null`
}

export function createIndex(resource: Resource, index: ResourceIndex): string {
  const { createdAt, id } = resource
  const own = index.fields.map((field) => quote(field.name))
  const sortKeys = index.newestFirst && createdAt ? [`${quote(createdAt.name)} desc`, `${quote(id.name)} desc`] : []
  const unique = index.unique ? "unique " : ""
  return `create ${unique}index ${quote(index.name)} on ${quote(resource.table)} (${[...own, ...sortKeys].join(", ")})`
}

/** Deleting a record that others point to is refused by the database itself. */
export function addForeignKey(resource: Resource, { name, field, target }: ResourceForeignKey): string {
  const references = `foreign key (${quote(field.name)}) references ${quote(target.table)} (${quote(target.id.name)})`
  return `alter table ${quote(resource.table)} add constraint ${quote(name)} ${references}`
}

function columnSql(resource: Resource, field: ResourceField): string {
  const key = field === resource.id ? " primary key" : ""
  const notNull = field.required && key === "" ? " not null" : ""
  return `${quote(field.name)} ${field.type.sqlType}${key}${notNull}`
}
