/** The number that the next transaction that writes will have. */
export const NEWEST_TRANSACTION = "select pg_snapshot_xmax(pg_current_snapshot())::text as next"

interface SilenceParts {
  /** How often it is asked while nothing is said. */
  readonly calmMs?: number | undefined
  /** The number of the newest transaction; undefined where nobody knows. */
  newest(): Promise<string | undefined>
  /** Something was written since the last time. */
  onMoved(): void
}

const CALM_MS = 10_000
// Who speaks may die in the middle of it: for some time after a message, what was written without a word is looked for.
const ALERT_MS = 1_000
const ALERT_FOR_MS = 5_000

/** Looks now and then whether something was written: whoever did may have died before they could say so. */
export class SilenceWatch {
  readonly #parts: SilenceParts
  #newest: string | undefined
  #timer: NodeJS.Timeout | undefined
  #isStarted = false
  #isAlert = false
  #heardAt = Number.NEGATIVE_INFINITY

  constructor(parts: SilenceParts) {
    this.#parts = parts
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

  /** Somebody has said something. */
  heard(): void {
    this.#heardAt = performance.now()
    if (this.#isStarted && !this.#isAlert) this.#lookLater()
  }

  #lookLater(): void {
    const calmMs = this.#parts.calmMs ?? CALM_MS
    this.#isAlert = performance.now() - this.#heardAt < ALERT_FOR_MS
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#look(), this.#isAlert ? Math.min(calmMs, ALERT_MS) : calmMs)
  }

  async #look(): Promise<void> {
    const newest = await this.#parts.newest()
    if (this.#isStarted) this.#lookLater()
    const hasMoved = newest !== undefined && newest !== this.#newest
    this.#newest = newest
    if (hasMoved) this.#parts.onMoved()
  }
}
