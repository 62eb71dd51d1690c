import type { CollectionSchema, FieldSchema } from "kit/client"
import type { ConsoleRecord } from "../../kit/resources.ts"
import { formatLocale } from "../../words/language.ts"

/** The parts of a record that are shown where it is one of many: in a picker, or among the related records of another one. */
export interface Face {
  readonly id: string
  /** Null if the record has none in this language. */
  readonly title: string | null
  /** A second line. */
  readonly note: string
  readonly picture: FilePreview | null
}

/** A file, as far as it is known for a preview. */
export interface FilePreview {
  readonly url: string
  readonly mimeType: string
}

/** The columns and relations that are read of a record for its face, and how it becomes one. */
export interface FaceReading {
  readonly columns: Readonly<Record<string, true>>
  readonly with: Readonly<Record<string, object>>
  /** The field of the title, or null if the records have none that the person may read. */
  readonly title: FieldSchema | null
  /** True if the faces may have a picture. */
  readonly hasPicture: boolean
  /** True if the faces may have a second line. */
  readonly hasNote: boolean
  readonly faceOf: (record: ConsoleRecord) => Face
}

const PICTURE_COLUMNS = { url: true, mimeType: true } as const
const TITLE_TYPES = ["text", "textarea", "email", "url"]
const NOTES_MAX = 2
const TITLE_LENGTH_MAX = 160

interface FaceSettings {
  /** Returns whether the person may read records of a collection. */
  readonly mayRead: (collection: string) => boolean
  /** A field that all records have in common, so that it says nothing about them. */
  readonly without?: string | null
}

/** Says how the faces of a collection's records are read: the title, and up to two values of the list's columns. */
export function faceReading(schema: CollectionSchema, { mayRead, without = null }: FaceSettings): FaceReading {
  const title = titleOf(schema)
  const notes = notesOf(schema, { mayRead, without: [title?.name, without] })
  const picture = pictureField(schema, mayRead)
  const related = notes.filter(({ type }) => type === "relation")
  const plain = [title, ...notes.filter(({ type }) => type !== "relation")].filter((field) => field !== null)
  return {
    title,
    hasPicture: picture !== null,
    hasNote: notes.length > 0,
    columns: {
      ...Object.fromEntries(plain.map(({ name }) => [name, true])),
      ...(picture === "self" && PICTURE_COLUMNS),
    },
    with: {
      ...Object.fromEntries(related.map(({ name }) => [name, { columns: relatedColumns(schema, name) }])),
      ...(picture !== null && picture !== "self" && { [picture]: { columns: PICTURE_COLUMNS } }),
    },
    faceOf: (record) => ({
      id: record.id,
      title: textOf(title ? record[title.name] : null),
      note: notes
        .map((field) => noteOf(schema, field, record[field.name]))
        .filter((note) => note !== null)
        .join(" · "),
      picture: picture === null ? null : previewOf(picture === "self" ? record : record[picture]),
    }),
  }
}

/** Reads a file that is shown by a picture or an icon. */
function previewOf(file: unknown): FilePreview | null {
  if (file === null || typeof file !== "object") return null
  // A file that was read with these columns has them, unless a rule hides them.
  const { url, mimeType } = file as Partial<FilePreview>
  return typeof url === "string" && typeof mimeType === "string" ? { url, mimeType } : null
}

/** Returns the field that stands for a record: the author's choice, otherwise the first text of the list. */
function titleOf({ fields, options, list }: CollectionSchema): FieldSchema | null {
  if (options.title.defined) return fields[options.title.fieldName] ?? null
  const listed = list.columns.map((name) => fields[name]).filter((field) => field !== undefined)
  return [...listed, ...Object.values(fields)].find(isShownText) ?? null
}

function isShownText({ type, access, readOnly }: FieldSchema): boolean {
  return TITLE_TYPES.includes(type) && access.read !== false && !readOnly
}

const NOTE_RANKS: Readonly<Record<string, number>> = {
  relation: 1,
  select: 2,
  email: 3,
  text: 4,
  number: 5,
  date: 6,
  datetime: 6,
}

interface NoteSettings extends Pick<FaceSettings, "mayRead"> {
  readonly without: readonly (string | null | undefined)[]
}

function notesOf(schema: CollectionSchema, { mayRead, without }: NoteSettings): FieldSchema[] {
  const candidates = schema.list.columns
    .filter((name) => !without.includes(name))
    .map((name) => schema.fields[name])
    .filter((field) => field !== undefined)
    .filter((field) => field.access.read !== false && rankOf(schema, field) < Number.POSITIVE_INFINITY)
    .filter(({ type, name }) => type !== "relation" || mayRead(schema.relations[name]?.targetCollection ?? ""))
  return candidates.toSorted((one, other) => rankOf(schema, one) - rankOf(schema, other)).slice(0, NOTES_MAX)
}

// The stage says most about a record, then to what it belongs.
function rankOf({ options, relations }: CollectionSchema, { name, type }: FieldSchema): number {
  if (options.workflow.enabled && name === "stage") return 0
  if (type === "relation" && (relations[name]?.type !== "belongsTo" || !relations[name].titleField))
    return Number.POSITIVE_INFINITY
  return NOTE_RANKS[type] ?? Number.POSITIVE_INFINITY
}

function relatedColumns({ relations }: CollectionSchema, name: string): Readonly<Record<string, true>> {
  const titleField = relations[name]?.titleField
  return titleField ? { [titleField]: true } : {}
}

function noteOf(schema: CollectionSchema, field: FieldSchema, value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (field.options) return field.options.find((option) => option.value === value)?.label ?? textOf(value)
  if (field.type === "relation") {
    const titleField = schema.relations[field.name]?.titleField
    // The related record was read with its title only.
    return titleField && typeof value === "object" ? textOf((value as Record<string, unknown>)[titleField]) : null
  }
  if (value instanceof Date) return value.toLocaleDateString(formatLocale(), { dateStyle: "medium" })
  return textOf(value)
}

function pictureField(schema: CollectionSchema, mayRead: FaceSettings["mayRead"]): string | "self" | null {
  const { fields, relations, options, list } = schema
  if (options.upload) return "self"
  const uploads = Object.values(fields).filter(({ name, type, access }) => {
    const isOneFile = type === "upload" && relations[name]?.type === "belongsTo"
    return isOneFile && access.read !== false && mayRead(relations[name]?.targetCollection ?? "")
  })
  return (uploads.find(({ name }) => list.columns.includes(name)) ?? uploads[0])?.name ?? null
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined || typeof value === "object") return null
  const text = String(value).trim()
  if (text === "") return null
  return text.length > TITLE_LENGTH_MAX ? `${text.slice(0, TITLE_LENGTH_MAX)}…` : text
}
