import type { Caller, Connection, QueryResult, Statement } from "../../ports/database.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import { AnswerMemory, type Reservation } from "./answer-memory.ts"
import { isTransaction } from "./is-transaction.ts"

/** Answers up to this size do not reserve memory, and never wait for other answers. */
export const LARGE_ANSWER_BYTES = 256 * 1024

// The size of an answer is not known in advance, so its reservation grows in these steps, up to `maxBytes`.
const STEPS_BYTES = [1024 * 1024, 4 * 1024 * 1024]
// Each of two callers has room for one answer of the maximum size and for half of another.
const ANSWERS_IN_MEMORY = 3
const MAX_REMEMBERED = 200
const MAX_REMEMBERED_CHARACTERS = 20_000

/** The limits and the memory of all answers of a process. */
export class AnswerBudgets {
  readonly maxBytes: number
  readonly memory: AnswerMemory
  /** SQL texts whose last result was large, with the bytes that were reserved for it. */
  readonly #expected = new Map<string, number>()

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
    const totalBytes = maxBytes * ANSWERS_IN_MEMORY
    this.memory = new AnswerMemory({ totalBytes, callerBytes: totalBytes / 2 })
  }

  /** Returns the bytes to reserve for an answer that has this size so far. */
  stepFor(bytes: number): number {
    if (bytes <= LARGE_ANSWER_BYTES) return 0
    return STEPS_BYTES.find((step) => bytes <= step && step <= this.maxBytes) ?? this.maxBytes
  }

  expectedBytes({ text }: Statement): number {
    return this.#expected.size === 0 ? 0 : (this.#expected.get(text) ?? 0)
  }

  remember({ text }: Statement, reserved: number): void {
    if (reserved === 0) return void this.#forget(text)
    if (text.length > MAX_REMEMBERED_CHARACTERS) return
    this.#expected.delete(text)
    this.#expected.set(text, reserved)
    const [oldest] = this.#expected.keys()
    if (this.#expected.size > MAX_REMEMBERED && oldest !== undefined) this.#expected.delete(oldest)
  }

  // The map is mostly empty, and a lookup has to hash the long text.
  #forget(text: string): void {
    if (this.#expected.size > 0) this.#expected.delete(text)
  }
}

/** The memory budget of the answer to one request. Every request creates a budget, so it allocates nothing up front. */
export class AnswerBudget {
  readonly #budgets: AnswerBudgets
  readonly #caller: Caller | undefined
  #reservation: Reservation | undefined
  #isReleased = false
  #largestResult = 0

  /** A call in this process has no caller. It reserves nothing, because nothing would release the reservation. */
  constructor(budgets: AnswerBudgets, caller: Caller | undefined) {
    this.#budgets = budgets
    this.#caller = caller
  }

  get maxBytes(): number {
    return this.#budgets.maxBytes
  }

  /** True if the database sent so much that the answer should be built in several turns of the event loop. */
  get isLarge(): boolean {
    return this.#largestResult > LARGE_ANSWER_BYTES
  }

  get isHeld(): boolean {
    return this.#reservation !== undefined
  }

  /** Releases the memory. It is called once, when the answer is sent; later reads reserve nothing. */
  release(): void {
    this.#isReleased = true
    if (this.#reservation) this.#budgets.memory.release(this.#reservation)
  }

  /**
   * Runs a read of records. If the result turns out to be large and there is no room for it, the statement is aborted,
   * waits for room without holding a connection, and runs again. A statement whose last result was large waits first.
   */
  async read(connection: Connection, statement: Statement): Promise<QueryResult> {
    const canWait = this.#isCounted && !isTransaction(connection)
    const expected = canWait ? this.#budgets.expectedBytes(statement) : 0
    if (expected > 0) await this.#waitFor(expected)
    try {
      return await this.#run(connection, statement, canWait)
    } catch (error) {
      if (!(error instanceof NoRoomYet)) throw error
    }
    await this.#waitFor(this.maxBytes)
    return await this.#run(connection, statement, false)
  }

  async #run(connection: Connection, statement: Statement, mayStop: boolean): Promise<QueryResult> {
    let received = 0
    const checkBytes = (bytes: number) => {
      received = bytes
      return this.#check(bytes, mayStop)
    }
    const result = await connection.query({ ...statement, checkBytes })
    if (received > this.#largestResult) this.#largestResult = received
    this.#budgets.remember(statement, this.#budgets.stepFor(received))
    return result
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

  get #isCounted(): boolean {
    return this.#caller !== undefined && !this.#isReleased
  }
}

/** Aborts a statement in the driver. `AnswerBudget.read` catches it. */
class NoRoomYet extends Error {}

/** Returns the error for an answer that exceeds the limit. */
export function answerTooLong(maxBytes: number): ApiError {
  const remedy = 'Lower "limit", also that of each relation in "with", or name fewer fields in "columns".'
  const message = `The answer would have more than ${maxBytes} bytes. ${remedy} The app can raise "limits.answerBytes".`
  return new ApiError("BAD_REQUEST", { message, context: { limit: "answerBytes", maxBytes } })
}
