const FIRST_STEP_MS = 1_000
const LAST_STEP_MS = 30_000

/** How long to wait before the next attempt: longer after each one, and not the same time as everybody else. */
export class Reconnect {
  #stepMs = FIRST_STEP_MS

  /** Whether the last attempt was a success. */
  get isCalm(): boolean {
    return this.#stepMs === FIRST_STEP_MS
  }

  nextMs(): number {
    const stepMs = this.#stepMs
    this.#stepMs = Math.min(stepMs * 2, LAST_STEP_MS)
    return stepMs * (0.5 + Math.random() / 2)
  }

  /** After a success the next wait is a short one. */
  reset(): void {
    this.#stepMs = FIRST_STEP_MS
  }
}
