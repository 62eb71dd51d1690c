interface RecurringTaskOptions {
  /** Does the work once. Resolves to the number of milliseconds until the next run. */
  readonly work: () => Promise<number>
  /** Called for the first of several consecutive failures. The work is retried after every failure. */
  readonly onError: (error: unknown) => void
}

const RETRY_MS = 1_000
const MAX_TIMER_MS = 2 ** 31 - 1

/** Runs a task periodically and on request, but never two runs concurrently. */
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

  /**
   * Runs the task immediately. If the task is running, runs it again afterwards, because the current run may have read
   * its data too early.
   */
  runNow(): void {
    this.#isRequested = true
    if (this.#current || this.#isStopped) return
    clearTimeout(this.#timer)
    this.#current = this.#run()
  }

  /** Like `runNow`, but resolves when a run that began after this call has ended. */
  async runToEnd(): Promise<void> {
    this.runNow()
    await this.#current
  }

  /** Stops the task. Resolves when the last run has ended. */
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
