import { setImmediate as breathe } from "node:timers/promises"
import type { LiveRead } from "../../../engine/operations/reads/live.ts"
import type { CommittedChange } from "../../../sql/changes/read-changes.ts"
import type { LiveEngine } from "../live-engine.ts"
import type { StreamClient } from "../stream-client.ts"
import type { FairSemaphore } from "../topics/fair-semaphore.ts"
import { type Snapshot, snapshotOf } from "./snapshot.ts"
import type { SnapshotCache } from "./snapshot-cache.ts"

export interface LiveSubscriber {
  /** The client of the subscriber's stream. */
  readonly client: StreamClient
  /** True if a snapshot can be sent to the subscriber's client now. */
  readonly isReady: boolean
  /** True if the subscriber's client may have seen changes that this process has not read yet. */
  readonly isAhead: boolean
  /**
   * Receives the query's newest snapshot, and the number of the read that it comes from. Snapshots come in order, but the
   * same result may come again.
   */
  receive(snapshot: Snapshot, read: number): void
  /** True if the subscriber waits for the end of a read; see `expect`. */
  readonly isExpecting: boolean
  /** Called when all subscribers have received the result of this read, or nothing, because it has not changed. */
  onPublished(read: number): void
  /**
   * Called when there is a new snapshot, or there will be one, that cannot be sent yet. When the subscriber is ready,
   * it requests the snapshot with `sendTo`.
   */
  postpone(): void
  /** Called when the snapshot that the subscriber has requested is delayed. */
  onDelayed(): void
  /** Called when the query has failed and will not run again. */
  fail(error: unknown): void
  /**
   * Evaluates the rules again if their last result is too old, and leaves the query if the caller's rights have
   * changed.
   */
  renew(): Promise<void>
}

interface QueryDependencies {
  readonly engine: LiveEngine
  readonly semaphore: FairSemaphore
  readonly snapshots: SnapshotCache
  readonly read: LiveRead
  /** Runs the read and returns its result as JSON text. */
  run(): Promise<string>
}

// The maximum rest of a live query after a run. A query rests for as long as its last run took, so under continuous
// writes it runs at most half of the time. With this maximum, a query that takes half a second shows the last write
// within two seconds.
const MAX_REST_MS = 500
const RETRY_MIN_MS = 250
const RETRY_MAX_MS = 10_000
// The number of subscribers that are sent a snapshot before the loop yields to the event loop; 250 take about 3 ms.
const SUBSCRIBERS_PER_SLICE = 250
const RENEWALS_PER_BATCH = 50

/**
 * A query that runs again when its result may have changed, once for all of its subscribers. It keeps only the hash of
 * its newest snapshot; the snapshot itself is in the cache until the cache evicts it.
 */
export class LiveQuery {
  readonly #dependencies: QueryDependencies
  readonly #subscribers = new Set<LiveSubscriber>()
  /** The subscribers that wait for a snapshot and get the next one even if the result has not changed. */
  readonly #waiting = new Set<LiveSubscriber>()
  /**
   * The subscribers that joined after the last read began. They may have seen a change that this read does not show.
   */
  readonly #latecomers = new Set<LiveSubscriber>()
  /** The subscribers that want to know which reads have been published. */
  readonly #expecting = new Set<LiveSubscriber>()
  /** The number of this query's subscribers by caller. */
  readonly #callers = new Map<string, number>()
  #hash: string | undefined
  /** The number of reads that have begun. */
  #reads = 0
  #isStale = true
  #isRunning = false
  #timer: NodeJS.Timeout | undefined
  #restsUntil = Number.NEGATIVE_INFINITY
  #failures = 0

  constructor(dependencies: QueryDependencies) {
    this.#dependencies = dependencies
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

  /** True if these changes may alter the query's result, or if the query will run again anyway. */
  isTouchedBy(changes: readonly CommittedChange[]): boolean {
    // While a read is running, changes are not compared with the cached snapshot, because the read may return other
    // records.
    const shown = this.#isRunning || this.#isStale ? undefined : this.#dependencies.snapshots.get(this)?.data
    return this.#isStale || this.#dependencies.read.isAffectedBy(changes, shown)
  }

  /**
   * Adds a subscriber and sends it a snapshot. The snapshot must not be older than the data that the client may have
   * seen through another process. This process has already read the changes in that data, so a cached snapshot is new
   * enough unless a later change has touched the query.
   */
  add(subscriber: LiveSubscriber): void {
    const { key } = subscriber.client.caller
    this.#subscribers.add(subscriber)
    this.#callers.set(key, (this.#callers.get(key) ?? 0) + 1)
    if (subscriber.isAhead) this.#isStale = true
    this.#latecomers.add(subscriber)
    this.sendTo(subscriber)
  }

  /** Sends the newest snapshot to the subscriber, as soon as the snapshot has been read. */
  sendTo(subscriber: LiveSubscriber): void {
    const isCurrent = !this.#isStale && !this.#isRunning
    const snapshot = isCurrent ? this.#dependencies.snapshots.get(this) : undefined
    if (snapshot) {
      subscriber.receive(snapshot, this.#reads)
      return
    }
    this.#waiting.add(subscriber)
    this.#runSoon()
  }

  /** True if the subscriber has received everything that follows from the changes reported so far. */
  isCurrentFor(subscriber: LiveSubscriber): boolean {
    return !this.#isStale && !this.#isRunning && !this.#waiting.has(subscriber)
  }

  /**
   * Returns the number of the first read whose result shows all changes reported so far. The subscriber's `onPublished`
   * is called from now on, as long as the subscriber waits for such a read.
   */
  expect(subscriber: LiveSubscriber): number {
    this.#expecting.add(subscriber)
    return this.#isStale ? this.#reads + 1 : this.#reads
  }

  remove(subscriber: LiveSubscriber): void {
    if (!this.#subscribers.delete(subscriber)) return
    this.#waiting.delete(subscriber)
    this.#latecomers.delete(subscriber)
    this.#expecting.delete(subscriber)
    const { key } = subscriber.client.caller
    const others = (this.#callers.get(key) ?? 1) - 1
    if (others > 0) this.#callers.set(key, others)
    else this.#callers.delete(key)
    if (!this.isEmpty) return
    clearTimeout(this.#timer)
    this.#dependencies.snapshots.delete(this)
  }

  /** Runs the query again, because its snapshot may be out of date. */
  refresh(): void {
    this.#isStale = true
    this.#runSoon()
  }

  #runSoon(): void {
    if (this.#timer || this.#isRunning || !this.#hasReadySubscriber()) return
    this.#runIn(this.#restsUntil - performance.now())
  }

  // True if a snapshot can be sent to at least one subscriber. If not, the query does not run, and each subscriber
  // requests a snapshot when it is ready.
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
    // All subscribers may have left or become slow while the query waited for its semaphore slot.
    if (!this.#hasReadySubscriber()) return
    const startedAt = performance.now()
    const snapshot = await this.#read()
    this.#restAfter(performance.now() - startedAt)
    if (!this.isEmpty) await this.#publish(snapshot)
    // Changes that arrive while a snapshot is sent indicate continuous writes, and subscribers need not see each
    // change. So the query also rests for as long as sending took.
    if (this.#isStale) this.#restAfter(performance.now() - startedAt)
  }

  #restAfter(workMs: number): void {
    this.#restsUntil = performance.now() + Math.min(MAX_REST_MS, workMs)
  }

  async #read(): Promise<Snapshot> {
    // Changes committed from now on may be missing from the result. A change that arrives during the read sets this
    // flag again.
    this.#isStale = false
    this.#latecomers.clear()
    this.#reads++
    const { run, engine } = this.#dependencies
    const snapshot = await snapshotOf(await run())
    return engine.hasShortcuts ? snapshot : { ...snapshot, events: undefined }
  }

  async #publish(snapshot: Snapshot): Promise<void> {
    const isNew = snapshot.hash !== this.#hash
    this.#hash = snapshot.hash
    const [caller] = this.#callers.keys()
    this.#dependencies.snapshots.set(this, snapshot, this.#callers.size === 1 ? caller : undefined)
    await this.#sendToAll(isNew ? this.#subscribers : this.#waiting, snapshot)
    if (snapshot.events) snapshot.events.length = 0
    this.#confirmPublished()
  }

  #confirmPublished(): void {
    for (const subscriber of [...this.#expecting]) {
      // A subscriber that still waits for a snapshot needs a later read.
      if (!this.#waiting.has(subscriber)) subscriber.onPublished(this.#reads)
      if (!subscriber.isExpecting) this.#expecting.delete(subscriber)
    }
  }

  // Sends the snapshot to the subscribers, and yields to the event loop after each batch of subscribers.
  async #sendToAll(subscribers: Iterable<LiveSubscriber>, snapshot: Snapshot): Promise<void> {
    let sent = 0
    for (const subscriber of [...subscribers]) {
      if (!this.#subscribers.has(subscriber) || this.#mayHaveNewer(subscriber)) continue
      this.#waiting.delete(subscriber)
      subscriber.receive(snapshot, this.#reads)
      sent++
      if (sent % SUBSCRIBERS_PER_SLICE === 0) await breathe()
    }
  }

  // True if the subscriber may have seen a newer result than this snapshot: a change was committed after the read
  // began, and maybe before the subscriber joined. The next read shows that change.
  #mayHaveNewer(subscriber: LiveSubscriber): boolean {
    return this.#isStale && this.#latecomers.has(subscriber)
  }

  #failed(error: unknown): void {
    this.#isStale = true
    if (!this.#dependencies.engine.isTemporary(error)) {
      for (const subscriber of [...this.#subscribers]) subscriber.fail(error)
      return
    }
    for (const subscriber of this.#waiting) subscriber.onDelayed()
    // Waits before the next retry; the delay doubles with each failure.
    this.#restsUntil = performance.now() + Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** this.#failures)
    this.#failures++
  }
}
