import type { Logger } from "../../ports/logger.ts"

/** Runs background tasks, for which no request waits. The shutdown of the app waits for these tasks. */
export class Background {
  readonly #running = new Set<Promise<void>>()
  readonly #logger: Logger

  constructor(logger: Logger) {
    this.#logger = logger
  }

  run(what: string, work: Promise<unknown>): void {
    const done = work.then(
      () => undefined,
      (error: unknown) => this.#logger.warn(`${what} failed.`, { error }),
    )
    this.#running.add(done)
    void done.then(() => this.#running.delete(done))
  }

  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }
}
