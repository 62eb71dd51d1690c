/** Reads the id that the next writing transaction will get. This id grows with every transaction that writes. */
export const NEWEST_TRANSACTION = "select pg_snapshot_xmax(pg_current_snapshot())::text as next"

interface WritePollerDependencies {
  /** The interval between two checks for new transactions while no messages arrive. */
  readonly intervalMs?: number | undefined
  /** Reads the id of the newest transaction. Resolves to undefined if the database cannot be reached. */
  newestTransaction(): Promise<string | undefined>
  /** Called when the newest transaction id differs from that of the last check. */
  onNewTransaction(): void
}

const INTERVAL_MS = 10_000
// The polling interval for some seconds after a message has arrived, because a process that writes may crash between
// its commit and its notification.
const FREQUENT_INTERVAL_MS = 1_000
const FREQUENT_FOR_MS = 5_000

/**
 * Polls the database for writes that no notification announced. A process may crash after it has written, and before it
 * has sent the notification.
 */
export class WritePoller {
  readonly #dependencies: WritePollerDependencies
  #newest: string | undefined
  #timer: NodeJS.Timeout | undefined
  #isStarted = false
  #isFrequent = false
  #lastMessageAt = Number.NEGATIVE_INFINITY

  constructor(parts: WritePollerDependencies) {
    this.#dependencies = parts
  }

  start(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    this.#schedule()
  }

  stop(): void {
    this.#isStarted = false
    clearTimeout(this.#timer)
  }

  /** Called when a message has arrived on the bus. Makes polling more frequent for a few seconds. */
  onMessage(): void {
    this.#lastMessageAt = performance.now()
    if (this.#isStarted && !this.#isFrequent) this.#schedule()
  }

  #schedule(): void {
    const calmMs = this.#dependencies.intervalMs ?? INTERVAL_MS
    this.#isFrequent = performance.now() - this.#lastMessageAt < FREQUENT_FOR_MS
    clearTimeout(this.#timer)
    this.#timer = setTimeout(
      () => void this.#poll(),
      this.#isFrequent ? Math.min(calmMs, FREQUENT_INTERVAL_MS) : calmMs,
    )
  }

  async #poll(): Promise<void> {
    const newest = await this.#dependencies.newestTransaction()
    if (!this.#isStarted) return
    this.#schedule()
    const hasAdvanced = newest !== undefined && newest !== this.#newest
    this.#newest = newest
    if (hasAdvanced) this.#dependencies.onNewTransaction()
  }
}
