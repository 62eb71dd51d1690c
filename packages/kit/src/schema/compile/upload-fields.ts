import { type StoredFileField, type UploadOptions, VISIBILITIES } from "../builders/upload-options.ts"
import { fieldSet as f } from "../fields/field-set.ts"
import type { FieldType } from "./field-type.ts"
import type { ResourceField } from "./resource.ts"

/** A field that the server adds to a record to describe the record's file. */
interface FileField {
  readonly name: StoredFileField | "url"
  readonly type: FieldType
  readonly overrides?: Partial<ResourceField>
}

/** The variable parts at the start of a file's URL: the API's base path and the collection's name. */
interface FileUrlBase {
  readonly basePath: string
  readonly collection: string
}

const TEXT = f.text().compile()
const INTEGER = f.number().integer().compile()
const OPTIONAL = { required: false }

// The type of the visibility field. It is a select type with another name, because a type named "select" would give the
// field an index, and find requests hardly ever filter by visibility.
const VISIBILITY = { ...f.select(VISIBILITIES).compile(), name: "visibility" }

/** Returns the fields that a collection of files has besides the author's. Callers can write only the visibility. */
export function fileFields({ visibility = "public" }: UploadOptions, place: FileUrlBase): readonly FileField[] {
  return [
    // The field has an index because requests for a file look up its record by key.
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

// Returns the type of the url field. It is an SQL expression over the key, so that requests can filter and sort by URL,
// and the URL changes with the base path.
function urlType({ basePath, collection }: FileUrlBase): FieldType {
  const start = `${basePath}/${collection}/files/`.replaceAll("'", "''")
  return { ...TEXT, expression: [{ text: `'${start}' || ` }, { column: "key" }] }
}
