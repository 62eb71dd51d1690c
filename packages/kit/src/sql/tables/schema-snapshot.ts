import { isProblem } from "../../schema/compile/field-type.ts"
import type { AppSchema, LinkColumn, RenamedField, Resource, ResourceField } from "../../schema/compile/resource.ts"
import { reportedType } from "../text/column-types.ts"
import { literal } from "../text/literal.ts"
import { defaultLocaleMap } from "../text/localized-sql.ts"
import { addForeignKey, createIndex } from "./ddl.ts"
import { internalSnapshot } from "./internal-ddl.ts"
import { linkSnapshot } from "./link-ddl.ts"
import { type ColumnSnapshot, type SchemaSnapshot, SNAPSHOT_VERSION, type TableSnapshot } from "./snapshot.ts"

/** What the author says about the way to a schema; a snapshot only says where it leads. */
export interface ChangeHints {
  /** What a table may have been called before, by its name. */
  readonly tables: ReadonlyMap<string, readonly string[]>
  /** Of each table, what is known of its columns, by name. */
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, ColumnHint>>
  /** The field that each table of links belongs to, where versions know it by another name. */
  readonly links: ReadonlyMap<string, RenamedField>
}

export interface ColumnHint {
  readonly renamedFrom: string | undefined
  /** The SQL of the value that rows without one get. */
  readonly fill: string | undefined
  /** Kept by the server about the file of a record: no author can give it a value. */
  readonly isOfFile?: boolean
}

/** What the tables of an app are to be. */
export function snapshotOf({ tables: own, links, internal }: AppSchema): SchemaSnapshot {
  const tables = [...own.map(tableOf), ...links.map(linkSnapshot), ...internal.map(internalSnapshot)]
  return { version: SNAPSHOT_VERSION, tables }
}

export function hintsOf({ tables, links }: AppSchema): ChangeHints {
  return {
    tables: new Map([
      ...tables.map(({ table, renamedFrom }) => [table, renamedFrom === undefined ? [] : [renamedFrom]] as const),
      ...links.map(({ name, earlierNames }) => [name, earlierNames] as const),
    ]),
    columns: new Map([
      ...tables.map((resource) => [resource.table, columnHints(resource)] as const),
      ...links.map(({ name, columns }) => [name, linkHints(columns)] as const),
    ]),
    links: new Map(links.flatMap(({ name, renamedField }) => (renamedField ? [[name, renamedField] as const] : []))),
  }
}

function linkHints(columns: readonly LinkColumn[]): ReadonlyMap<string, ColumnHint> {
  return new Map(columns.map(({ name, renamedFrom }) => [name, { renamedFrom, fill: undefined }]))
}

function tableOf(resource: Resource): TableSnapshot {
  return {
    name: resource.table,
    columns: resource.columns.map((field) => columnOf(resource, field)),
    indexes: resource.indexes.map((index) => ({
      name: index.name,
      columns: index.fields.map((field) => field.name),
      unique: index.unique,
      sql: createIndex(resource, index),
    })),
    foreignKeys: resource.foreignKeys.map((key) => ({
      name: key.name,
      column: key.field.name,
      target: key.target.table,
      sql: addForeignKey(resource, key),
    })),
  }
}

function columnOf(resource: Resource, field: ResourceField): ColumnSnapshot {
  const { name, localized } = field
  const type = reportedType(field.type.sqlType)
  const column = { name, type, nullable: !field.required }
  if (localized) return { ...column, type: "jsonb", localized: { type, locale: localized.defaultLocale } }
  return field === resource.id ? { ...column, primaryKey: true } : column
}

function columnHints({ columns, upload }: Resource): ReadonlyMap<string, ColumnHint> {
  const ofFile = new Set(Object.values(upload?.fields ?? {}))
  const hintOf = (field: ResourceField): ColumnHint => ({
    renamedFrom: field.renamedFrom,
    fill: fillOf(field),
    isOfFile: ofFile.has(field),
  })
  return new Map(columns.map((field) => [field.name, hintOf(field)]))
}

// A function makes a value for each new record; only a constant is meant for the old ones too.
function fillOf(field: ResourceField): string | undefined {
  const { name, type, localized, default: value } = field
  if (value === undefined || typeof value === "function") return undefined
  const parsed = type.parse(value)
  if (isProblem(parsed)) throw new Error(`The default of "${name}" does not fit: ${parsed.problem}`)
  if (localized) return literal(defaultLocaleMap(field, parsed.value), "jsonb")
  return literal(type.toSql ? type.toSql(parsed.value) : parsed.value, type.sqlType)
}
