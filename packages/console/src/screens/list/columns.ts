import type { CollectionSchema, FieldSchema, RelationSchema } from "kit/client"
import { ownMember } from "../../kit/own-member.ts"
import { LOCALES_COLUMN } from "./locales/locales-column.ts"

/** A column of a list. */
export interface Column {
  /** The name of the field. */
  readonly name: string
  readonly field: FieldSchema
  readonly relation: RelationSchema | undefined
  readonly role: "title" | "stage" | "locales" | "value"
  readonly align: "start" | "end"
  /** The narrowest width in pixels, and the share of what is left; 0 if the column keeps its width. */
  readonly width: number
  readonly share: number
  /** The name of the field, or of the related record's title, by which the list can be ordered; null if it cannot. */
  readonly orderPath: string | null
}

const MAX_PLAIN_COLUMNS = 7
const MAX_DEFAULT_COLUMNS = 4

/** The fields that kit adds to records and files. A list that the author has not declared shows few of them. */
const SYSTEM_FIELDS = new Set([
  "id",
  "createdAt",
  "updatedAt",
  "deletedAt",
  "revision",
  "stage",
  "changedSincePublished",
])
const FILE_FIELDS = new Set(["key", "checksum", "url", "width", "height", "filename", "mimeType", "size", "visibility"])

// The collection of the people who sign in has this name in every app, and many fields of which few say something.
const PEOPLE = "users"
const PEOPLE_COLUMNS = ["email", "role", "banned", "createdAt"]

// Without a declaration, fields stand in the order of these kinds: what a record belongs to, what it is, how much, when, and the rest.
const KINDS: readonly (readonly string[])[] = [
  ["relation"],
  ["select", "visibility"],
  ["number"],
  ["boolean"],
  ["date", "datetime", "time"],
  ["text", "email", "url"],
  ["multiple", "array", "blocks", "object", "json"],
  ["textarea"],
]

/** Returns the name of the field that represents a record; the id if the person may read none. */
export function titleName({ options: { title } }: CollectionSchema): string {
  return title.defined ? title.fieldName : "id"
}

/** Returns the names of the columns of a list, as the author or, without a declaration, kit wants them. */
export function defaultColumns(schema: CollectionSchema): readonly string[] {
  const columns = columnsOfFields(schema)
  if (schema.fields[LOCALES_COLUMN] === undefined) return columns
  // The time of the last change stands at the end.
  const end = columns.at(-1) === "updatedAt" ? -1 : columns.length
  return [...columns.slice(0, end), LOCALES_COLUMN, ...columns.slice(end)]
}

function columnsOfFields(schema: CollectionSchema): readonly string[] {
  const title = titleName(schema)
  const { columns } = schema.list
  if (isDeclared(schema)) return [...new Set([title, ...columns])]
  if (schema.name === PEOPLE) return [title, ...PEOPLE_COLUMNS.filter((name) => isReadable(schema.fields[name]))]
  const stage = schema.options.workflow.enabled && isReadable(schema.fields["stage"]) ? ["stage"] : []
  const files = schema.options.upload ? ["mimeType", "size"].filter((name) => isReadable(schema.fields[name])) : []
  const updated = isReadable(schema.fields["updatedAt"]) ? ["updatedAt"] : []
  const own = ownFields(schema).filter((name) => name !== title)
  const room = MAX_PLAIN_COLUMNS - stage.length - files.length - updated.length
  return [title, ...stage, ...own.slice(0, room), ...files, ...updated]
}

/** Returns the names of all fields that a list can show. */
export function possibleColumns(schema: CollectionSchema): readonly string[] {
  const shown = Object.values(schema.fields).filter(
    (field) => isReadable(field) && field.name !== "changedSincePublished",
  )
  const title = titleName(schema)
  return [title, ...shown.map(({ name }) => name).filter((name) => name !== title)]
}

export function columnOf(schema: CollectionSchema, name: string): Column | null {
  const field = ownMember(schema.fields, name)
  if (!isReadable(field)) return null
  const relation = ownMember(schema.relations, name)
  const role = roleOf(schema, name)
  const [width, share] = role === "title" ? [180, 2.4] : role === "stage" ? [144, 0] : sizeOf(field, relation)
  return { name, field, relation, role, align: alignOf(field), width, share, orderPath: orderPathOf(field, relation) }
}

/** Returns the field whose pictures stand beside the titles: the first single upload. */
export function coverOf({ fields, relations }: CollectionSchema): string | null {
  const cover = Object.values(fields).find(({ name, type, access }) => {
    return type === "upload" && access.read !== false && relations[name]?.type === "belongsTo"
  })
  return cover?.name ?? null
}

function roleOf(schema: CollectionSchema, name: string): Column["role"] {
  if (name === titleName(schema)) return "title"
  if (name === LOCALES_COLUMN) return "locales"
  return schema.options.workflow.enabled && name === "stage" ? "stage" : "value"
}

function isReadable(field: FieldSchema | undefined): field is FieldSchema {
  return field !== undefined && field.access.read !== false
}

// A description does not say whether the author has declared the columns. Without a declaration they are the title and the
// first short fields, which a list has room to show more of.
function isDeclared(schema: CollectionSchema): boolean {
  const title = schema.options.title.defined ? [schema.options.title.fieldName] : []
  const short = Object.values(schema.fields).filter(({ name, type, sortable }) => {
    return sortable && type !== "textarea" && type !== "id" && !SYSTEM_FIELDS.has(name)
  })
  const own = schema.options.upload
    ? short.filter(({ name }) => !FILE_FIELDS.has(name) || name === "visibility")
    : short
  const plain = [...new Set([...title, ...own.map(({ name }) => name)])].slice(0, MAX_DEFAULT_COLUMNS)
  return plain.join() !== schema.list.columns.join()
}

function ownFields(schema: CollectionSchema): readonly string[] {
  const { fields, relations, options } = schema
  const own = Object.values(fields).filter(({ name, access }) => {
    const isSystem =
      SYSTEM_FIELDS.has(name) || name === LOCALES_COLUMN || (options.upload !== null && FILE_FIELDS.has(name))
    return access.read !== false && !isSystem && relations[name]?.type !== "hasMany"
  })
  return KINDS.flatMap((types) => own.filter(({ type }) => types.includes(type)).map(({ name }) => name))
}

function alignOf({ type, valueType }: FieldSchema): Column["align"] {
  return type === "number" || valueType === "number" ? "end" : "start"
}

const SIZES: Readonly<Record<string, readonly [width: number, share: number]>> = {
  number: [96, 0],
  boolean: [56, 0],
  date: [96, 0],
  datetime: [104, 0],
  time: [72, 0],
  select: [104, 0],
  visibility: [88, 0],
  json: [56, 0],
  object: [56, 0],
  array: [56, 0],
  blocks: [56, 0],
  textarea: [140, 1.2],
  richText: [140, 1.4],
  id: [160, 0.6],
}

// Room for the name of the column, and for each mark with what is between two.
const MIN_LOCALES_WIDTH = 56
const LOCALE_WIDTH = 26

function sizeOf(
  { type, valueType, numberType, limits }: FieldSchema,
  relation: RelationSchema | undefined,
): readonly [number, number] {
  if (relation?.type === "hasMany") return [88, 0]
  if (numberType === "bigint") return [168, 0]
  if (type === "locales") return [Math.max(MIN_LOCALES_WIDTH, (limits.maxItems ?? 0) * LOCALE_WIDTH), 0]
  return SIZES[valueType ?? type] ?? [120, 0.8]
}

function orderPathOf({ name, sortable }: FieldSchema, relation: RelationSchema | undefined): string | null {
  if (!sortable) return null
  if (relation === undefined) return name
  return relation.titleField === null ? null : `${name}.${relation.titleField}`
}
