/** Lets some work run at once, and the rest wait for its turn in the order in which it came. */
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

  // A turn goes from hand to hand.
  #end(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}
