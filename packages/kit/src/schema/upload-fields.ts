import { fieldSet as f } from "./field-set.ts"
import type { FieldType } from "./field-type.ts"
import type { ResourceField } from "./resource.ts"

export const VISIBILITIES = ["public", "private"] as const

export type Visibility = (typeof VISIBILITIES)[number]

/** What `.upload({ … })` of a collection takes. */
export interface UploadOptions {
  /** The most bytes a file may have; 50 MB unless set. */
  readonly maxSize?: number
  /** The types that are taken, told by content: `["image/*", "application/pdf"]`. Every type unless set. */
  readonly types?: readonly string[]
  /** Whether files that anyone may read may also be kept by every cache, unless an upload says otherwise; "public" unless set. */
  readonly visibility?: Visibility
}

/** A field that the server keeps about the file of a record. */
interface FileField {
  readonly name: string
  readonly type: FieldType
  readonly change?: Partial<ResourceField>
}

/** Where the file of a record is found: the base path of the API, and the name of the collection. */
interface FilePlace {
  readonly basePath: string
  readonly collection: string
}

const TEXT = f.text().compile()
const INTEGER = f.number().integer().compile()
const OPTIONAL = { required: false }

// Not called "select": lists are hardly ever filtered by it, so it gets no index.
const VISIBILITY = { ...f.select(VISIBILITIES).compile(), name: "visibility" }

const STORED = [
  // A record that is gone has no file either, so the index is all that finds one.
  { name: "key", type: TEXT, change: { index: true } },
  { name: "filename", type: TEXT },
  { name: "mimeType", type: TEXT },
  { name: "size", type: f.number().compile() },
  { name: "checksum", type: TEXT },
  { name: "width", type: INTEGER, change: OPTIONAL },
  { name: "height", type: INTEGER, change: OPTIONAL },
] as const satisfies readonly FileField[]

/** The stored fields of a file, in the order of the answer. */
export type StoredFileField = (typeof STORED)[number]["name"] | "visibility"

export const STORED_FILE_FIELDS: readonly string[] = [...STORED.map(({ name }) => name), "visibility"]

/** What no field of the author's may be called in a collection of files. */
export const FILE_FIELDS: readonly string[] = [...STORED_FILE_FIELDS, "url"]

/** The fields of a collection of files besides the author's; only the visibility is the caller's to choose. */
export function fileFields({ visibility = "public" }: UploadOptions, place: FilePlace): readonly FileField[] {
  const chosen = { system: false, default: visibility }
  return [
    ...STORED,
    { name: "visibility", type: VISIBILITY, change: chosen },
    { name: "url", type: urlType(place), change: { isStored: false } },
  ]
}

// Made by SQL from the key, so that it can be filtered and sorted by, and moves with the base path.
function urlType({ basePath, collection }: FilePlace): FieldType {
  const start = `${basePath}/${collection}/files/`.replaceAll("'", "''")
  return { ...TEXT, expression: [{ text: `'${start}' || ` }, { column: "key" }] }
}
