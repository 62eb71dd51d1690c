import { setImmediate as breathe } from "node:timers/promises"
import type { LiveRead } from "../../../engine/operations/live.ts"
import type { NotedChange } from "../../../sql/changes/read-changes.ts"
import type { FairSemaphore } from "../topics/fair-semaphore.ts"
import { type Snapshot, snapshotOf } from "./snapshot.ts"
import type { SnapshotCache } from "./snapshot-cache.ts"

export interface LiveSubscriber {
  /** The user or the address that its stream belongs to. */
  readonly caller: string
  /** Whether its client can be sent a snapshot now. */
  readonly isReady: boolean
  /** Whether it may have been told of changes that this process has not followed yet. */
  readonly isAhead: boolean
  /** Called whenever there may be something new, in order; not again for the same snapshot. */
  receive(snapshot: Snapshot): void
  /** There is something new, or there will be: it asks for that with `sendTo` when it is ready. */
  postpone(): void
  /** What it asked for is late. */
  wait(): void
  /** The query cannot be answered, and does not go on. */
  fail(error: unknown): void
  /** Judges the rights again if that was long ago, and leaves the query if they are others now. */
  renew(): Promise<void>
}

export interface QueryParts {
  readonly read: LiveRead
  readonly turns: FairSemaphore
  readonly snapshots: SnapshotCache
  /** The result of the read as JSON. */
  run(): Promise<string>
  /** Whether the reason may be gone in a moment. */
  isTemporary(error: unknown): boolean
}

// A query rests for as long as its last run took, so that a stream of writes has it running half of the time at most. The
// longest rest leaves a query of half a second time to be right two seconds after the last write.
const MAX_REST_MS = 500
const RETRY_MIN_MS = 250
const RETRY_MAX_MS = 10_000
// Sent without a pause: 250 take some 5 ms.
const TOLD_AT_ONCE = 250
const RENEWED_AT_ONCE = 50

/**
 * One query that is run again when its answer may have changed, whoever and however many wait for it. It keeps the hash of
 * its snapshot; the bytes are in the cache, or gone.
 */
export class LiveQuery {
  readonly #parts: QueryParts
  readonly #subscribers = new Set<LiveSubscriber>()
  /** Those who have not been told anything yet. */
  readonly #newcomers = new Set<LiveSubscriber>()
  /** Those who came after the last read had begun: they may know of a change that it does not show. */
  readonly #latecomers = new Set<LiveSubscriber>()
  /** How many subscribers each caller has. */
  readonly #callers = new Map<string, number>()
  #hash: string | undefined
  #isStale = true
  #isRunning = false
  #timer: NodeJS.Timeout | undefined
  #restsUntil = Number.NEGATIVE_INFINITY
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

  isFollowedBy(caller: string): boolean {
    return this.#callers.has(caller)
  }

  /** Whether the answer may be another after these changes, unless it is to be read again anyway. */
  isTouchedBy(changes: readonly NotedChange[]): boolean {
    // What is being read may show other records than what was read before.
    const shown = this.#isRunning || this.#isStale ? undefined : this.#parts.snapshots.get(this)?.data
    return this.#isStale || this.#parts.read.isTouchedBy(changes, shown)
  }

  /**
   * Whoever comes may know all that was committed before, from another process. What this one has followed covers that,
   * so that a snapshot will do if nothing has touched the query since it was read.
   */
  add(subscriber: LiveSubscriber): void {
    const { caller } = subscriber
    this.#subscribers.add(subscriber)
    this.#callers.set(caller, (this.#callers.get(caller) ?? 0) + 1)
    if (subscriber.isAhead) this.#isStale = true
    this.#latecomers.add(subscriber)
    this.sendTo(subscriber)
  }

  /** Sends the newest snapshot to the subscriber as soon as it is there. */
  sendTo(subscriber: LiveSubscriber): void {
    const isCurrent = !this.#isStale && !this.#isRunning
    const snapshot = isCurrent ? this.#parts.snapshots.get(this) : undefined
    if (snapshot) {
      subscriber.receive(snapshot)
      return
    }
    this.#newcomers.add(subscriber)
    this.#runSoon()
  }

  remove(subscriber: LiveSubscriber): void {
    if (!this.#subscribers.delete(subscriber)) return
    this.#newcomers.delete(subscriber)
    this.#latecomers.delete(subscriber)
    const others = (this.#callers.get(subscriber.caller) ?? 1) - 1
    if (others > 0) this.#callers.set(subscriber.caller, others)
    else this.#callers.delete(subscriber.caller)
    if (!this.isEmpty) return
    clearTimeout(this.#timer)
    this.#parts.snapshots.delete(this)
  }

  /** What was read before may be out of date. */
  refresh(): void {
    this.#isStale = true
    this.#runSoon()
  }

  #runSoon(): void {
    if (this.#timer || this.#isRunning || !this.#isAwaited()) return
    this.#runIn(this.#restsUntil - performance.now())
  }

  // While no subscriber can take a snapshot, none is read: each asks for it when it is ready.
  #isAwaited(): boolean {
    for (const subscriber of this.#subscribers) if (subscriber.isReady) return true
    this.#newcomers.clear()
    for (const subscriber of [...this.#subscribers]) subscriber.postpone()
    return false
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
    try {
      if (this.#parts.read.isJudged) await this.#renewAll()
      if (!this.isEmpty) await this.#parts.turns.run(this.#callers.keys(), () => this.#readInTurn())
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

  async #readInTurn(): Promise<void> {
    // All may have left, or fallen behind, while it waited for its turn.
    if (!this.#isAwaited()) return
    const startedAt = performance.now()
    const snapshot = await this.#read()
    this.#restAfter(performance.now() - startedAt)
    if (!this.isEmpty) await this.#publish(snapshot)
    // Changes that came while it was sent are a stream of them, of which subscribers need not see every one.
    if (this.#isStale) this.#restAfter(performance.now() - startedAt)
  }

  #restAfter(workMs: number): void {
    this.#restsUntil = performance.now() + Math.min(MAX_REST_MS, workMs)
  }

  async #read(): Promise<Snapshot> {
    // Whatever changes from now on may be missing from the answer.
    this.#isStale = false
    this.#latecomers.clear()
    return snapshotOf(await this.#parts.run())
  }

  async #publish(snapshot: Snapshot): Promise<void> {
    const isNew = snapshot.hash !== this.#hash
    this.#hash = snapshot.hash
    const [caller] = this.#callers.keys()
    this.#parts.snapshots.set(this, snapshot, this.#callers.size === 1 ? caller : undefined)
    await this.#tell(isNew ? this.#subscribers : this.#newcomers, snapshot)
    snapshot.events.length = 0
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
    for (const subscriber of this.#newcomers) subscriber.wait()
    // Not to be asked again at once: the rest is longer after each failure.
    this.#restsUntil = performance.now() + Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** this.#failures)
    this.#failures++
  }
}
