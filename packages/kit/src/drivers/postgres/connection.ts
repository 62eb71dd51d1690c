import pg from "pg"
import type { QueryResult, Statement } from "../../ports/database.ts"
import { cancelStatement } from "./cancel-statement.ts"
import { callerLeft, codeOf, connectFailed, connectionLost, Preempted, statementTooLong, withoutRow } from "./errors.ts"
import type { Loan } from "./pool/borrower.ts"
import { type ColumnCache, PreparedQuery } from "./prepared-query.ts"
import { ResponseByteCounter } from "./response-byte-counter.ts"
import {
  type Backend,
  destroyClient,
  endClient,
  type SessionOptions,
  startSession,
  type Traffic,
  trafficOf,
} from "./session.ts"
import type { StatementShape, StatementShapeCache } from "./statement-shape-cache.ts"
import { toParameters, valueTypes } from "./values.ts"

const MAX_PREPARED_NAMES = 500
const LIVENESS_TIMEOUT_MS = 2_000
// If a statement has not ended this long after it was cancelled, it is abandoned and its connection is closed.
const CANCEL_GRACE_MS = 3_000

// The SQLSTATEs with which a prepared statement fails if its result type has changed ("cached plan must not change
// result type"), or if something else has deallocated it.
const STALE_PLAN_CODES: ReadonlySet<string | undefined> = new Set(["0A000", "26000"])
// Error codes which show that the statement never ran: the server had terminated the session (`admin_shutdown`), or the
// socket no longer accepted data.
const DEAD_BEFORE_USE_CODES: ReadonlySet<string | undefined> = new Set(["57P01", "EPIPE"])

const QUERY_CANCELED = "57014"

export interface ConnectionSettings extends SessionOptions {
  readonly config: pg.ClientConfig
  readonly shapes: StatementShapeCache
  /** The lock timeout for statements that callers run. */
  readonly lockTimeoutMs: number
  readonly onLost: (connection: PostgresConnection) => void
}

export async function openConnection(settings: ConnectionSettings): Promise<PostgresConnection> {
  const client = new pg.Client(settings.config)
  const connection = new PostgresConnection(client, settings)
  try {
    connection.backend = await startSession(client, settings)
    connection.countBytes()
    return connection
  } catch (error) {
    throw connectFailed(error)
  }
}

/**
 * The outcome of a liveness check. A connection on which the server did not reply in time is "silent", and is closed.
 */
type Liveness = "alive" | "lost" | "silent"

/**
 * Why a statement is cancelled: it timed out ("limit"), its client has disconnected ("left"), or other borrowers need
 * the connection ("preempted").
 */
type CancelReason = "limit" | "left" | "preempted"

interface Cancellation {
  readonly reason: CancelReason
  /** Resolves when the server has received the cancel request, or when the connection was closed. */
  readonly over: Promise<void>
}

/** A connection to PostgreSQL, used by one query or one transaction at a time. */
export class PostgresConnection {
  /** The borrower that has checked out this connection, and the purpose. Undefined while it is not checked out. */
  loan: Loan | undefined
  /** The time at which the connection became idle, in milliseconds of `performance.now()`. */
  idleSince = 0
  /** The time at which the last statement of `run` began, in milliseconds of `performance.now()`. */
  runSince = 0
  /** The server process of this connection's session, or undefined if it is unknown. */
  backend: Backend | undefined
  readonly #client: pg.Client
  readonly #settings: ConnectionSettings
  readonly #prepared = new Set<string>()
  readonly #columns: ColumnCache = new WeakMap()
  readonly #byteCounter = new ResponseByteCounter((reason) => this.#refuseResult(reason))
  #loss: Error | undefined
  /** The error with which a statement's callback `checkBytes` refused the rest of the statement's result. */
  #refusal: Error | undefined
  #isKnownAlive = true
  #isUnacknowledged = false
  #mayRetry = false
  #hasRunWatched = false
  #hasOwnStatementTimeout = false
  #awaited = 0
  #answeredCount = 0
  #cancellation: Cancellation | undefined
  #hasIgnoredCancel = false
  #hasCallerLockTimeout = false

  constructor(client: pg.Client, settings: ConnectionSettings) {
    const { onLost } = settings
    this.#client = client
    this.#settings = settings
    const lose = (error: Error) => {
      if (this.#loss) return
      this.#loss = error
      onLost(this)
    }
    client.on("error", lose)
    client.on("end", () => lose(new Error("Connection ended")))
    client.connection.on("bindComplete", () => {
      this.#isUnacknowledged = false
    })
  }

  /** The reason why the connection was lost, or undefined while it is open. */
  get loss(): Error | undefined {
    return this.#loss
  }

  /**
   * False after an error, because the server may be closing the session. Only the server's next reply shows that the
   * session is alive.
   */
  get isKnownAlive(): boolean {
    return this.#isKnownAlive
  }

  get isInTransaction(): boolean {
    return this.#client.getTransactionStatus() !== "I"
  }

  /** True if the session has so many prepared statements that they are not worth the memory they use. */
  get hasTooManyPrepared(): boolean {
    return this.#prepared.size > MAX_PREPARED_NAMES
  }

  /** True if the last statement failed without any effect, and may succeed if it runs again. */
  get mayRetry(): boolean {
    return this.#mayRetry
  }

  /** True while a statement waits for the server's reply. */
  get awaitsAnswer(): boolean {
    return this.#awaited > 0
  }

  /** The number of statements that have ended so far. While it is unchanged, the same statement is running. */
  get answeredCount(): number {
    return this.#answeredCount
  }

  /** The cancellation of the running statement, or undefined if that statement was not cancelled. */
  get cancellation(): Cancellation | undefined {
    return this.#cancellation
  }

  /** True if the connection was closed because a statement did not end after it was cancelled. */
  get hasIgnoredCancel(): boolean {
    return this.#hasIgnoredCancel
  }

  get traffic(): Traffic {
    return trafficOf(this.#client)
  }

  /** True if a statement has set `statement_timeout` for the statements after it, as migrations do. */
  get hasOwnStatementTimeout(): boolean {
    return this.#hasOwnStatementTimeout
  }

  /** Returns true if a watched statement (one whose SQL contains the watched text) has run since the last call. */
  takeWatched(): boolean {
    const hasRun = this.#hasRunWatched
    this.#hasRunWatched = false
    return hasRun
  }

  /** True while the session's lock timeout is the timeout for callers. */
  get hasCallerLockTimeout(): boolean {
    return this.#hasCallerLockTimeout
  }

  /** Checks the connection out to a borrower, and sets the lock timeout that applies to the borrower. */
  beginLoan(loan: Loan): void {
    this.loan = loan
    if (loan.borrower.isLimited !== this.#hasCallerLockTimeout && this.#settings.isSessionExclusive)
      this.#switchLockTimeout()
  }

  /**
   * Cancels the running statement. The connection must not be checked out again before `cancellation.over` resolves.
   */
  cancel(reason: CancelReason): void {
    if (this.#cancellation) return
    const answered = this.#answeredCount
    const over = cancelStatement(this.#client).then((isCertain) => {
      if (!isCertain) this.#closeAfterIgnoredCancel()
      else if (this.#answeredCount === answered) this.#closeIfCancelIgnored(answered)
    })
    this.#cancellation = { reason, over }
  }

  /** Marks the connection as no longer checked out, and resets the state that belonged to the borrower. */
  endLoan(): void {
    this.loan = undefined
    this.#cancellation = undefined
    this.#hasOwnStatementTimeout = false
  }

  run(statement: Statement, shape: StatementShape): Promise<QueryResult> {
    if (shape.isWatched) this.#hasRunWatched = true
    if (shape.setsStatementTimeout) this.#hasOwnStatementTimeout = true
    if (shape.name) this.#prepared.add(shape.name)
    this.#isUnacknowledged = shape.queryMode === "extended"
    this.#byteCounter.begin(statement.checkBytes)
    this.#awaited++
    this.runSince = performance.now()
    const answer = shape.name ? this.#runNamed(shape, statement) : this.#runOnce(shape, statement)
    return answer.then(this.#accept, (error) => this.#failStatement(shape, error))
  }

  #runNamed(shape: StatementShape, { values }: Statement): Promise<QueryResult> {
    return new Promise((resolve, reject) => {
      const settle = (error: Error | null, result: QueryResult) => (error ? reject(error) : resolve(result))
      this.#client.query(new PreparedQuery({ shape, values, types: valueTypes, columnCache: this.#columns }, settle))
    })
  }

  async #runOnce(shape: StatementShape, { values }: Statement): Promise<QueryResult> {
    // Passes the shape as a prototype: `pg` would copy the own properties of a query config one by one, which is slow,
    // but it reads inherited properties in place.
    const answer = await this.#client.query<unknown[], unknown[]>(Object.create(shape), toParameters(values))
    const { rows, rowCount, fields } = lastResult(answer)
    return { rows, rowCount: rowCount ?? 0, columns: fields.map(({ name }) => name) }
  }

  /** Runs a statement without parameters or rows. Resolves to the last command tag, such as `COMMIT`. */
  async command(text: string): Promise<string> {
    this.#awaited++
    const answer = this.#client.query(text).then(this.#accept, this.#fail)
    return lastResult(await answer).command
  }

  countBytes(): void {
    this.#byteCounter.attach(this.#client)
  }

  // Closes the connection, because the rest of a result was refused. Sets `#loss` before the socket reports that it is
  // closed, so that the pool does not check out this connection again.
  #refuseResult(refusal: Error): void {
    this.#refusal = refusal
    this.#loss ??= refusal
    this.destroy()
  }

  begin(): Promise<string> {
    const { isSessionExclusive, lockTimeoutMs } = this.#settings
    const isLimited = this.loan?.borrower.isLimited ?? false
    return this.command(isSessionExclusive || !isLimited ? "begin" : `begin; set local lock_timeout = ${lockTimeoutMs}`)
  }

  /** Checks that the server replies to an empty statement. */
  async checkLiveness(): Promise<Liveness> {
    let isSilent = false
    const timer = setTimeout(() => {
      isSilent = true
      this.destroy()
    }, LIVENESS_TIMEOUT_MS)
    try {
      await this.command("")
      return "alive"
    } catch {
      return isSilent ? "silent" : "lost"
    } finally {
      clearTimeout(timer)
    }
  }

  /** Terminates the session. Resolves when the socket is closed. */
  close(): Promise<void> {
    return endClient(this.#client)
  }

  /** Closes the socket immediately. Statements that wait for the server's reply fail. */
  destroy(reason?: Error): void {
    destroyClient(this.#client, reason)
  }

  readonly #accept = <Answer>(answer: Answer): Answer => {
    this.#endStatement(true)
    return answer
  }

  readonly #fail = (error: unknown): never => {
    this.#endStatement(false)
    // Replaces the error's stack, which ends in the socket handler, with a stack that shows which code ran the
    // statement.
    if (error instanceof pg.DatabaseError) Error.captureStackTrace(error)
    throw this.#toCallerError(error)
  }

  #failStatement(shape: StatementShape, error: unknown): never {
    this.#mayRetry = this.#canRetry(shape, error)
    return this.#fail(error)
  }

  #endStatement(isKnownAlive: boolean): void {
    this.#isKnownAlive = isKnownAlive
    this.#awaited--
    this.#answeredCount++
  }

  #toCallerError(error: unknown): unknown {
    if (this.#refusal) return this.#refusal
    const isLost = this.#loss !== undefined && !(error instanceof pg.DatabaseError)
    const seen = isLost ? connectionLost(this.#loss) : withoutRow(error)
    const isCancelled = isLost || codeOf(error) === QUERY_CANCELED
    return this.#cancellation && isCancelled ? cancelled(this.#cancellation.reason, seen) : seen
  }

  // Switches between the lock timeout for callers and the server's default, which system code uses. The command is not
  // awaited, so it is pipelined with the first statement.
  #switchLockTimeout(): void {
    this.#hasCallerLockTimeout = !this.#hasCallerLockTimeout
    const { lockTimeoutMs } = this.#settings
    const text = this.#hasCallerLockTimeout ? `set lock_timeout = ${lockTimeoutMs}` : "reset lock_timeout"
    this.command(text).catch(() => this.destroy())
  }

  #closeIfCancelIgnored(answered: number): void {
    const giveUp = () => this.#answeredCount === answered && this.#closeAfterIgnoredCancel()
    setTimeout(giveUp, CANCEL_GRACE_MS).unref()
  }

  #closeAfterIgnoredCancel(): void {
    this.#hasIgnoredCancel = true
    this.destroy(new Error("Timeout: a cancelled statement did not end."))
  }

  #canRetry(shape: StatementShape, error: unknown): boolean {
    const isStale = shape.name !== undefined && STALE_PLAN_CODES.has(codeOf(error))
    if (isStale) this.#settings.shapes.rename(shape)
    const wasDead = DEAD_BEFORE_USE_CODES.has(codeOf(error)) || DEAD_BEFORE_USE_CODES.has(codeOf(this.#loss))
    return isStale || (this.#isUnacknowledged && wasDead)
  }
}

function cancelled(reason: CancelReason, cause: unknown): Error {
  if (reason === "left") return callerLeft()
  return reason === "limit" ? statementTooLong(cause) : new Preempted(cause)
}

/** Returns the last result. If a text contains several statements, `pg` returns one result for each of them. */
export function lastResult<Result>(results: Result | Result[]): Result {
  const last = Array.isArray(results) ? results.at(-1) : results
  if (!last) throw new Error("PostgreSQL returned no result.")
  return last
}
