import type { Caller, Connection, QueryResult, Statement } from "../../ports/database.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import { AnswerMemory, type Reservation } from "./answer-memory.ts"
import { isTransaction } from "./is-transaction.ts"

/** Responses up to this size reserve no memory, and never wait for memory that other responses have reserved. */
export const LARGE_ANSWER_BYTES = 256 * 1024

// The size of a response is not known in advance, so its memory reservation grows in these steps, up to `maxBytes`.
const STEPS_BYTES = [1024 * 1024, 4 * 1024 * 1024]
// The memory for large responses fits 3 responses of the maximum size. One caller may use half of it, so each of two
// callers has space for one response of the maximum size and for half of another.
const ANSWERS_IN_MEMORY = 3
const MAX_REMEMBERED = 200
const MAX_REMEMBERED_CHARACTERS = 20_000

/** The maximum size of a response, and the memory that all large responses of the process share. */
export class AnswerBudgets {
  readonly maxBytes: number
  readonly memory: AnswerMemory
  /** The SQL texts whose last result was large, each with the number of bytes that were reserved for that result. */
  readonly #expected = new Map<string, number>()

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
    const totalBytes = maxBytes * ANSWERS_IN_MEMORY
    this.memory = new AnswerMemory({ totalBytes, callerBytes: totalBytes / 2 })
  }

  /** Returns the number of bytes to reserve for a response of which `bytes` have been received so far. */
  stepFor(bytes: number): number {
    if (bytes <= LARGE_ANSWER_BYTES) return 0
    return STEPS_BYTES.find((step) => bytes <= step && step <= this.maxBytes) ?? this.maxBytes
  }

  expectedBytes({ text }: Statement): number {
    return this.#expected.size === 0 ? 0 : (this.#expected.get(text) ?? 0)
  }

  remember({ text }: Statement, reserved: number): void {
    if (text.length > MAX_REMEMBERED_CHARACTERS) return
    this.#expected.delete(text)
    this.#expected.set(text, reserved)
    const [oldest] = this.#expected.keys()
    if (this.#expected.size > MAX_REMEMBERED && oldest !== undefined) this.#expected.delete(oldest)
  }

  forget({ text }: Statement): void {
    this.#expected.delete(text)
  }
}

/**
 * The memory budget of the response to one request. It allocates nothing up front, because every request creates a
 * budget.
 */
export class AnswerBudget {
  readonly #budgets: AnswerBudgets
  readonly #caller: Caller | undefined
  #reservation: Reservation | undefined
  #isReleased = false
  #largestResult = 0

  /**
   * `caller` is undefined for a direct call in this process. Such a call reserves no memory, because memory is released
   * only at the end of a request.
   */
  constructor(budgets: AnswerBudgets, caller: Caller | undefined) {
    this.#budgets = budgets
    this.#caller = caller
  }

  get maxBytes(): number {
    return this.#budgets.maxBytes
  }

  /** True if the database sent so much data that the response should be built in several turns of the event loop. */
  get isLarge(): boolean {
    return this.#largestResult > LARGE_ANSWER_BYTES
  }

  get isHeld(): boolean {
    return this.#reservation !== undefined
  }

  /**
   * Releases the reserved memory. Called once, when the response is sent; later reads of the same request reserve
   * nothing.
   */
  release(): void {
    this.#isReleased = true
    if (this.#reservation) this.#budgets.memory.release(this.#reservation)
  }

  /**
   * Runs a statement that reads records. If the result turns out to be large and no memory is free for it, the
   * statement is aborted, waits for memory without holding a connection, and runs again. A statement whose last result
   * was large waits for memory before it runs.
   */
  read(connection: Connection, statement: Statement): Promise<QueryResult> {
    const canWait = this.#isCounted && !isTransaction(connection)
    if (!canWait) return this.#run(connection, statement, false)
    const expected = this.#budgets.expectedBytes(statement)
    if (expected > 0) return this.#readLarge(connection, statement, expected)
    const held = this.#heldBytes
    return this.#run(connection, statement, true).catch((error) =>
      this.#runWithRoom(connection, statement, { error, held }),
    )
  }

  async #readLarge(connection: Connection, statement: Statement, expected: number): Promise<QueryResult> {
    const held = this.#heldBytes
    await this.#waitFor(expected)
    // If the result is large again, `#run` remembers it again.
    this.#budgets.forget(statement)
    try {
      return await this.#run(connection, statement, true)
    } catch (error) {
      return await this.#runWithRoom(connection, statement, { error, held })
    }
  }

  // Runs a statement again that was aborted because there was no memory for its result. `held` is what had been reserved
  // before it ran. Its rows are gone, so the rest is released before it waits: otherwise several reads that have begun
  // could wait for the memory of each other until all of them fail.
  async #runWithRoom(connection: Connection, statement: Statement, { error, held }: Aborted): Promise<QueryResult> {
    if (!(error instanceof NoRoomYet)) throw error
    this.#budgets.memory.shrink(this.#reserved(), held)
    await this.#waitFor(this.maxBytes)
    return await this.#run(connection, statement, false)
  }

  #run(connection: Connection, statement: Statement, mayStop: boolean): Promise<QueryResult> {
    const checkBytes = (bytes: number) => {
      if (bytes > this.#largestResult) this.#largestResult = bytes
      if (bytes > LARGE_ANSWER_BYTES) this.#budgets.remember(statement, this.#budgets.stepFor(bytes))
      return this.#check(bytes, mayStop)
    }
    return connection.query({ ...statement, checkBytes })
  }

  #check(bytes: number, mayStop: boolean): Error | undefined {
    if (bytes > this.maxBytes) return answerTooLong(this.maxBytes)
    if (bytes <= LARGE_ANSWER_BYTES || !this.#isCounted) return undefined
    const step = this.#budgets.stepFor(bytes)
    const { memory } = this.#budgets
    const reservation = this.#reserved()
    if (!mayStop) memory.extend(reservation, step)
    else if (!memory.tryExtend(reservation, step)) return new NoRoomYet()
    return undefined
  }

  #waitFor(bytes: number): Promise<void> {
    return this.#budgets.memory.waitFor(this.#reserved(), bytes)
  }

  #reserved(): Reservation {
    this.#reservation ??= { bytes: 0, caller: this.#caller?.key }
    return this.#reservation
  }

  get #heldBytes(): number {
    return this.#reservation?.bytes ?? 0
  }

  get #isCounted(): boolean {
    return this.#caller !== undefined && !this.#isReleased
  }
}

interface Aborted {
  readonly error: unknown
  readonly held: number
}

/**
 * The error with which the database driver aborts a statement if no memory is free for its result. `AnswerBudget.read`
 * catches this error.
 */
class NoRoomYet extends Error {}

/** Returns the error for a response that is larger than `maxBytes`. */
export function answerTooLong(maxBytes: number): ApiError {
  const remedy = 'Lower "limit", also that of each relation in "with", or name fewer fields in "columns".'
  const message = `The answer would have more than ${maxBytes} bytes. ${remedy} The app can raise "limits.answerBytes".`
  return new ApiError("BAD_REQUEST", { message, context: { limit: "answerBytes", maxBytes } })
}
