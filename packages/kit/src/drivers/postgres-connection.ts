import pg from "pg"
import type { QueryResult, Statement } from "../ports/database.ts"
import { codeOf, connectFailed, connectionLost, withoutRow } from "./postgres-errors.ts"
import { Receipts } from "./postgres-receipt.ts"
import {
  type Backend,
  destroyClient,
  endClient,
  type SessionOptions,
  startSession,
  type Traffic,
  trafficOf,
} from "./postgres-session.ts"
import { toParameters, valueTypes } from "./postgres-values.ts"
import { type KnownColumns, PreparedQuery } from "./prepared-query.ts"
import type { StatementShape, StatementShapes } from "./statement-shapes.ts"

const MAX_PREPARED_NAMES = 500
const PROOF_TIMEOUT_MS = 2_000

// A changed result type ("cached plan must not change result type"), or a statement dropped behind our back.
const STALE_PLAN_CODES: ReadonlySet<string | undefined> = new Set(["0A000", "26000"])
// The server said goodbye, or the socket no longer took the statement.
const DEAD_BEFORE_USE_CODES: ReadonlySet<string | undefined> = new Set(["57P01", "EPIPE"])

export interface ConnectionSettings extends SessionOptions {
  readonly config: pg.ClientConfig
  readonly shapes: StatementShapes
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

/** One session on the server, used by one query or one transaction at a time. */
export class PostgresConnection {
  /** When the pool put it aside, in milliseconds of `performance.now()`. */
  idleSince = 0
  /** The process of the server behind it, where that is known. */
  backend: Backend | undefined
  readonly #client: pg.Client
  readonly #shapes: StatementShapes
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

  constructor(client: pg.Client, { shapes, onLost }: ConnectionSettings) {
    this.#client = client
    this.#shapes = shapes
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

  get traffic(): Traffic {
    return trafficOf(this.#client)
  }

  /** Whether a statement has changed the limit for those after it, as migrations do. */
  get hasOwnLimit(): boolean {
    return this.#hasOwnLimit
  }

  /** Whether a watched statement has run since this was last asked. */
  takeWatched(): boolean {
    const hasRun = this.#hasRunWatched
    this.#hasRunWatched = false
    return hasRun
  }

  async run(statement: Statement): Promise<QueryResult> {
    const { checkBytes } = statement
    const shape = this.#shapes.shapeOf(statement)
    if (shape.isWatched) this.#hasRunWatched = true
    if (shape.setsLimit) this.#hasOwnLimit = true
    if (shape.name) this.#prepared.add(shape.name)
    this.#isUnheard = shape.queryMode === "extended"
    try {
      const answer = shape.name ? this.#runNamed(shape, statement) : this.#runOnce(shape, statement)
      return await this.#track(checkBytes ? this.#receipts.watch(checkBytes, answer) : answer)
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
      const isLoss = this.#loss && error !== this.#refusal && !(error instanceof pg.DatabaseError)
      throw isLoss ? connectionLost(this.#loss) : withoutRow(error)
    } finally {
      this.#awaited--
    }
  }

  #canRepeat(shape: StatementShape, error: unknown): boolean {
    const isStale = shape.name !== undefined && STALE_PLAN_CODES.has(codeOf(error))
    if (isStale) this.#shapes.rename(shape)
    const wasDead = DEAD_BEFORE_USE_CODES.has(codeOf(error)) || DEAD_BEFORE_USE_CODES.has(codeOf(this.#loss))
    return isStale || (this.#isUnheard && wasDead)
  }
}

/** `pg` answers a text of several statements with several results. */
export function lastResult<Result>(results: Result | Result[]): Result {
  const last = Array.isArray(results) ? results.at(-1) : results
  if (!last) throw new Error("PostgreSQL answered without a result.")
  return last
}
