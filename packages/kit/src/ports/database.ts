/** One SQL text with its parameters. Equal texts may share a prepared statement. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /**
   * Called while the result comes in, with the number of bytes received so far. If it returns an error, the statement
   * fails with that error; the rest of the result is not received, and the connection and its transaction end.
   */
  checkBytes?(bytes: number): Error | undefined
  /** The author of the app wrote the statement: functions that it calls may write, even if it looks like a read. */
  readonly isWrittenByAuthor?: boolean
}

/** A row as the driver returns it: values in the order of the select list. */
export type RowValues = readonly unknown[]

export interface QueryResult {
  readonly rows: readonly RowValues[]
  /** Rows written by an insert, update or delete; rows returned by a select. */
  readonly rowCount: number
  /** The names of the columns, in the order of the values. */
  readonly columns: readonly string[]
}

/** Something a statement can run on: the pool, or the connection of an open transaction. */
export interface Connection {
  query(statement: Statement): Promise<QueryResult>
  /**
   * Runs `work` in a transaction and commits when it resolves; a throw rolls everything back.
   * On an open transaction this is a savepoint, so an inner failure can be caught without losing the outer work.
   */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
}

export interface Transaction extends Connection {
  /** Runs `listener` once the outermost transaction has committed; never if this one rolls back. */
  afterCommit(callback: () => void): void
  /** Runs `listener` once this transaction is over, committed or rolled back. */
  onEnd(callback: () => void): void
}

/** A user or address outside of the app for which statements run. */
export interface Caller {
  /** Equal for all requests of one signed-in user, or of one address without a signed-in user. */
  readonly key: string
  /** True if the caller no longer waits for the answer; always false for a request that is meant to write. */
  readonly hasLeft: boolean
}

/** The connection of a request. */
export interface CallerConnection extends Connection {
  /** For system code within the request: has the limits of the system, but its connections count for the caller. */
  readonly withoutLimits: Connection
}

export interface Database extends Connection {
  /**
   * Returns the database for the statements of a caller. These have shorter statement and lock timeouts than system
   * code; callers share the connections, and reads are cancelled when the caller has left.
   */
  forCaller(caller: Caller): CallerConnection
  /** Resolves when every connection has been released and closed. */
  close(): Promise<void>
}

/**
 * The error that a driver throws. `code` is the SQLSTATE of the server, or one of ours: `POOL_BUSY` (the queue for
 * connections is full or the wait timed out), `POOL_CLOSED` (the database was closed), `CALLER_LEFT` (the caller no
 * longer waits for the answer).
 */
export interface DatabaseError extends Error {
  readonly code: string
  readonly constraint?: string | undefined
  readonly table?: string | undefined
  readonly column?: string | undefined
  readonly detail?: string | undefined
}
