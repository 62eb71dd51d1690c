import type { QueryResult, Statement } from "./database.ts"

/** A dedicated database session, for long-running statements and for copying whole tables in or out. */
export interface BulkSession {
  /**
   * Runs the statement without a time limit. A text without parameters may hold several SQL statements; their last
   * result is returned.
   */
  query(statement: Statement): Promise<QueryResult>
  /** Yields the output of a `copy … to stdout`, with backpressure. If the reader stops early, the session ends. */
  copyOut(text: string): AsyncIterable<Uint8Array>
  /** Feeds these byte chunks to a `copy … from stdin`. Resolves to the number of copied rows. */
  copyIn(text: string, pieces: AsyncIterable<Uint8Array>): Promise<number>
  /** Closes the session and rolls back everything that it has not committed. Never rejects. */
  close(): Promise<void>
}
