import type { CallOptions } from "../options/call-options.ts"

/** The options of a file upload. */
export interface UploadOptions<Data> extends Pick<CallOptions, "headers"> {
  /** Called with a percentage from 0 to 100. If the progress cannot be measured, it is called only once, at the end. */
  readonly onProgress?: ((percent: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
  /** The path of the folder in which the file is stored, such as "team/photos". */
  readonly path?: string | undefined
  /** The field values of the file's record. */
  readonly data?: Data | undefined
}

/**
 * The options of an upload of several files. `onProgress` gets the overall percentage and the index of the current
 * file.
 */
export interface UploadManyOptions<Data> extends Omit<UploadOptions<Data>, "onProgress"> {
  readonly onProgress?: ((overall: number, fileIndex: number) => void) | undefined
}

/** The operations that a client has only on file collections. */
export interface FileUploads<Record, Data> {
  /** Uploads a file and returns its record as plain JSON, with dates as text. */
  upload(file: Blob, options?: UploadOptions<Data>): Promise<AsJson<Record>>
  /** Uploads files one after another, and stops at the first failure. */
  uploadMany(files: Iterable<Blob>, options?: UploadManyOptions<Data>): Promise<AsJson<Record>[]>
}

/** The type of a value after it was sent as plain JSON: dates and BigInts become strings. */
export type AsJson<Value> = Value extends Date | bigint
  ? string
  : Value extends object
    ? { [Name in keyof Value]: AsJson<Value[Name]> }
    : Value
