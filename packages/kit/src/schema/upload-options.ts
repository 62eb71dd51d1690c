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

/** What no field of the author's may be called in a collection of files. */
export const FILE_FIELDS: readonly string[] = [...STORED, "url"]
