export const VISIBILITIES = ["public", "private"] as const

type Visibility = (typeof VISIBILITIES)[number]

/** The options that a collection passes to `.upload({ … })`. */
export interface UploadOptions {
  /** The maximum size of a file in bytes; 50 MB unless set. */
  readonly maxSize?: number
  /** The accepted file types, detected from the content: `["image/*", "application/pdf"]`. Every type unless set. */
  readonly types?: readonly string[]
  /**
   * The default visibility of uploaded files; "public" unless set. Shared caches may keep a file that is public and
   * that everyone may read.
   */
  readonly visibility?: Visibility
}

const STORED = ["key", "filename", "mimeType", "size", "checksum", "width", "height", "visibility"] as const

/** The names of the fields that a record stores about its file. */
export type StoredFileField = (typeof STORED)[number]

export const STORED_FILE_FIELDS: readonly string[] = STORED

/** The names of the fields that the server adds to a collection of files, besides the author's fields. */
export const FILE_FIELDS: readonly string[] = [...STORED, "url"]

/** The names of the form parts that an upload request can contain besides the author's fields. */
export const FORM_PARTS: readonly string[] = ["file", "path"]
