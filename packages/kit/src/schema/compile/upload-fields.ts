import { type StoredFileField, type UploadOptions, VISIBILITIES } from "../builders/upload-options.ts"
import { fieldSet as f } from "../fields/field-set.ts"
import type { FieldType } from "./field-type.ts"
import type { ResourceField } from "./resource.ts"

/** A field that the server sets for the file of a record. */
interface FileField {
  readonly name: StoredFileField | "url"
  readonly type: FieldType
  readonly overrides?: Partial<ResourceField>
}

/** The parts of the URL of a file: the base path of the API, and the name of the collection. */
interface FileUrlBase {
  readonly basePath: string
  readonly collection: string
}

const TEXT = f.text().compile()
const INTEGER = f.number().integer().compile()
const OPTIONAL = { required: false }

// Not named "select", which would get an index: lists are hardly ever filtered by visibility.
const VISIBILITY = { ...f.select(VISIBILITIES).compile(), name: "visibility" }

/** Returns the fields that a collection of files has besides the author's; a caller can set only the visibility. */
export function fileFields({ visibility = "public" }: UploadOptions, place: FileUrlBase): readonly FileField[] {
  return [
    // Files are looked up by key.
    { name: "key", type: TEXT, overrides: { index: true } },
    { name: "filename", type: TEXT },
    { name: "mimeType", type: TEXT },
    { name: "size", type: f.number().compile() },
    { name: "checksum", type: TEXT },
    { name: "width", type: INTEGER, overrides: OPTIONAL },
    { name: "height", type: INTEGER, overrides: OPTIONAL },
    { name: "visibility", type: VISIBILITY, overrides: { system: false, default: visibility } },
    { name: "url", type: urlType(place), overrides: { isStored: false } },
  ]
}

// An SQL expression over the key, so that requests can filter and sort by it, and it follows the base path.
function urlType({ basePath, collection }: FileUrlBase): FieldType {
  const start = `${basePath}/${collection}/files/`.replaceAll("'", "''")
  return { ...TEXT, expression: [{ text: `'${start}' || ` }, { column: "key" }] }
}
