/** Stores the bytes of files under keys that the framework generates: words and slashes, never input of a caller. */
export interface FileStore {
  /** Begins an upload. Its bytes cannot be opened before they are committed. */
  begin(): Promise<IncomingFile>
  /**
   * The bytes from `start` to `end` (exclusive); undefined if there is no file. Cancelling the stream closes the file.
   */
  open(key: string, range: ByteRange): Promise<ReadableStream<Uint8Array> | undefined>
  /** Resolves even if the file does not exist. */
  remove(key: string): Promise<void>
  /** Removes uncommitted uploads that were last written to before this time; resolves to their number. */
  removeAbandoned(before: Date): Promise<number>
}

export interface IncomingFile {
  /** Resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void>
  /** Stores the bytes as the file under this key. Once it resolves, they survive a crash. */
  commit(key: string): Promise<void>
  /** Discards uncommitted bytes; never fails. */
  discard(): Promise<void>
}

export interface ByteRange {
  readonly start: number
  readonly end: number
}
