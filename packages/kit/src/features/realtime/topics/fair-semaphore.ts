interface Lane {
  running: number
  readonly waiting: (() => void)[]
}

interface Slots {
  /** The maximum number of tasks that run concurrently. */
  readonly total: number
  /** The maximum number of tasks that run concurrently for one caller, even while no other caller waits. */
  readonly perCaller: number
}

/** A semaphore that gives its slots to callers in turn, however many tasks a single caller has waiting. */
export class FairSemaphore {
  readonly #perCaller: number
  /** The running and waiting tasks by caller. The caller that got a slot most recently is at the end. */
  readonly #lanes = new Map<string, Lane>()
  #free: number

  constructor({ total, perCaller }: Slots) {
    this.#free = total
    this.#perCaller = perCaller
  }

  /**
   * Runs a task for several callers. The task is counted for the caller that has the fewest running and waiting tasks.
   */
  async run<Result>(callers: Iterable<string>, work: () => Promise<Result>): Promise<Result> {
    const caller = this.#leastBusy(callers)
    await this.#acquire(caller)
    try {
      return await work()
    } finally {
      this.#release(caller)
    }
  }

  #leastBusy(callers: Iterable<string>): string {
    let found = { caller: "", load: Number.POSITIVE_INFINITY }
    for (const caller of callers) {
      const lane = this.#lanes.get(caller)
      if (!lane) return caller
      const load = lane.waiting.length + lane.running
      if (load < found.load) found = { caller, load }
    }
    return found.caller
  }

  #acquire(caller: string): Promise<void> | undefined {
    const lane = this.#lanes.get(caller) ?? { running: 0, waiting: [] }
    if (this.#free === 0 || lane.running === this.#perCaller) {
      this.#lanes.set(caller, lane)
      return new Promise((resolve) => lane.waiting.push(resolve))
    }
    this.#take(caller, lane)
    return undefined
  }

  #take(caller: string, lane: Lane): void {
    this.#free--
    lane.running++
    this.#lanes.delete(caller)
    this.#lanes.set(caller, lane)
  }

  #release(caller: string): void {
    this.#free++
    const own = this.#lanes.get(caller)
    if (own) own.running--
    if (own?.running === 0 && own.waiting.length === 0) this.#lanes.delete(caller)
    for (const [next, lane] of this.#lanes) {
      const resume = lane.running < this.#perCaller ? lane.waiting.shift() : undefined
      if (!resume) continue
      this.#take(next, lane)
      resume()
      return
    }
  }
}
