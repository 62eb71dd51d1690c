import { letDatesFollowClocks, systemTimeMs } from "./clocked-date.ts"
import { parseDuration } from "./duration.ts"

/** What becomes due as time goes by. */
export interface DueWork {
  nextDueAt(): Promise<Date | undefined>
  /** Resolves when nothing that is due is left. */
  settle(): Promise<void>
}

/** The time of an app: it goes on by itself, and can be moved ahead. */
export class TestClock {
  readonly #work: DueWork
  readonly #sourceMs: () => number
  #aheadMs = 0
  /** While it is being moved it stands still, so that what is due at a moment sees exactly that moment. */
  #standsAtMs: number | undefined
  #turn: Promise<void> = Promise.resolve()

  /** From this moment on, or as a function tells, which may always tell the same. */
  constructor(work: DueWork, start?: Date | (() => Date)) {
    this.#work = work
    this.#sourceMs = typeof start === "function" ? () => start().getTime() : systemTimeMs
    if (start !== undefined) letDatesFollowClocks()
    if (typeof start === "object") this.#aheadMs = momentOf(start) - systemTimeMs()
  }

  now(): Date {
    return new Date(this.#nowMs())
  }

  /** The moment after this duration: `clock.in("1h")`. */
  in(duration: string): Date {
    return new Date(this.#nowMs() + parseDuration(duration))
  }

  /** Moves on by a duration; resolves when every job that became due on the way has run, each at its time. */
  advance(duration: string): Promise<void> {
    const durationMs = parseDuration(duration)
    return this.#inTurn(() => this.#move(this.#nowMs() + durationMs))
  }

  /** As `advance`, up to this moment. */
  advanceTo(moment: Date): Promise<void> {
    const targetMs = momentOf(moment)
    return this.#inTurn(() => this.#move(targetMs))
  }

  #nowMs(): number {
    return this.#standsAtMs ?? this.#sourceMs() + this.#aheadMs
  }

  #inTurn(move: () => Promise<void>): Promise<void> {
    const moved = this.#turn.then(move)
    this.#turn = moved.catch(() => {})
    return moved
  }

  async #move(targetMs: number): Promise<void> {
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
    // What is still due although all has settled is nobody's work here.
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
