import type { ByteRange } from "./file-store.ts"

/** A folder of files that anyone may read, such as the build of a web app. Its files may change at any time. */
export interface WebFolder {
  /**
   * Finds the file with these path segments. "folder" means that there is a folder instead. Resolves to undefined if
   * there is neither, or if a link leads out of the folder.
   */
  find(segments: readonly string[]): Promise<WebFile | "folder" | undefined>
}

export interface WebFile {
  readonly bytes: number
  readonly modifiedAt: Date
  /** A text that changes whenever the file does, on this machine. */
  readonly version: string
  /** Returns the bytes of the file; undefined if it has been replaced or removed since it was found. */
  readAll(): Promise<Uint8Array<ArrayBuffer> | undefined>
  /**
   * Returns a part of the file; undefined if it has been replaced or removed since it was found. Cancelling the stream
   * closes the file.
   */
  open(range: ByteRange): Promise<ReadableStream<Uint8Array> | undefined>
}
