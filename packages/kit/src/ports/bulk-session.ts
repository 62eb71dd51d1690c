import type { QueryResult, Statement } from "./database.ts"

/** A session of its own on a server, for work that takes long and for whole tables, in and out. */
export interface BulkSession {
  /** However long it takes. A text without parameters may hold several statements; the last one answers. */
  query(statement: Statement): Promise<QueryResult>
  /** What a `copy … to stdout` gives, in pieces, and no faster than they are taken. Who stops early ends the session. */
  copyOut(text: string): AsyncIterable<Uint8Array>
  /** Feeds these pieces to a `copy … from stdin`; resolves to the number of rows. */
  copyIn(text: string, pieces: AsyncIterable<Uint8Array>): Promise<number>
  /** Never fails: what the session has not committed is rolled back. */
  close(): Promise<void>
}
