/** A semaphore: lets a number of tasks run together, and the rest wait in order. */
export class Turns {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(atOnce: number) {
    this.#free = atOnce
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#begin()
    try {
      return await work()
    } finally {
      this.#end()
    }
  }

  #begin(): Promise<void> | undefined {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve))
    this.#free--
    return undefined
  }

  // Passes the slot to the next task without freeing it in between.
  #end(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}
