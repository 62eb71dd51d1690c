/**
 * Stores files under keys that the framework generates. A key consists of words and slashes, and never contains caller
 * input.
 */
export interface FileStore {
  /** Begins an upload. The uploaded bytes cannot be opened until they are committed. */
  begin(): Promise<IncomingFile>
  /**
   * Returns the file's bytes from `start` to `end` (exclusive), or undefined if the file does not exist. Cancelling the
   * stream closes the file.
   */
  open(key: string, range: ByteRange): Promise<ReadableStream<Uint8Array> | undefined>
  /** Removes the file. Resolves even if the file does not exist. */
  remove(key: string): Promise<void>
  /** Lists the committed files, in the order of their keys. */
  list(): Promise<readonly StoredFile[]>
  /**
   * Removes uncommitted uploads that were last written to before this time. Resolves to the number of removed uploads.
   */
  removeAbandoned(before: Date): Promise<number>
}

export interface IncomingFile {
  /** Writes bytes to the upload. Resolves when the store can accept more bytes. */
  write(bytes: Uint8Array): Promise<void>
  /** Stores the uploaded bytes as the file under this key. Once the call has resolved, the file survives a crash. */
  commit(key: string): Promise<void>
  /** Discards the uploaded bytes that are not committed. Never rejects. */
  discard(): Promise<void>
}

export interface StoredFile {
  readonly key: string
  readonly bytes: number
}

export interface ByteRange {
  readonly start: number
  readonly end: number
}
