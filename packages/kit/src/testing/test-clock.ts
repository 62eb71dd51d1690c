import { letDatesFollowClocks, systemTimeMs } from "./clocked-date.ts"
import { parseDuration } from "./duration.ts"

/** Work with due times, which a clock runs as it advances. */
export interface DueWork {
  nextDueAt(): Promise<Date | undefined>
  /** Resolves when all due work has run. */
  settle(): Promise<void>
}

/** The clock of an app. It runs like any clock, and a test can advance it. */
export class TestClock {
  readonly #work: DueWork
  readonly #sourceMs: () => number
  #aheadMs = 0
  /** The frozen time during an advance, so that work that is due at a time sees exactly that time. */
  #standsAtMs: number | undefined
  #turn: Promise<void> = Promise.resolve()

  /** A Date sets the start time. A function returns the time on every read, and may always return the same. */
  constructor(work: DueWork, start?: Date | (() => Date)) {
    this.#work = work
    this.#sourceMs = typeof start === "function" ? () => start().getTime() : systemTimeMs
    if (start !== undefined) letDatesFollowClocks()
    if (typeof start === "object") this.#aheadMs = momentOf(start) - systemTimeMs()
  }

  now(): Date {
    return new Date(this.#nowMs())
  }

  /** Returns the time after this duration: `clock.in("1h")`. */
  in(duration: string): Date {
    return new Date(this.#nowMs() + parseDuration(duration))
  }

  /** Advances by a duration; resolves when every job that became due on the way has run, each at its due time. */
  advance(duration: string): Promise<void> {
    const durationMs = parseDuration(duration)
    return this.#inTurn(() => this.#advanceToMs(this.#nowMs() + durationMs))
  }

  /** Advances to this time, like `advance`. */
  advanceTo(moment: Date): Promise<void> {
    const targetMs = momentOf(moment)
    return this.#inTurn(() => this.#advanceToMs(targetMs))
  }

  #nowMs(): number {
    return this.#standsAtMs ?? this.#sourceMs() + this.#aheadMs
  }

  #inTurn(move: () => Promise<void>): Promise<void> {
    const moved = this.#turn.then(move)
    this.#turn = moved.catch(() => {})
    return moved
  }

  async #advanceToMs(targetMs: number): Promise<void> {
    const startMs = this.#nowMs()
    if (targetMs < startMs) throw new Error(`The clock cannot go back to ${new Date(targetMs).toISOString()}.`)
    letDatesFollowClocks()
    this.#standsAtMs = startMs
    try {
      await this.#runUpTo(targetMs)
    } finally {
      this.#aheadMs = this.#standsAtMs - this.#sourceMs()
      this.#standsAtMs = undefined
    }
  }

  async #runUpTo(targetMs: number): Promise<void> {
    await this.#work.settle()
    // The loop ends at work that is still overdue after settling: this process does not run it.
    for (let next = await this.#nextMs(); next > this.#nowMs() && next <= targetMs; next = await this.#nextMs()) {
      this.#standsAtMs = next
      await this.#work.settle()
    }
    this.#standsAtMs = targetMs
    await this.#work.settle()
  }

  async #nextMs(): Promise<number> {
    return (await this.#work.nextDueAt())?.getTime() ?? Number.POSITIVE_INFINITY
  }
}

function momentOf(moment: Date): number {
  const ms = moment instanceof Date ? moment.getTime() : Number.NaN
  if (Number.isNaN(ms)) throw new Error("Expected a Date.")
  return ms
}
