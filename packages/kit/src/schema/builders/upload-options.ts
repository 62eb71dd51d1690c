export const VISIBILITIES = ["public", "private"] as const

export type Visibility = (typeof VISIBILITIES)[number]

/** What `.upload({ … })` of a collection takes. */
export interface UploadOptions {
  /** The most bytes a file may have; 50 MB unless set. */
  readonly maxSize?: number
  /** The types that are taken, told by content: `["image/*", "application/pdf"]`. Every type unless set. */
  readonly types?: readonly string[]
  /** Whether files that anyone may read may be kept by every cache, unless an upload says otherwise; "public" unless set. */
  readonly visibility?: Visibility
}

const STORED = ["key", "filename", "mimeType", "size", "checksum", "width", "height", "visibility"] as const

/** What is stored about the file of a record. */
export type StoredFileField = (typeof STORED)[number]

export const STORED_FILE_FIELDS: readonly string[] = STORED

/** The fields that the server adds to those of the author. */
export const FILE_FIELDS: readonly string[] = [...STORED, "url"]

/** What an upload sends besides the author's fields. */
export const FORM_PARTS: readonly string[] = ["file", "path"]
