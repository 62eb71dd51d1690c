/** The options of an upload. */
export interface UploadOptions<Data> {
  /** Called with a percentage from 0 to 100; only once, at the end, if the progress cannot be measured. */
  readonly onProgress?: ((percent: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
  /** The folder of the file: "team/photos". */
  readonly path?: string | undefined
  /** The fields of its record. */
  readonly data?: Data | undefined
}

/** The options of an upload of several files. `onProgress` gets the overall percentage and the index of the file. */
export interface UploadManyOptions<Data> extends Omit<UploadOptions<Data>, "onProgress"> {
  readonly onProgress?: ((overall: number, fileIndex: number) => void) | undefined
}

/** The operations that a client has only for collections of files. */
export interface FileUploads<Record, Data> {
  /** Sends a file; its record arrives as plain JSON, with dates as text. */
  upload(file: Blob, options?: UploadOptions<Data>): Promise<AsJson<Record>>
  /** Sends one file after another, and stops at the first failure. */
  uploadMany(files: Iterable<Blob>, options?: UploadManyOptions<Data>): Promise<AsJson<Record>[]>
}

/** The type of a value after it was sent as plain JSON. */
export type AsJson<Value> = Value extends Date | bigint
  ? string
  : Value extends object
    ? { [Name in keyof Value]: AsJson<Value[Name]> }
    : Value
