import { type FieldType, isProblem } from "../../schema/compile/field-type.ts"
import {
  type AppSchema,
  type LinkTable,
  POSITION,
  type RenamedField,
  type Resource,
  type ResourceField,
} from "../../schema/compile/resource.ts"
import { followedParts } from "../references/reference-trigger.ts"
import { reportedType } from "../text/column-types.ts"
import { literal } from "../text/literal.ts"
import { defaultLocaleMap } from "../text/localized-sql.ts"
import { addForeignKey, createIndex, describeDuplicates } from "./ddl.ts"
import { documentOwner } from "./document-steps.ts"
import { internalSnapshot } from "./internal-ddl.ts"
import { linkSnapshot, numberLinks } from "./link-ddl.ts"
import { searchColumns, searchIndexes, searchSnapshot } from "./search-ddl.ts"
import { type ColumnSnapshot, type SchemaSnapshot, SNAPSHOT_VERSION, type TableSnapshot } from "./snapshot.ts"

/**
 * Hints from the author, such as renames, on how to get from the old tables to the new ones. A schema snapshot
 * describes only the new tables.
 */
export interface ChangeHints {
  /** The possible earlier names of each table, by its current name. */
  readonly tables: ReadonlyMap<string, readonly string[]>
  /** The hints on each column, by table name and then by column name. */
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, ColumnHint>>
  /**
   * The renamed relation fields that use link tables, by table name. Stored versions contain these fields under their
   * old names.
   */
  readonly links: ReadonlyMap<string, RenamedField>
  /** The SQL that describes the values that occur more than once, by the name of the unique index. */
  readonly duplicates: ReadonlyMap<string, string>
}

export interface ColumnHint {
  readonly renamedFrom: string | undefined
  /** The SQL of the value for existing rows that have no value in this column. */
  readonly fill: string | undefined
  /** The statement that gives existing rows different values, after the column has been added. */
  readonly fillRows?: string
  /** True if the values for existing rows come from the author's default function. */
  readonly hasDefaultFunction?: boolean
  /** True if the server sets the column from the record's file, so that the author cannot supply a value. */
  readonly isFileMetadata?: boolean
  /** The values that replace options that the field no longer has. */
  readonly replacedOptions?: FieldType["replacedOptions"]
}

/** Returns the snapshot of the tables that an app declares. */
export function snapshotOf({ tables: own, links, internal }: AppSchema): SchemaSnapshot {
  const tables = [...own.map(tableOf), ...links.map(linkSnapshot), ...internal.map(internalSnapshot)]
  return { version: SNAPSHOT_VERSION, hasOptions: true, tables }
}

export function hintsOf({ tables, links }: AppSchema): ChangeHints {
  return {
    tables: new Map([
      ...tables.map(({ table, renamedFrom }) => [table, renamedFrom === undefined ? [] : [renamedFrom]] as const),
      ...links.map(({ name, earlierNames }) => [name, earlierNames] as const),
    ]),
    columns: new Map([
      ...tables.map((resource) => [resource.table, columnHints(resource)] as const),
      ...links.map((link) => [link.name, linkHints(link)] as const),
    ]),
    links: new Map(links.flatMap(({ name, renamedField }) => (renamedField ? [[name, renamedField] as const] : []))),
    duplicates: new Map(tables.flatMap(duplicatesIn)),
  }
}

function duplicatesIn(resource: Resource): (readonly [string, string])[] {
  const unique = resource.indexes.filter((index) => index.unique)
  return unique.map((index) => [index.name, describeDuplicates(resource, index)] as const)
}

function linkHints(link: LinkTable): ReadonlyMap<string, ColumnHint> {
  const { columns, orderedBy } = link
  const ends = columns.map(({ name, renamedFrom }) => [name, { renamedFrom, fill: undefined }] as const)
  if (orderedBy === undefined) return new Map(ends)
  const numbered = { renamedFrom: undefined, fill: undefined, fillRows: numberLinks(link, orderedBy) }
  return new Map([...ends, [POSITION, numbered] as const])
}

function tableOf(resource: Resource): TableSnapshot {
  const documents = documentOwner(resource)
  const references = followedParts(resource)
  return {
    name: resource.table,
    columns: [...resource.columns.map((field) => columnOf(resource, field)), ...searchColumns(resource)],
    indexes: [
      ...resource.indexes.map((index) => ({
        name: index.name,
        columns: index.fields.map((field) => field.name),
        unique: index.unique,
        sql: createIndex(resource, index),
      })),
      ...searchIndexes(resource),
    ],
    foreignKeys: resource.foreignKeys.map((key) => ({
      name: key.name,
      column: key.field.name,
      target: key.target.table,
      sql: addForeignKey(resource, key),
    })),
    ...(resource.search && { search: searchSnapshot(resource, resource.search) }),
    ...(documents && { documents }),
    ...(references.length > 0 && { references }),
  }
}

function columnOf(resource: Resource, field: ResourceField): ColumnSnapshot {
  const { name, localized } = field
  const type = reportedType(field.type.sqlType)
  const { options } = field.system ? {} : field.type
  const column = { name, type, nullable: !field.required, ...(options && { options }) }
  if (localized) return { ...column, type: "jsonb", localized: { type, locale: localized.defaultLocale } }
  return field === resource.id ? { ...column, primaryKey: true } : column
}

function columnHints({ columns, upload }: Resource): ReadonlyMap<string, ColumnHint> {
  const ofFile = new Set(Object.values(upload?.fields ?? {}))
  const hintOf = (field: ResourceField): ColumnHint => ({
    renamedFrom: field.renamedFrom,
    fill: fillOf(field),
    hasDefaultFunction: typeof field.default === "function",
    isFileMetadata: ofFile.has(field),
    replacedOptions: field.type.replacedOptions,
  })
  return new Map(columns.map((field) => [field.name, hintOf(field)]))
}

// Returns the SQL of the value for existing rows that have no value in the field. A constant default applies to
// existing records too, a default function only to new records.
function fillOf(field: ResourceField): string | undefined {
  const { name, type, localized, default: value } = field
  if (value === undefined || typeof value === "function") return undefined
  const parsed = type.parse(value)
  if (isProblem(parsed)) throw new Error(`The default of "${name}" does not fit: ${parsed.problem}`)
  if (localized) return literal(defaultLocaleMap(field, parsed.value), "jsonb")
  return literal(type.toSql ? type.toSql(parsed.value) : parsed.value, type.sqlType)
}
