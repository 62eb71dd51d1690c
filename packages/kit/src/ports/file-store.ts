/** Keeps the bytes of files under keys that the framework makes: words and slashes, never what a caller wrote. */
export interface FileStore {
  /** A place for bytes that are no file yet; nobody finds them before they are committed. */
  begin(): Promise<IncomingFile>
  /** The bytes from `start` up to and without `end`, or undefined where there is no such file. Cancelling it frees the file. */
  open(key: string, range: ByteRange): Promise<ReadableStream<Uint8Array> | undefined>
  /** Resolves where there is no such file, too. */
  remove(key: string): Promise<void>
  /** Removes what was begun and not written to since then; resolves to the number of them. */
  removeAbandoned(before: Date): Promise<number>
}

export interface IncomingFile {
  /** Resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void>
  /** Makes the bytes the file of this key. Once it resolves they survive a crash. */
  commit(key: string): Promise<void>
  /** Forgets bytes that are not committed; never fails. */
  discard(): Promise<void>
}

export interface ByteRange {
  readonly start: number
  readonly end: number
}
