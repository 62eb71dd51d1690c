/** A semaphore that lets at most `maxConcurrent` tasks run concurrently. The other tasks wait in order. */
export class Semaphore {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(maxConcurrent: number) {
    this.#free = maxConcurrent
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#acquire()
    try {
      return await work()
    } finally {
      this.#release()
    }
  }

  #acquire(): Promise<void> | undefined {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve))
    this.#free--
    return undefined
  }

  // Passes the slot directly to the next waiting task, so that no other task can take it in between.
  #release(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}
