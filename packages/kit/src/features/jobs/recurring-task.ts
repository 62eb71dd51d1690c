interface RecurringTaskOptions {
  /** Resolves to the milliseconds until the next run. */
  readonly work: () => Promise<number>
  /** Called for the first of several failures in a row; the work is retried in any case. */
  readonly onError: (error: unknown) => void
}

const RETRY_MS = 1_000
const MAX_TIMER_MS = 2 ** 31 - 1

/** Runs work periodically and on request, never concurrently. */
export class RecurringTask {
  readonly #options: RecurringTaskOptions
  #timer: NodeJS.Timeout | undefined
  #current: Promise<void> | undefined
  #isRequested = false
  #isFailing = false
  #isStopped = false

  constructor(given: RecurringTaskOptions) {
    this.#options = given
  }

  /** Runs immediately, or again after the current run, which may have read its data too early. */
  runNow(): void {
    this.#isRequested = true
    if (this.#current || this.#isStopped) return
    clearTimeout(this.#timer)
    this.#current = this.#run()
  }

  /** Like `runNow`; resolves when a run that began after this call has ended. */
  async runToEnd(): Promise<void> {
    this.runNow()
    await this.#current
  }

  /** Resolves when the last run has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#current
  }

  async #run(): Promise<void> {
    let pauseMs = 0
    while (this.#isRequested && !this.#isStopped) {
      this.#isRequested = false
      pauseMs = await this.#attempt()
    }
    this.#current = undefined
    if (!this.#isStopped) this.#timer = setTimeout(() => this.runNow(), Math.min(pauseMs, MAX_TIMER_MS))
  }

  async #attempt(): Promise<number> {
    try {
      const pauseMs = await this.#options.work()
      this.#isFailing = false
      return pauseMs
    } catch (error) {
      if (!this.#isFailing) this.#options.onError(error)
      this.#isFailing = true
      return RETRY_MS
    }
  }
}
