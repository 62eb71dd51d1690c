const FIRST_PAUSE_MS = 200

/**
 * Exponential backoff between consecutive attempts. There is no pause before the first attempt, then 0.2 s, doubling up
 * to a limit.
 */
export class RestartBackoff {
  readonly #longestMs: number
  #attempts = 0

  constructor(longestMs: number) {
    this.#longestMs = longestMs
  }

  next(): number {
    const pauseMs = this.#attempts === 0 ? 0 : FIRST_PAUSE_MS * 2 ** (this.#attempts - 1)
    this.#attempts += 1
    return Math.min(pauseMs, this.#longestMs)
  }

  /** Resets the backoff, so that the next attempt has no pause. */
  reset(): void {
    this.#attempts = 0
  }
}
