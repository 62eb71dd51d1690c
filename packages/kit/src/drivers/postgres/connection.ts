import pg from "pg"
import type { QueryResult, Statement } from "../../ports/database.ts"
import { cancelStatement } from "./cancel-statement.ts"
import { callerLeft, codeOf, connectFailed, connectionLost, Preempted, statementTooLong, withoutRow } from "./errors.ts"
import type { Loan } from "./pool/borrower.ts"
import { type KnownColumns, PreparedQuery } from "./prepared-query.ts"
import { Receipts } from "./receipts.ts"
import {
  type Backend,
  destroyClient,
  endClient,
  type SessionOptions,
  startSession,
  type Traffic,
  trafficOf,
} from "./session.ts"
import type { StatementShape, StatementShapes } from "./statement-shapes.ts"
import { toParameters, valueTypes } from "./values.ts"

const MAX_PREPARED_NAMES = 500
const PROOF_TIMEOUT_MS = 2_000
// A statement that was told to end and has not by then is given up together with its connection.
const CANCEL_GRACE_MS = 3_000

// A changed result type ("cached plan must not change result type"), or a statement dropped behind our back.
const STALE_PLAN_CODES: ReadonlySet<string | undefined> = new Set(["0A000", "26000"])
// The server said goodbye, or the socket no longer took the statement.
const DEAD_BEFORE_USE_CODES: ReadonlySet<string | undefined> = new Set(["57P01", "EPIPE"])

const QUERY_CANCELED = "57014"

export interface ConnectionSettings extends SessionOptions {
  readonly config: pg.ClientConfig
  readonly shapes: StatementShapes
  /** How long statements of callers wait for a lock. */
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

/** The outcome of asking for a sign of life; a silent connection is closed. */
export type Proof = "alive" | "lost" | "silent"

/** Why a statement is cancelled: its time is over, nobody waits for its answer, or others need the connection. */
export type CancelReason = "limit" | "left" | "preempted"

interface Cancellation {
  readonly reason: CancelReason
  /** Resolves when the server has signalled the session, or the connection is closed. */
  readonly over: Promise<void>
}

/** One session on the server, used by one query or one transaction at a time. */
export class PostgresConnection {
  /** What it is lent for; undefined while it is not. */
  loan: Loan | undefined
  /** When the pool put it aside, in milliseconds of `performance.now()`. */
  idleSince = 0
  /** The process of the server behind it, where that is known. */
  backend: Backend | undefined
  readonly #client: pg.Client
  readonly #settings: ConnectionSettings
  readonly #prepared = new Set<string>()
  readonly #columns: KnownColumns = new WeakMap()
  readonly #receipts = new Receipts((reason) => this.#abandon(reason))
  #loss: Error | undefined
  /** Why somebody wanted no more of a result. */
  #refusal: Error | undefined
  #isProven = true
  #isUnheard = false
  #mayRepeat = false
  #hasRunWatched = false
  #hasOwnLimit = false
  #awaited = 0
  #answered = 0
  #cancellation: Cancellation | undefined
  #isGivenUp = false
  #waitsBriefly = false

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
      this.#isUnheard = false
    })
  }

  /** Why the session is gone; undefined while it lives. */
  get loss(): Error | undefined {
    return this.#loss
  }

  /** False after an error: it may have been the server's last word, which only the next answer tells. */
  get isProven(): boolean {
    return this.#isProven
  }

  get isInTransaction(): boolean {
    return this.#client.getTransactionStatus() !== "I"
  }

  /** Whether the server keeps more prepared statements for this session than are worth their memory. */
  get isWorn(): boolean {
    return this.#prepared.size > MAX_PREPARED_NAMES
  }

  /** Whether the last statement failed in a way that left nothing done and may pass the next time. */
  get mayRepeat(): boolean {
    return this.#mayRepeat
  }

  /** Whether the server owes it the answer to a statement. */
  get awaitsAnswer(): boolean {
    return this.#awaited > 0
  }

  /** How many statements the server has answered, to tell one from the next. */
  get answered(): number {
    return this.#answered
  }

  /** Why the statement under way is to end; undefined unless it was cancelled. */
  get cancellation(): Cancellation | undefined {
    return this.#cancellation
  }

  /** Whether it was closed because a statement did not end when it was told to. */
  get isGivenUp(): boolean {
    return this.#isGivenUp
  }

  get traffic(): Traffic {
    return trafficOf(this.#client)
  }

  /** Whether a statement has changed the limit for those after it, as those of migrations do in their transaction. */
  get hasOwnLimit(): boolean {
    return this.#hasOwnLimit
  }

  /** Whether a watched statement has run since this was last asked. */
  takeWatched(): boolean {
    const hasRun = this.#hasRunWatched
    this.#hasRunWatched = false
    return hasRun
  }

  /** Whether the session waits for locks only as long as callers do. */
  get waitsBriefly(): boolean {
    return this.#waitsBriefly
  }

  /** Begins to serve a borrower, with the limits that it has. */
  lend(loan: Loan): void {
    this.loan = loan
    if (loan.borrower.isLimited !== this.#waitsBriefly && this.#settings.isSessionOurs) this.#switchLockTimeout()
  }

  /** Has the server end the statement under way. The connection must not be lent again before that is over. */
  cancel(reason: CancelReason): void {
    if (this.#cancellation) return
    const answered = this.#answered
    const over = cancelStatement(this.#client).then((isCertain) => {
      if (!isCertain) this.#giveUp()
      else if (this.#answered === answered) this.#giveUpLater(answered)
    })
    this.#cancellation = { reason, over }
  }

  /** Forgets the borrower, and whatever was only about its statements. */
  takeBack(): void {
    this.loan = undefined
    this.#cancellation = undefined
    this.#hasOwnLimit = false
  }

  async run(statement: Statement, shape: StatementShape): Promise<QueryResult> {
    if (shape.isWatched) this.#hasRunWatched = true
    if (shape.setsLimit) this.#hasOwnLimit = true
    if (shape.name) this.#prepared.add(shape.name)
    this.#isUnheard = shape.queryMode === "extended"
    this.#receipts.begin(statement.checkBytes)
    try {
      return await this.#track(shape.name ? this.#runNamed(shape, statement) : this.#runOnce(shape, statement))
    } catch (error) {
      this.#mayRepeat = this.#canRepeat(shape, error)
      throw error
    }
  }

  #runNamed(shape: StatementShape, { values }: Statement): Promise<QueryResult> {
    return new Promise((resolve, reject) => {
      const settle = (error: Error | null, result: QueryResult) => (error ? reject(error) : resolve(result))
      this.#client.query(new PreparedQuery({ shape, values, types: valueTypes, known: this.#columns }, settle))
    })
  }

  async #runOnce(shape: StatementShape, { values }: Statement): Promise<QueryResult> {
    // `pg` copies the own properties of its input one by one, which is slow; inherited ones it just reads.
    const answer = await this.#client.query<unknown[], unknown[]>(Object.create(shape), toParameters(values))
    const { rows, rowCount, fields } = lastResult(answer)
    return { rows, rowCount: rowCount ?? 0, columns: fields.map(({ name }) => name) }
  }

  /** Runs a statement without parameters or rows, and answers the last command tag, such as `COMMIT`. */
  async command(text: string): Promise<string> {
    return lastResult(await this.#track(this.#client.query(text))).command
  }

  countBytes(): void {
    this.#receipts.listen(this.#client)
  }

  // Lost at once, and not only when its socket says so: it must not be lent any more.
  #abandon(refusal: Error): void {
    this.#refusal = refusal
    this.#loss ??= refusal
    this.destroy()
  }

  begin(): Promise<string> {
    const { isSessionOurs, lockTimeoutMs } = this.#settings
    const isLimited = this.loan?.borrower.isLimited ?? false
    return this.command(isSessionOurs || !isLimited ? "begin" : `begin; set local lock_timeout = ${lockTimeoutMs}`)
  }

  /** Asks the server for a sign of life. */
  async prove(): Promise<Proof> {
    let isSilent = false
    const timer = setTimeout(() => {
      isSilent = true
      this.destroy()
    }, PROOF_TIMEOUT_MS)
    try {
      await this.command("")
      return "alive"
    } catch {
      return isSilent ? "silent" : "lost"
    } finally {
      clearTimeout(timer)
    }
  }

  /** Says goodbye to the server and resolves when the socket is closed. */
  close(): Promise<void> {
    return endClient(this.#client)
  }

  /** Closes the socket at once; statements that wait for an answer fail. */
  destroy(reason?: Error): void {
    destroyClient(this.#client, reason)
  }

  async #track<Answer>(answer: Promise<Answer>): Promise<Answer> {
    this.#awaited++
    try {
      const answered = await answer
      this.#isProven = true
      return answered
    } catch (error) {
      this.#isProven = false
      // The error was made where the socket is read; whoever wants to know asks where the statement comes from.
      if (error instanceof pg.DatabaseError) Error.captureStackTrace(error)
      throw this.#asSeen(error)
    } finally {
      this.#awaited--
      this.#answered++
    }
  }

  #asSeen(error: unknown): unknown {
    if (this.#refusal) return this.#refusal
    const isLost = this.#loss !== undefined && !(error instanceof pg.DatabaseError)
    const seen = isLost ? connectionLost(this.#loss) : withoutRow(error)
    const isCancelled = isLost || codeOf(error) === QUERY_CANCELED
    return this.#cancellation && isCancelled ? cancelled(this.#cancellation.reason, seen) : seen
  }

  // Not awaited: it travels together with the first statement. System code keeps the setting of the server.
  #switchLockTimeout(): void {
    this.#waitsBriefly = !this.#waitsBriefly
    const { lockTimeoutMs } = this.#settings
    const text = this.#waitsBriefly ? `set lock_timeout = ${lockTimeoutMs}` : "reset lock_timeout"
    this.command(text).catch(() => this.destroy())
  }

  #giveUpLater(answered: number): void {
    const giveUp = () => this.#answered === answered && this.#giveUp()
    setTimeout(giveUp, CANCEL_GRACE_MS).unref()
  }

  #giveUp(): void {
    this.#isGivenUp = true
    this.destroy(new Error("Timeout: a statement did not end when it was cancelled."))
  }

  #canRepeat(shape: StatementShape, error: unknown): boolean {
    const isStale = shape.name !== undefined && STALE_PLAN_CODES.has(codeOf(error))
    if (isStale) this.#settings.shapes.rename(shape)
    const wasDead = DEAD_BEFORE_USE_CODES.has(codeOf(error)) || DEAD_BEFORE_USE_CODES.has(codeOf(this.#loss))
    return isStale || (this.#isUnheard && wasDead)
  }
}

function cancelled(reason: CancelReason, cause: unknown): Error {
  if (reason === "left") return callerLeft()
  return reason === "limit" ? statementTooLong(cause) : new Preempted(cause)
}

/** `pg` answers a text of several statements with several results. */
export function lastResult<Result>(results: Result | Result[]): Result {
  const last = Array.isArray(results) ? results.at(-1) : results
  if (!last) throw new Error("PostgreSQL answered without a result.")
  return last
}
