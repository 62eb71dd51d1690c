import { type StoredFileField, type UploadOptions, VISIBILITIES } from "../builders/upload-options.ts"
import { fieldSet as f } from "../fields/field-set.ts"
import type { FieldType } from "./field-type.ts"
import type { ResourceField } from "./resource.ts"

/** A field that the server keeps about the file of a record. */
interface FileField {
  readonly name: StoredFileField | "url"
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

/** The fields of a collection of files besides the author's; only the visibility is the caller's to choose. */
export function fileFields({ visibility = "public" }: UploadOptions, place: FilePlace): readonly FileField[] {
  return [
    // A file is looked for by its key.
    { name: "key", type: TEXT, change: { index: true } },
    { name: "filename", type: TEXT },
    { name: "mimeType", type: TEXT },
    { name: "size", type: f.number().compile() },
    { name: "checksum", type: TEXT },
    { name: "width", type: INTEGER, change: OPTIONAL },
    { name: "height", type: INTEGER, change: OPTIONAL },
    { name: "visibility", type: VISIBILITY, change: { system: false, default: visibility } },
    { name: "url", type: urlType(place), change: { isStored: false } },
  ]
}

// Made by SQL from the key, so that it can be filtered and sorted by, and moves with the base path.
function urlType({ basePath, collection }: FilePlace): FieldType {
  const start = `${basePath}/${collection}/files/`.replaceAll("'", "''")
  return { ...TEXT, expression: [{ text: `'${start}' || ` }, { column: "key" }] }
}
