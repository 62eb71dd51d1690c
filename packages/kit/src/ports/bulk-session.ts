import type { QueryResult, Statement } from "./database.ts"

/** A dedicated database session, for long-running statements and for copying whole tables in or out. */
export interface BulkSession {
  /**
   * Runs the statement without a time limit. If it has no parameters, its text may consist of several SQL statements.
   * The result of the last one is then returned.
   */
  query(statement: Statement): Promise<QueryResult>
  /**
   * Runs a `copy … to stdout` statement and yields its output, with backpressure. If the reader stops early, the
   * session ends.
   */
  copyOut(text: string): AsyncIterable<Uint8Array>
  /**
   * Runs a `copy … from stdin` statement with these byte chunks as its input. Resolves to the number of copied rows.
   */
  copyIn(text: string, pieces: AsyncIterable<Uint8Array>): Promise<number>
  /** Closes the session and rolls back everything that it has not committed. Never rejects. */
  close(): Promise<void>
}
