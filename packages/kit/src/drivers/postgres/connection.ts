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
// A statement that has not ended this long after its cancellation is abandoned, and its connection is closed.
const CANCEL_GRACE_MS = 3_000

// A changed result type ("cached plan must not change result type"), or a prepared statement that others deallocated.
const STALE_PLAN_CODES: ReadonlySet<string | undefined> = new Set(["0A000", "26000"])
// The server terminated the session (`admin_shutdown`), or the socket no longer accepted the statement.
const DEAD_BEFORE_USE_CODES: ReadonlySet<string | undefined> = new Set(["57P01", "EPIPE"])

const QUERY_CANCELED = "57014"

export interface ConnectionSettings extends SessionOptions {
  readonly config: pg.ClientConfig
  readonly shapes: StatementShapeCache
  /** The lock timeout for statements of callers. */
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

/** The outcome of a liveness check. A connection that did not answer in time is "silent", and is closed. */
export type Liveness = "alive" | "lost" | "silent"

/** Why a statement is cancelled: it timed out, its client has disconnected, or others need the connection. */
export type CancelReason = "limit" | "left" | "preempted"

interface Cancellation {
  readonly reason: CancelReason
  /** Resolves when the server has received the cancel request, or the connection was closed. */
  readonly over: Promise<void>
}

/** A connection to the server, used by one query or one transaction at a time. */
export class PostgresConnection {
  /** The current loan; undefined while the connection is not lent. */
  loan: Loan | undefined
  /** The time at which the connection became idle, in milliseconds of `performance.now()`. */
  idleSince = 0
  /** The server process of the session, if known. */
  backend: Backend | undefined
  readonly #client: pg.Client
  readonly #settings: ConnectionSettings
  readonly #prepared = new Set<string>()
  readonly #columns: ColumnCache = new WeakMap()
  readonly #byteCounter = new ResponseByteCounter((reason) => this.#refuseResult(reason))
  #loss: Error | undefined
  /** The error with which `checkBytes` of a statement refused the rest of its result. */
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

  /** The reason why the connection was lost; undefined while it is open. */
  get loss(): Error | undefined {
    return this.#loss
  }

  /** False after an error: the server may be closing the session, which only the next answer shows. */
  get isKnownAlive(): boolean {
    return this.#isKnownAlive
  }

  get isInTransaction(): boolean {
    return this.#client.getTransactionStatus() !== "I"
  }

  /** True if the session has so many prepared statements that their memory is not worth it. */
  get hasTooManyPrepared(): boolean {
    return this.#prepared.size > MAX_PREPARED_NAMES
  }

  /** True if the last statement failed without any effect, and may succeed when it runs again. */
  get mayRetry(): boolean {
    return this.#mayRetry
  }

  /** True while a statement waits for the answer of the server. */
  get awaitsAnswer(): boolean {
    return this.#awaited > 0
  }

  /** The number of statements answered so far, which distinguishes one statement from the next. */
  get answeredCount(): number {
    return this.#answeredCount
  }

  /** The cancellation of the running statement; undefined if it was not cancelled. */
  get cancellation(): Cancellation | undefined {
    return this.#cancellation
  }

  /** True if the connection was closed because a cancelled statement did not end. */
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

  /** Returns true if a watched statement has run since the last call. */
  takeWatched(): boolean {
    const hasRun = this.#hasRunWatched
    this.#hasRunWatched = false
    return hasRun
  }

  /** True while the lock timeout for callers is set on the session. */
  get hasCallerLockTimeout(): boolean {
    return this.#hasCallerLockTimeout
  }

  /** Begins a loan, and sets the lock timeout of the borrower. */
  beginLoan(loan: Loan): void {
    this.loan = loan
    if (loan.borrower.isLimited !== this.#hasCallerLockTimeout && this.#settings.isSessionExclusive)
      this.#switchLockTimeout()
  }

  /** Cancels the running statement. The connection must not be lent again before `cancellation.over` resolves. */
  cancel(reason: CancelReason): void {
    if (this.#cancellation) return
    const answered = this.#answeredCount
    const over = cancelStatement(this.#client).then((isCertain) => {
      if (!isCertain) this.#closeAfterIgnoredCancel()
      else if (this.#answeredCount === answered) this.#closeIfCancelIgnored(answered)
    })
    this.#cancellation = { reason, over }
  }

  /** Ends a loan, and resets the state that belongs to it. */
  endLoan(): void {
    this.loan = undefined
    this.#cancellation = undefined
    this.#hasOwnStatementTimeout = false
  }

  async run(statement: Statement, shape: StatementShape): Promise<QueryResult> {
    if (shape.isWatched) this.#hasRunWatched = true
    if (shape.setsStatementTimeout) this.#hasOwnStatementTimeout = true
    if (shape.name) this.#prepared.add(shape.name)
    this.#isUnacknowledged = shape.queryMode === "extended"
    this.#byteCounter.begin(statement.checkBytes)
    try {
      return await this.#track(shape.name ? this.#runNamed(shape, statement) : this.#runOnce(shape, statement))
    } catch (error) {
      this.#mayRetry = this.#canRetry(shape, error)
      throw error
    }
  }

  #runNamed(shape: StatementShape, { values }: Statement): Promise<QueryResult> {
    return new Promise((resolve, reject) => {
      const settle = (error: Error | null, result: QueryResult) => (error ? reject(error) : resolve(result))
      this.#client.query(new PreparedQuery({ shape, values, types: valueTypes, columnCache: this.#columns }, settle))
    })
  }

  async #runOnce(shape: StatementShape, { values }: Statement): Promise<QueryResult> {
    // `pg` copies the own properties of its input one by one, which is slow. It reads inherited properties in place.
    const answer = await this.#client.query<unknown[], unknown[]>(Object.create(shape), toParameters(values))
    const { rows, rowCount, fields } = lastResult(answer)
    return { rows, rowCount: rowCount ?? 0, columns: fields.map(({ name }) => name) }
  }

  /** Runs a statement without parameters or rows. Resolves to the last command tag, such as `COMMIT`. */
  async command(text: string): Promise<string> {
    return lastResult(await this.#track(this.#client.query(text))).command
  }

  countBytes(): void {
    this.#byteCounter.attach(this.#client)
  }

  // Sets the loss before the socket reports it, so that the pool does not lend the connection again.
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

  /** Checks with an empty statement that the server answers. */
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

  /** Terminates the session and resolves when the socket is closed. */
  close(): Promise<void> {
    return endClient(this.#client)
  }

  /** Closes the socket immediately. Statements that wait for an answer fail. */
  destroy(reason?: Error): void {
    destroyClient(this.#client, reason)
  }

  async #track<Answer>(answer: Promise<Answer>): Promise<Answer> {
    this.#awaited++
    try {
      const answered = await answer
      this.#isKnownAlive = true
      return answered
    } catch (error) {
      this.#isKnownAlive = false
      // The stack of the error ends in the socket handler. A stack that shows who ran the statement is more useful.
      if (error instanceof pg.DatabaseError) Error.captureStackTrace(error)
      throw this.#toCallerError(error)
    } finally {
      this.#awaited--
      this.#answeredCount++
    }
  }

  #toCallerError(error: unknown): unknown {
    if (this.#refusal) return this.#refusal
    const isLost = this.#loss !== undefined && !(error instanceof pg.DatabaseError)
    const seen = isLost ? connectionLost(this.#loss) : withoutRow(error)
    const isCancelled = isLost || codeOf(error) === QUERY_CANCELED
    return this.#cancellation && isCancelled ? cancelled(this.#cancellation.reason, seen) : seen
  }

  // Not awaited: it is pipelined with the first statement. System code uses the lock timeout of the server.
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

/** Returns the last result: `pg` returns one for each statement of a text that has several. */
export function lastResult<Result>(results: Result | Result[]): Result {
  const last = Array.isArray(results) ? results.at(-1) : results
  if (!last) throw new Error("PostgreSQL returned no result.")
  return last
}
