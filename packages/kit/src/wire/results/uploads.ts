/** What an upload takes besides the file. */
export interface UploadOptions<Data> {
  /** Called with a percentage from 0 to 100; once, at the end, where nobody can tell how far it is. */
  readonly onProgress?: ((percent: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
  /** The folder to keep it in: "team/photos". */
  readonly path?: string | undefined
  /** The fields of its record. */
  readonly data?: Data | undefined
}

/** As for one file, with how far all of them are together and which one is being sent. */
export interface UploadManyOptions<Data> extends Omit<UploadOptions<Data>, "onProgress"> {
  readonly onProgress?: ((overall: number, fileIndex: number) => void) | undefined
}

/** What a client of a collection of files has besides the operations of all collections. */
export interface FileUploads<Record, Data> {
  /** Sends a file; its record arrives as plain JSON, with dates as text. */
  upload(file: Blob, options?: UploadOptions<Data>): Promise<AsJson<Record>>
  /** Sends one file after another; the first failure ends it. */
  uploadMany(files: Iterable<Blob>, options?: UploadManyOptions<Data>): Promise<AsJson<Record>[]>
}

/** What is left of a value in plain JSON. */
export type AsJson<Value> = Value extends Date | bigint
  ? string
  : Value extends object
    ? { [Name in keyof Value]: AsJson<Value[Name]> }
    : Value
