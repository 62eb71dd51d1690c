import type { QueryResult, Statement } from "./database.ts"

/** A dedicated session on a server, for long-running statements and for copying whole tables in or out. */
export interface BulkSession {
  /** Runs without a time limit. A text without parameters may hold several statements; returns the last result. */
  query(statement: Statement): Promise<QueryResult>
  /** Yields the output of a `copy … to stdout`, with backpressure. A reader that stops early ends the session. */
  copyOut(text: string): AsyncIterable<Uint8Array>
  /** Feeds the pieces to a `copy … from stdin`; resolves to the number of rows. */
  copyIn(text: string, pieces: AsyncIterable<Uint8Array>): Promise<number>
  /** Never fails. Rolls back everything that the session has not committed. */
  close(): Promise<void>
}
