const FIRST_STEP_MS = 1_000
const LAST_STEP_MS = 30_000

/** Computes the delays between reconnection attempts: exponential backoff with jitter. */
export class Backoff {
  #stepMs = FIRST_STEP_MS

  /** True if no attempt has failed since the last success. */
  get isReset(): boolean {
    return this.#stepMs === FIRST_STEP_MS
  }

  nextMs(): number {
    const stepMs = this.#stepMs
    this.#stepMs = Math.min(stepMs * 2, LAST_STEP_MS)
    return stepMs * (0.5 + Math.random() / 2)
  }

  /** Called after a successful attempt. The next delay is short again. */
  reset(): void {
    this.#stepMs = FIRST_STEP_MS
  }
}
