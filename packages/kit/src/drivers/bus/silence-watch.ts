/** Selects the id that the next writing transaction will get. */
export const NEWEST_TRANSACTION = "select pg_snapshot_xmax(pg_current_snapshot())::text as next"

interface WritePollerDependencies {
  /** The interval of the checks while no messages arrive. */
  readonly calmMs?: number | undefined
  /** Reads the id of the newest transaction; undefined if the database cannot be reached. */
  newest(): Promise<string | undefined>
  /** Called when a transaction has written since the last check. */
  onNewTransaction(): void
}

const CALM_MS = 10_000
// A process may crash between its commit and its notification. So for some time after a message, the checks are more
// frequent.
const ALERT_MS = 1_000
const ALERT_FOR_MS = 5_000

/** Polls for writes without a notification: the process that wrote may have crashed before it sent one. */
export class SilenceWatch {
  readonly #dependencies: WritePollerDependencies
  #newest: string | undefined
  #timer: NodeJS.Timeout | undefined
  #isStarted = false
  #isAlert = false
  #heardAt = Number.NEGATIVE_INFINITY

  constructor(parts: WritePollerDependencies) {
    this.#dependencies = parts
  }

  start(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    this.#lookLater()
  }

  stop(): void {
    this.#isStarted = false
    clearTimeout(this.#timer)
  }

  /** Called when a message has arrived. */
  heard(): void {
    this.#heardAt = performance.now()
    if (this.#isStarted && !this.#isAlert) this.#lookLater()
  }

  #lookLater(): void {
    const calmMs = this.#dependencies.calmMs ?? CALM_MS
    this.#isAlert = performance.now() - this.#heardAt < ALERT_FOR_MS
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#look(), this.#isAlert ? Math.min(calmMs, ALERT_MS) : calmMs)
  }

  async #look(): Promise<void> {
    const newest = await this.#dependencies.newest()
    if (this.#isStarted) this.#lookLater()
    const hasMoved = newest !== undefined && newest !== this.#newest
    this.#newest = newest
    if (hasMoved) this.#dependencies.onNewTransaction()
  }
}
