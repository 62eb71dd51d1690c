interface Pause {
  readonly failures: number
  readonly endsAt: number
}

const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 300_000

/** The steps that have failed and wait before they are tried again, each time twice as long. */
export class StepPauses {
  readonly #pauses = new Map<string, Pause>()

  /** Pauses the step, and returns for how long. */
  pause(step: string): number {
    const failures = (this.#pauses.get(step)?.failures ?? 0) + 1
    const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1))
    this.#pauses.set(step, { failures, endsAt: performance.now() + pauseMs })
    return pauseMs
  }

  /** Ends the pause of a step that works again. */
  resume(step: string): void {
    this.#pauses.delete(step)
  }

  isPaused(step: string): boolean {
    return (this.#pauses.get(step)?.endsAt ?? Number.NEGATIVE_INFINITY) > performance.now()
  }

  /** Returns the time until the next pause ends; Infinity if no step is paused. */
  msUntilNext(): number {
    const now = performance.now()
    const left = [...this.#pauses.values()].map(({ endsAt }) => endsAt - now).filter((ms) => ms > 0)
    return Math.min(...left)
  }
}
