import { setImmediate as breathe } from "node:timers/promises"
import type { LiveRead } from "../../../engine/operations/live.ts"
import type { CommittedChange } from "../../../sql/changes/read-changes.ts"
import type { FairSemaphore } from "../topics/fair-semaphore.ts"
import { type Snapshot, snapshotOf } from "./snapshot.ts"
import type { SnapshotCache } from "./snapshot-cache.ts"

export interface LiveSubscriber {
  /** The user or the address that owns its stream. */
  readonly caller: string
  /** True if its client can be sent a snapshot now. */
  readonly isReady: boolean
  /** True if its client may have seen changes that this process has not read yet. */
  readonly isAhead: boolean
  /** Called whenever there may be a new snapshot, in order; not twice for the same snapshot. */
  receive(snapshot: Snapshot): void
  /** There is, or will be, a new snapshot; the subscriber requests it with `sendTo` when it is ready. */
  postpone(): void
  /** The snapshot that it has requested is delayed. */
  onDelayed(): void
  /** The query has failed and does not run again. */
  fail(error: unknown): void
  /** Evaluates the rules again if their last result is too old, and leaves the query if the rights have changed. */
  renew(): Promise<void>
}

export interface QueryDependencies {
  readonly read: LiveRead
  readonly semaphore: FairSemaphore
  readonly snapshots: SnapshotCache
  /** Returns the result of the read as JSON. */
  run(): Promise<string>
  /** True if a retry may succeed. */
  isTemporary(error: unknown): boolean
}

// A query rests for as long as its last run took, so under continuous writes it runs at most half of the time. With
// this maximum, a query that takes half a second shows the last write within two seconds.
const MAX_REST_MS = 500
const RETRY_MIN_MS = 250
const RETRY_MAX_MS = 10_000
// The number of subscribers that are sent a snapshot without yielding to the event loop: 250 take about 5 ms.
const SUBSCRIBERS_PER_SLICE = 250
const RENEWALS_PER_BATCH = 50

/**
 * One query that runs again when its result may have changed, however many subscribers share it. It keeps the hash of
 * its snapshot; the bytes are in the cache, or evicted.
 */
export class LiveQuery {
  readonly #dependencies: QueryDependencies
  readonly #subscribers = new Set<LiveSubscriber>()
  /** The subscribers that wait for a snapshot, even for one that is not new. */
  readonly #waiting = new Set<LiveSubscriber>()
  /** The subscribers that joined after the last read began: they may have seen a change that it does not show. */
  readonly #latecomers = new Set<LiveSubscriber>()
  /** The number of subscribers by caller. */
  readonly #callers = new Map<string, number>()
  #hash: string | undefined
  #isStale = true
  #isRunning = false
  #timer: NodeJS.Timeout | undefined
  #restsUntil = Number.NEGATIVE_INFINITY
  #failures = 0

  constructor(parts: QueryDependencies) {
    this.#dependencies = parts
  }

  get read(): LiveRead {
    return this.#dependencies.read
  }

  get isEmpty(): boolean {
    return this.#subscribers.size === 0
  }

  isFollowedBy(caller: string): boolean {
    return this.#callers.has(caller)
  }

  /** True if these changes may alter the result, or if the query runs again anyway. */
  isTouchedBy(changes: readonly CommittedChange[]): boolean {
    // A read that is running may return other records than the snapshot before it.
    const shown = this.#isRunning || this.#isStale ? undefined : this.#dependencies.snapshots.get(this)?.data
    return this.#isStale || this.#dependencies.read.isAffectedBy(changes, shown)
  }

  /**
   * A new subscriber may already have seen every change committed so far, through another process. This process has
   * read these changes too, so the cached snapshot is current if nothing has touched the query since it was read.
   */
  add(subscriber: LiveSubscriber): void {
    const { caller } = subscriber
    this.#subscribers.add(subscriber)
    this.#callers.set(caller, (this.#callers.get(caller) ?? 0) + 1)
    if (subscriber.isAhead) this.#isStale = true
    this.#latecomers.add(subscriber)
    this.sendTo(subscriber)
  }

  /** Sends the newest snapshot to the subscriber as soon as it has been read. */
  sendTo(subscriber: LiveSubscriber): void {
    const isCurrent = !this.#isStale && !this.#isRunning
    const snapshot = isCurrent ? this.#dependencies.snapshots.get(this) : undefined
    if (snapshot) {
      subscriber.receive(snapshot)
      return
    }
    this.#waiting.add(subscriber)
    this.#runSoon()
  }

  remove(subscriber: LiveSubscriber): void {
    if (!this.#subscribers.delete(subscriber)) return
    this.#waiting.delete(subscriber)
    this.#latecomers.delete(subscriber)
    const others = (this.#callers.get(subscriber.caller) ?? 1) - 1
    if (others > 0) this.#callers.set(subscriber.caller, others)
    else this.#callers.delete(subscriber.caller)
    if (!this.isEmpty) return
    clearTimeout(this.#timer)
    this.#dependencies.snapshots.delete(this)
  }

  /** The snapshot may be out of date: runs the query again. */
  refresh(): void {
    this.#isStale = true
    this.#runSoon()
  }

  #runSoon(): void {
    if (this.#timer || this.#isRunning || !this.#hasReadySubscriber()) return
    this.#runIn(this.#restsUntil - performance.now())
  }

  // While no subscriber can take a snapshot, none is read: each requests it when it is ready.
  #hasReadySubscriber(): boolean {
    for (const subscriber of this.#subscribers) if (subscriber.isReady) return true
    this.#waiting.clear()
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
      if (this.#dependencies.read.hasRuleFunction) await this.#renewAll()
      if (!this.isEmpty) await this.#dependencies.semaphore.run(this.#callers.keys(), () => this.#readAndPublish())
      this.#failures = 0
    } catch (error) {
      this.#failed(error)
    }
    this.#isRunning = false
    if (this.#isStale || this.#waiting.size > 0) this.#runSoon()
  }

  async #renewAll(): Promise<void> {
    const all = [...this.#subscribers]
    for (let start = 0; start < all.length; start += RENEWALS_PER_BATCH) {
      await Promise.all(all.slice(start, start + RENEWALS_PER_BATCH).map((each) => each.renew()))
      if (start + RENEWALS_PER_BATCH < all.length) await breathe()
    }
  }

  async #readAndPublish(): Promise<void> {
    // All subscribers may have left, or become slow, while the query waited for its slot.
    if (!this.#hasReadySubscriber()) return
    const startedAt = performance.now()
    const snapshot = await this.#read()
    this.#restAfter(performance.now() - startedAt)
    if (!this.isEmpty) await this.#publish(snapshot)
    // Changes that arrive while a snapshot is sent are signs of continuous writes, and subscribers need not see each of
    // them: the query also rests for as long as sending took.
    if (this.#isStale) this.#restAfter(performance.now() - startedAt)
  }

  #restAfter(workMs: number): void {
    this.#restsUntil = performance.now() + Math.min(MAX_REST_MS, workMs)
  }

  async #read(): Promise<Snapshot> {
    // Changes from now on may be missing from the result.
    this.#isStale = false
    this.#latecomers.clear()
    return snapshotOf(await this.#dependencies.run())
  }

  async #publish(snapshot: Snapshot): Promise<void> {
    const isNew = snapshot.hash !== this.#hash
    this.#hash = snapshot.hash
    const [caller] = this.#callers.keys()
    this.#dependencies.snapshots.set(this, snapshot, this.#callers.size === 1 ? caller : undefined)
    await this.#sendToAll(isNew ? this.#subscribers : this.#waiting, snapshot)
    snapshot.events.length = 0
  }

  // Yields to the event loop after each batch of subscribers.
  async #sendToAll(subscribers: Iterable<LiveSubscriber>, snapshot: Snapshot): Promise<void> {
    let sent = 0
    for (const subscriber of [...subscribers]) {
      if (!this.#subscribers.has(subscriber) || this.#mayHaveNewer(subscriber)) continue
      this.#waiting.delete(subscriber)
      subscriber.receive(snapshot)
      sent++
      if (sent % SUBSCRIBERS_PER_SLICE === 0) await breathe()
    }
  }

  // A change was committed after the read began, and maybe before the subscriber joined. The next read shows it.
  #mayHaveNewer(subscriber: LiveSubscriber): boolean {
    return this.#isStale && this.#latecomers.has(subscriber)
  }

  #failed(error: unknown): void {
    this.#isStale = true
    if (!this.#dependencies.isTemporary(error)) {
      for (const subscriber of [...this.#subscribers]) subscriber.fail(error)
      return
    }
    for (const subscriber of this.#waiting) subscriber.onDelayed()
    // Backs off: the delay doubles with each failure.
    this.#restsUntil = performance.now() + Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** this.#failures)
    this.#failures++
  }
}
