import { installClockedDate, systemTimeMs } from "./clocked-date.ts"
import { parseDuration } from "./duration.ts"

/** Work with due times, which a test clock runs while it advances. */
export interface DueWork {
  nextDueAt(): Promise<Date | undefined>
  /** Resolves when all work that is due has run. */
  settle(): Promise<void>
}

/** An app's clock in a test. It runs like any clock, and the test can advance it. */
export class TestClock {
  readonly #work: DueWork
  readonly #sourceMs: () => number
  #offsetMs = 0
  /** The clock's time during an advance. It is frozen while due work runs, so that the work sees its exact due time. */
  #frozenAtMs: number | undefined
  #lastAdvance: Promise<void> = Promise.resolve()

  /**
   * If `start` is a Date, the clock starts at that time. If it is a function, the clock calls it on every read of the
   * time; it may always return the same time.
   */
  constructor(work: DueWork, start?: Date | (() => Date)) {
    this.#work = work
    this.#sourceMs = typeof start === "function" ? () => start().getTime() : systemTimeMs
    if (start !== undefined) installClockedDate()
    if (typeof start === "object") this.#offsetMs = toMs(start) - systemTimeMs()
  }

  now(): Date {
    return new Date(this.#nowMs())
  }

  /** Returns the clock's time plus this duration: `clock.in("1h")`. */
  in(duration: string): Date {
    return new Date(this.#nowMs() + parseDuration(duration))
  }

  /** Advances the clock by a duration. Resolves when every job that became due in it has run, each at its due time. */
  advance(duration: string): Promise<void> {
    const durationMs = parseDuration(duration)
    return this.#serialize(() => this.#advanceToMs(this.#nowMs() + durationMs))
  }

  /** Advances the clock to this time. Like `advance`, it resolves when every job that became due on the way has run. */
  advanceTo(moment: Date): Promise<void> {
    const targetMs = toMs(moment)
    return this.#serialize(() => this.#advanceToMs(targetMs))
  }

  #nowMs(): number {
    return this.#frozenAtMs ?? this.#sourceMs() + this.#offsetMs
  }

  #serialize(move: () => Promise<void>): Promise<void> {
    const moved = this.#lastAdvance.then(move)
    this.#lastAdvance = moved.catch(() => {})
    return moved
  }

  async #advanceToMs(targetMs: number): Promise<void> {
    const startMs = this.#nowMs()
    if (targetMs < startMs) throw new Error(`The clock cannot go back to ${new Date(targetMs).toISOString()}.`)
    installClockedDate()
    this.#frozenAtMs = startMs
    try {
      await this.#runDueWorkUntil(targetMs)
    } finally {
      this.#offsetMs = this.#frozenAtMs - this.#sourceMs()
      this.#frozenAtMs = undefined
    }
  }

  async #runDueWorkUntil(targetMs: number): Promise<void> {
    await this.#work.settle()
    // The loop also ends if the next work is still overdue after `settle`, because then this process does not run that
    // work.
    for (let next = await this.#nextMs(); next > this.#nowMs() && next <= targetMs; next = await this.#nextMs()) {
      this.#frozenAtMs = next
      await this.#work.settle()
    }
    this.#frozenAtMs = targetMs
    await this.#work.settle()
  }

  async #nextMs(): Promise<number> {
    return (await this.#work.nextDueAt())?.getTime() ?? Number.POSITIVE_INFINITY
  }
}

function toMs(moment: Date): number {
  const ms = moment instanceof Date ? moment.getTime() : Number.NaN
  if (Number.isNaN(ms)) throw new Error("Expected a Date.")
  return ms
}
