/** One SQL text with its parameters. Statements with equal texts may share a prepared statement. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /**
   * Called with the number of bytes received so far, while the result comes in. If it returns an error, the statement
   * fails with that error. The rest of the result is not received, and the connection and its transaction end.
   */
  checkBytes?(bytes: number): Error | undefined
  /** True if the app's author wrote the statement. It may call functions that write, even if it looks like a read. */
  readonly isWrittenByAuthor?: boolean
  /** True if the statement appends rows to the table of changes. Statements with equal texts agree about this. */
  readonly appendsChanges?: boolean
  /**
   * The time after which the statement is cancelled if it runs for a caller, in milliseconds. It has an effect only
   * outside of a transaction, and only if it is shorter than the time limit of all statements of callers.
   */
  readonly callerMs?: number | undefined
  /**
   * Returns the tables that the statement reads. It is absent if only the text shows them, as in SQL that the author
   * wrote.
   */
  tablesRead?(): TablesRead
}

/** The tables that a statement reads. */
export interface TablesRead {
  readonly tables: ReadonlySet<string>
  /** The parts of the statement that the app's author wrote. They may read further tables. */
  readonly authorSql: ReadonlySet<string>
  /** Returns the fields by which the statement finds rows, for each table that it searches. */
  shapes(): readonly ReadShape[]
}

/** The fields by which a read finds and orders the rows of a table. It holds no values, so that it can be kept. */
export interface ReadShape {
  readonly resource: string
  /** The fields that are compared with single values. */
  readonly equal: readonly string[]
  /** The fields that are compared with the ends of a range. */
  readonly ranges: readonly string[]
  /** The fields in whose texts the read looks for a part. */
  readonly contained: readonly string[]
  readonly order: readonly string[]
}

/** A row as the driver returns it, with its values in the order of the select list. */
export type RowValues = readonly unknown[]

export interface QueryResult {
  readonly rows: readonly RowValues[]
  /** The number of rows that an insert, update or delete wrote, or that a select returned. */
  readonly rowCount: number
  /** The column names, in the order of each row's values. */
  readonly columns: readonly string[]
}

/** Runs statements, either on the pool or on the connection of an open transaction. */
export interface Connection {
  query(statement: Statement): Promise<QueryResult>
  /**
   * Runs `work` in a transaction, and commits when `work` resolves. An error thrown by `work` rolls everything back.
   * Inside an open transaction this is a savepoint, so an inner failure can be caught without losing the outer work.
   */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
}

export interface Transaction extends Connection {
  /** Runs `callback` once the outermost transaction has committed, and never if this transaction rolls back. */
  afterCommit(callback: () => void): void
  /** Runs `callback` once this transaction has been committed or rolled back. */
  onEnd(callback: () => void): void
}

/** Someone outside the app for whom statements run: a signed-in user or, if nobody is signed in, an IP address. */
export interface Caller {
  /** Equal for all requests from one signed-in user, or from one IP address without a signed-in user. */
  readonly key: string
  /** True if the caller no longer waits for the response. Always false for a request that is meant to write. */
  readonly hasLeft: boolean
}

/** The database connection for the statements of one request. */
export interface CallerConnection extends Connection {
  /**
   * The connection for system code within the request. It has the longer timeouts of system code instead of a caller's,
   * but its use of the pool counts towards the caller's share.
   */
  readonly withoutLimits: Connection
}

export interface Database extends Connection {
  /**
   * Returns the database connection for a caller's statements. They have shorter statement and lock timeouts than
   * system code. All callers share the pool, and a caller's reads are cancelled when the caller has left.
   */
  forCaller(caller: Caller): CallerConnection
  /** Closes the database. Resolves when every connection has been released and closed. */
  close(): Promise<void>
}

/**
 * The error that a database driver throws. `code` is the server's SQLSTATE, or a code of the framework: `POOL_BUSY`
 * (the queue for connections is full or the wait timed out), `POOL_CLOSED` (the database was closed), `CALLER_LEFT`
 * (the caller no longer waits for the response).
 */
export interface DatabaseError extends Error {
  readonly code: string
  readonly constraint?: string | undefined
  readonly table?: string | undefined
  readonly column?: string | undefined
  readonly detail?: string | undefined
}
