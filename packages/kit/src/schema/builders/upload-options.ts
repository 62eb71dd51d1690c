export const VISIBILITIES = ["public", "private"] as const

export type Visibility = (typeof VISIBILITIES)[number]

/** The options of `.upload({ … })` of a collection. */
export interface UploadOptions {
  /** The maximum size of a file in bytes; 50 MB unless set. */
  readonly maxSize?: number
  /** The accepted types, detected from the content: `["image/*", "application/pdf"]`. Every type unless set. */
  readonly types?: readonly string[]
  /** The default for uploads; "public" unless set. Shared caches may keep public files that everyone may read. */
  readonly visibility?: Visibility
}

const STORED = ["key", "filename", "mimeType", "size", "checksum", "width", "height", "visibility"] as const

/** The names of the fields that are stored about a record's file. */
export type StoredFileField = (typeof STORED)[number]

export const STORED_FILE_FIELDS: readonly string[] = STORED

/** The fields that the server adds to the author's fields. */
export const FILE_FIELDS: readonly string[] = [...STORED, "url"]

/** The form parts that an upload sends besides the author's fields. */
export const FORM_PARTS: readonly string[] = ["file", "path"]
