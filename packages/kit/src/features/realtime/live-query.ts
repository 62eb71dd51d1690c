import { createHash } from "node:crypto"
import { setImmediate as breathe } from "node:timers/promises"
import type { LiveRead } from "../../engine/operations/live.ts"
import type { NotedChange } from "../../sql/read-changes.ts"
import type { Turns } from "./turns.ts"

/** The result of a live query as it is sent, the same bytes to all. */
export interface Snapshot {
  readonly hash: string
  readonly data: Buffer
}

export interface LiveSubscriber {
  /** Whether it may have been told of changes that this process has not followed yet. */
  readonly isAhead: boolean
  /** Called whenever there may be something new, in order; not again for the same snapshot. */
  receive(snapshot: Snapshot): void
  /** The query cannot be answered, and does not go on. */
  fail(error: unknown): void
  /** Judges the rights again if that was long ago, and leaves the query if they are others now. */
  renew(): Promise<void>
}

export interface QueryParts {
  readonly read: LiveRead
  readonly turns: Turns
  /** The result of the read as JSON. */
  run(): Promise<string>
  /** Whether the reason may be gone in a moment. */
  isTemporary(error: unknown): boolean
}

// Under load a query is run again after this time, and at once when it has rested.
const REST_MS = 50
const RETRY_MIN_MS = 250
const RETRY_MAX_MS = 10_000
const TOLD_AT_ONCE = 200
const RENEWED_AT_ONCE = 50
const HASH_LENGTH = 16

/** One query that is run again when its answer may have changed, whoever and however many wait for it. */
export class LiveQuery {
  readonly #parts: QueryParts
  readonly #subscribers = new Set<LiveSubscriber>()
  /** Those who have not been told anything yet. */
  readonly #newcomers = new Set<LiveSubscriber>()
  /** Those who came after the last read had begun: they may know of a change that it does not show. */
  readonly #latecomers = new Set<LiveSubscriber>()
  #snapshot: Snapshot | undefined
  #isStale = true
  #isRunning = false
  #timer: NodeJS.Timeout | undefined
  #startedAt = Number.NEGATIVE_INFINITY
  #failures = 0

  constructor(parts: QueryParts) {
    this.#parts = parts
  }

  get read(): LiveRead {
    return this.#parts.read
  }

  get isEmpty(): boolean {
    return this.#subscribers.size === 0
  }

  /** Whether the answer may be another after these changes, unless it is to be read again anyway. */
  isTouchedBy(changes: readonly NotedChange[]): boolean {
    // What is being read may show other records than what was read before.
    const shown = this.#isRunning ? undefined : this.#snapshot?.data
    return this.#isStale || changes.some((change) => this.#parts.read.isTouchedBy(change, shown))
  }

  /**
   * Whoever comes may know all that was committed before, from another process. What this one has followed covers that,
   * so that a snapshot will do if nothing has touched the query since it was read.
   */
  add(subscriber: LiveSubscriber): void {
    this.#subscribers.add(subscriber)
    if (subscriber.isAhead) this.#isStale = true
    if (this.#snapshot && !this.#isStale && !this.#isRunning) {
      subscriber.receive(this.#snapshot)
      return
    }
    this.#newcomers.add(subscriber)
    this.#latecomers.add(subscriber)
    this.#runSoon()
  }

  remove(subscriber: LiveSubscriber): void {
    this.#subscribers.delete(subscriber)
    this.#newcomers.delete(subscriber)
    this.#latecomers.delete(subscriber)
    if (this.isEmpty) clearTimeout(this.#timer)
  }

  /** What was read before may be out of date. */
  refresh(): void {
    this.#isStale = true
    this.#runSoon()
  }

  #runSoon(): void {
    if (this.#timer || this.#isRunning || this.isEmpty) return
    this.#runIn(this.#startedAt + REST_MS - performance.now())
  }

  #runIn(delayMs: number): void {
    if (delayMs <= 0) return void this.#run()
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.#run()
    }, delayMs)
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    this.#startedAt = performance.now()
    try {
      if (this.#parts.read.isJudged) await this.#renewAll()
      if (!this.isEmpty) await this.#parts.turns.run(() => this.#readAndTell())
      this.#failures = 0
    } catch (error) {
      this.#failed(error)
    }
    this.#isRunning = false
    if (this.#isStale || this.#newcomers.size > 0) this.#runSoon()
  }

  async #renewAll(): Promise<void> {
    const all = [...this.#subscribers]
    for (let start = 0; start < all.length; start += RENEWED_AT_ONCE) {
      await Promise.all(all.slice(start, start + RENEWED_AT_ONCE).map((each) => each.renew()))
      if (start + RENEWED_AT_ONCE < all.length) await breathe()
    }
  }

  async #readAndTell(): Promise<void> {
    // All may have left while it waited for its turn.
    if (this.isEmpty) return
    // Whatever changes from now on may be missing from the answer.
    this.#isStale = false
    this.#latecomers.clear()
    const snapshot = snapshotOf(await this.#parts.run())
    const isNew = snapshot.hash !== this.#snapshot?.hash
    if (isNew) this.#snapshot = snapshot
    await this.#tell(isNew ? this.#subscribers : this.#newcomers, this.#snapshot ?? snapshot)
  }

  // A long line of subscribers leaves others room to breathe.
  async #tell(subscribers: Iterable<LiveSubscriber>, snapshot: Snapshot): Promise<void> {
    let told = 0
    for (const subscriber of [...subscribers]) {
      if (!this.#subscribers.has(subscriber) || this.#mayKnowMore(subscriber)) continue
      this.#newcomers.delete(subscriber)
      subscriber.receive(snapshot)
      told++
      if (told % TOLD_AT_ONCE === 0) await breathe()
    }
  }

  // Something was committed after the read had begun, and maybe before they came. The next read shows it.
  #mayKnowMore(subscriber: LiveSubscriber): boolean {
    return this.#isStale && this.#latecomers.has(subscriber)
  }

  #failed(error: unknown): void {
    this.#isStale = true
    if (!this.#parts.isTemporary(error)) {
      for (const subscriber of [...this.#subscribers]) subscriber.fail(error)
      return
    }
    // Not to be asked again at once: the rest is longer after each failure.
    this.#startedAt = performance.now() + Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** this.#failures) - REST_MS
    this.#failures++
  }
}

// Postgres puts each record on a line of its own, and an event has one line. Inside of JSON strings there is no line break.
function snapshotOf(json: string): Snapshot {
  const text = json.replaceAll("\n", "")
  return { hash: createHash("sha1").update(text).digest("base64url").slice(0, HASH_LENGTH), data: Buffer.from(text) }
}
