import type {
  Caller,
  CallerConnection,
  Connection,
  Database,
  QueryResult,
  Statement,
  TablesRead,
} from "../../ports/database.ts"
import type { PostgresConnection } from "./connection.ts"
import { Preempted, toError, wasCancelled } from "./errors.ts"
import { type Borrower, type Loan, type Purpose, SYSTEM } from "./pool/borrower.ts"
import { PostgresPool } from "./pool/pool.ts"
import { type StatementShape, StatementShapeCache } from "./statement-shape-cache.ts"
import { type CommitCallback, runTransaction, type Work } from "./transaction.ts"
import { valueTypes } from "./values.ts"

export interface PostgresOptions {
  readonly url: string
  /** The largest number of connections in the pool. 10 unless set. */
  readonly maxConnections?: number
  /**
   * How many requests may wait while every connection is busy. Any further request fails with `POOL_BUSY`. 500 unless
   * set.
   */
  readonly maxQueue?: number
  /** How long a request waits for a connection before the request fails with `POOL_BUSY`. 5 s unless set. */
  readonly acquireTimeoutMs?: number
  /** The time limit for connecting to PostgreSQL. 5 s unless set. */
  readonly connectTimeoutMs?: number
  /** The time after which the server cancels any statement. 30 s unless set. */
  readonly statementTimeoutMs?: number
  /** The time after which the pool cancels a caller's statement. 10 s unless set. */
  readonly callerStatementMs?: number
  /** The lock timeout for statements that callers run. 3 s unless set. */
  readonly callerLockMs?: number
  /** The fraction of the connections that one caller may hold while other borrowers wait. 0.5 unless set. */
  readonly callerShare?: number
  /** The interval at which `PostgresWatchdog` checks statements that wait for the server's reply. 1 s unless set. */
  readonly watchdogTickMs?: number
  /** The time after which the pool closes an idle connection. 30 s unless set. */
  readonly idleTimeoutMs?: number
  /** True if statements are prepared, which is the default. Set it to false behind a pooler in transaction mode. */
  readonly preparedStatements?: boolean
  /** Called with errors that no caller can receive, e.g. if an idle connection was lost or a commit callback threw. */
  readonly onError?: (error: Error) => void
  /**
   * The callback `watch.onCommit` runs at the end of each transaction, or single statement, that appends changes. SQL
   * of the author counts as such if it contains the string `watch.authorText`.
   */
  readonly watch?: Watch | undefined
  /** Called after each read outside of a transaction that took the server longer than `afterMs`, or was cancelled after it. */
  readonly slowReads?: SlowReadOptions | undefined
}

interface Watch {
  readonly authorText: string
  onCommit(): void
}

interface SlowReadOptions {
  readonly afterMs: number
  onSlow(tables: TablesRead, tookMs: number): void
}

const DEFAULTS = {
  maxConnections: 10,
  maxQueue: 500,
  acquireTimeoutMs: 5_000,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 30_000,
  callerStatementMs: 10_000,
  callerLockMs: 3_000,
  callerShare: 0.5,
  watchdogTickMs: 1_000,
  idleTimeoutMs: 30_000,
  preparedStatements: true,
  onError: () => {},
  watch: undefined,
  slowReads: undefined,
} as const satisfies Omit<Required<PostgresOptions>, "url">

// The date parsers in values.ts expect the format that these session options produce.
const REQUIRED_SESSION_OPTIONS = "-c TimeZone=UTC -c DateStyle=ISO"
// Without parallel workers a statement uses one processor, so a limit on a caller's connections also limits the
// caller's share of the machine. An operator can set another number of workers in the database URL.
const DEFAULT_SESSION_OPTIONS = "-c max_parallel_workers_per_gather=0"
// The idle time before TCP keep-alive probes begin. Ten probes follow, one second apart, so a server that has vanished
// is noticed within 15 seconds.
const KEEP_ALIVE_MS = 5_000

/** Returns a database that connects when the first statement runs. */
export function openPostgres(options: PostgresOptions): Database {
  return new PostgresDatabase({ ...DEFAULTS, ...options })
}

// A read that was cancelled in favour of other borrowers is run again at most this many times.
const MAX_SLOW_RUNS = 3

/** A statement that runs outside of a transaction. */
interface StatementCall {
  readonly borrower: Borrower
  readonly statement: Statement
  readonly shape: StatementShape
}

class PostgresDatabase implements Database {
  readonly #pool: PostgresPool
  readonly #shapes: StatementShapeCache
  readonly #nestedTimeoutMs: number
  readonly #onError: (error: Error) => void
  readonly #watch: Watch | undefined
  readonly #slowReads: SlowReadOptions | undefined

  constructor(options: Required<PostgresOptions>) {
    this.#shapes = new StatementShapeCache({ ...options, watchedText: options.watch?.authorText })
    this.#pool = createPool(options, this.#shapes)
    this.#nestedTimeoutMs = options.statementTimeoutMs || DEFAULTS.statementTimeoutMs
    this.#onError = options.onError
    this.#watch = options.watch
    this.#slowReads = options.slowReads
  }

  query(statement: Statement): Promise<QueryResult> {
    return this.queryFor(SYSTEM, statement)
  }

  transaction<Result>(work: Work<Result>): Promise<Result> {
    return this.transactionFor(SYSTEM, work)
  }

  forCaller(caller: Caller): CallerConnection {
    return new RequestConnection(this, caller)
  }

  queryFor(borrower: Borrower, statement: Statement): Promise<QueryResult> {
    const shape = this.#shapes.shapeOf(statement)
    const purpose = purposeOf(statement, shape)
    if (purpose !== "read") borrower.onWrite()
    const call: StatementCall = { borrower, statement, shape }
    const connection = this.#pool.acquire(loanFor(borrower, statement, purpose))
    return connection instanceof Promise
      ? connection.then((acquired) => this.#runOn(acquired, call))
      : this.#runOn(connection, call)
  }

  async #runOn(connection: PostgresConnection, { borrower, statement, shape }: StatementCall): Promise<QueryResult> {
    try {
      const result = await connection.run(statement, shape)
      this.#noteTime(connection, statement)
      return result
    } catch (error) {
      if (wasCancelled(error)) this.#noteTime(connection, statement)
      if (error instanceof Preempted) return this.#retrySlow(borrower, statement)
      if (!connection.mayRetry) throw error
    } finally {
      this.#release(connection)
    }
    return this.#retry(borrower, statement)
  }

  async transactionFor<Result>(borrower: Borrower, work: Work<Result>): Promise<Result> {
    borrower.onWrite()
    const { result, callbacks } = await this.#commit(borrower, work)
    for (const listener of callbacks) this.#runCallback(listener)
    return result
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  async #retry(borrower: Borrower, statement: Statement): Promise<QueryResult> {
    const shape = this.#shapes.shapeOf(statement)
    const purpose = purposeOf(statement, shape)
    const connection = await this.#pool.acquire(loanFor(borrower, statement, purpose))
    try {
      return await connection.run(statement, shape)
    } finally {
      this.#release(connection)
    }
  }

  async #retrySlow(borrower: Borrower, statement: Statement, runs = 1): Promise<QueryResult> {
    const connection = await this.#pool.acquire({ ...loanFor(borrower, statement, "read"), isSlow: true })
    try {
      const result = await connection.run(statement, this.#shapes.shapeOf(statement))
      this.#noteTime(connection, statement)
      return result
    } catch (error) {
      if (wasCancelled(error)) this.#noteTime(connection, statement)
      if (error instanceof Preempted && runs < MAX_SLOW_RUNS) return this.#retrySlow(borrower, statement, runs + 1)
      throw error
    } finally {
      this.#release(connection)
    }
  }

  async #commit<Result>(borrower: Borrower, work: Work<Result>) {
    const loan: Loan = { borrower, purpose: "write", text: undefined, isSlow: false, callerMs: undefined }
    const connection = await this.#pool.acquire(loan)
    try {
      return await runTransaction({ connection, shapes: this.#shapes, nestedTimeoutMs: this.#nestedTimeoutMs }, work)
    } finally {
      this.#release(connection)
    }
  }

  #noteTime({ runSince }: PostgresConnection, { tablesRead }: Statement): void {
    if (this.#slowReads === undefined || tablesRead === undefined) return
    const tookMs = performance.now() - runSince
    if (tookMs > this.#slowReads.afterMs) this.#slowReads.onSlow(tablesRead(), tookMs)
  }

  // Puts a connection back into the pool, and calls `watch.onCommit` if needed. This also happens after a failure: a
  // failed statement may have committed, and a needless notification costs little.
  #release(connection: PostgresConnection): void {
    const isAwaited = connection.takeWatched()
    this.#pool.release(connection)
    if (isAwaited && this.#watch) this.#runCallback(this.#watch.onCommit)
  }

  // Runs a callback and reports its error. The callback's type also admits async functions, so a rejected promise is
  // handled as well.
  #runCallback(listener: CommitCallback): void {
    try {
      const outcome: unknown = listener()
      if (outcome instanceof Promise) outcome.catch((error) => this.#onError(toError(error)))
    } catch (error) {
      this.#onError(toError(error))
    }
  }
}

/**
 * Runs the statements of one request for the request's caller. A new object is created for each request, so it is
 * small.
 */
class RequestConnection implements CallerConnection, Borrower {
  readonly isLimited = true
  readonly #database: PostgresDatabase
  readonly #caller: Caller
  #hasWritten = false

  constructor(database: PostgresDatabase, caller: Caller) {
    this.#database = database
    this.#caller = caller
  }

  get key(): string {
    return this.#caller.key
  }

  // True if the client has disconnected and the request has not begun to write. A request that has begun to write runs
  // to its end, because the author's code may have more to write.
  get hasLeft(): boolean {
    return !this.#hasWritten && this.#caller.hasLeft
  }

  get withoutLimits(): Connection {
    const borrower = new UnlimitedBorrower(this)
    return {
      query: (statement) => this.#database.queryFor(borrower, statement),
      transaction: (work) => this.#database.transactionFor(borrower, work),
    }
  }

  query(statement: Statement): Promise<QueryResult> {
    return this.#database.queryFor(this, statement)
  }

  onWrite(): void {
    this.#hasWritten = true
  }

  transaction<Result>(work: Work<Result>): Promise<Result> {
    return this.#database.transactionFor(this, work)
  }
}

/** The borrower for system code within a request. Its connections count towards the caller's share. */
class UnlimitedBorrower implements Borrower {
  readonly isLimited = false
  readonly #caller: Borrower

  constructor(caller: Borrower) {
    this.#caller = caller
  }

  get key(): string | undefined {
    return this.#caller.key
  }

  get hasLeft(): boolean {
    return this.#caller.hasLeft
  }

  onWrite(): void {
    this.#caller.onWrite()
  }
}

function purposeOf({ isWrittenByAuthor }: Statement, { isRead }: StatementShape): Purpose {
  if (!isRead) return "write"
  return isWrittenByAuthor ? "authored read" : "read"
}

function loanFor(borrower: Borrower, { text, callerMs }: Statement, purpose: Purpose): Loan {
  return { borrower, purpose, text, isSlow: false, callerMs }
}

function createPool(options: Required<PostgresOptions>, shapes: StatementShapeCache): PostgresPool {
  const config = {
    connectionString: withSessionOptions(options.url),
    statement_timeout: options.statementTimeoutMs,
    fallback_application_name: "kit",
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    pipeline: true,
    types: valueTypes,
  }
  const { connectTimeoutMs, preparedStatements, callerLockMs } = options
  const isSessionExclusive = preparedStatements
  return new PostgresPool({
    ...options,
    connection: { config, shapes, connectTimeoutMs, isSessionExclusive, lockTimeoutMs: callerLockMs },
  })
}

// Adds the framework's session options to the URL, because in `pg` the URL overrides the client settings. If an option
// is set several times, the last value takes effect.
function withSessionOptions(url: string): string {
  const [address, query] = url.split("?", 2)
  const parameters = new URLSearchParams(query)
  const given = parameters.get("options") ?? ""
  parameters.set("options", `${DEFAULT_SESSION_OPTIONS} ${given} ${REQUIRED_SESSION_OPTIONS}`)
  return `${address}?${parameters}`
}
