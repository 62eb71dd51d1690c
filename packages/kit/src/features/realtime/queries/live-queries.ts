import { setImmediate as breathe } from "node:timers/promises"
import { keyOfChange, type LiveRead } from "../../../engine/operations/reads/live.ts"
import { answerText } from "../../../engine/read/answer-text.ts"
import type { CommittedChange } from "../../../sql/changes/read-changes.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import type { LiveEngine } from "../live-engine.ts"
import type { StreamCaller, StreamClient } from "../stream-client.ts"
import type { ByteBudget } from "../topics/byte-budget.ts"
import { FairSemaphore } from "../topics/fair-semaphore.ts"
import { LiveQuery, type LiveSubscriber } from "./live-query.ts"
import { SnapshotCache } from "./snapshot-cache.ts"

const MANY_CHANGES = 500
// After matching changes against live queries for this long, the loop yields to the event loop.
const SLICE_MS = 5

/** A subscriber's subscription to its live query. */
export interface Subscription {
  /** Sends the query's newest snapshot to the subscriber as soon as the snapshot has been read. */
  send(): void
  /** True if the subscriber has received everything that follows from the changes reported so far. */
  readonly isCurrent: boolean
  /** Returns the number of the first read whose result shows all changes reported so far; see `LiveQuery.expect`. */
  expect(): number
  leave(): void
}

export interface QueryLimits {
  /** The maximum number of live queries that run concurrently. */
  readonly maxConcurrent: number
  /** The maximum size of the snapshots that are cached for new subscribers. */
  readonly cacheBudget: ByteBudget
}

/**
 * All live queries of this process. Subscribers with equal queries share one live query. Live queries are indexed by
 * the resources that they read.
 */
export class LiveQueries {
  readonly #engine: LiveEngine
  readonly #semaphore: FairSemaphore
  readonly #snapshots: SnapshotCache
  readonly #queries = new Map<string, LiveQuery>()
  readonly #byResource = new Map<string, Set<LiveQuery>>()
  /** The number of different live queries that each caller follows. */
  readonly #counts = new Map<string, number>()

  constructor(engine: LiveEngine, { maxConcurrent, cacheBudget }: QueryLimits) {
    this.#engine = engine
    this.#semaphore = new FairSemaphore({
      total: maxConcurrent,
      perCaller: Math.max(1, Math.floor(maxConcurrent / 2)),
    })
    this.#snapshots = new SnapshotCache(cacheBudget)
  }

  /** Subscribes to the live query that performs this read. The first subscriber starts the query. */
  join(read: LiveRead, subscriber: LiveSubscriber): Subscription {
    const { isExtended, caller } = subscriber.client
    const key = `${isExtended} ${read.key}`
    if (!this.#queries.get(key)?.isFollowedBy(caller.key)) this.#count(caller)
    const query = this.#queries.get(key) ?? this.#begin(key, read, subscriber.client)
    query.add(subscriber)
    return {
      send: () => query.sendTo(subscriber),
      get isCurrent() {
        return query.isCurrentFor(subscriber)
      },
      expect: () => query.expect(subscriber),
      leave: () => {
        query.remove(subscriber)
        if (!query.isFollowedBy(caller.key)) this.#uncount(caller)
        if (query.isEmpty) this.#end(key, query)
      },
    }
  }

  /**
   * Refreshes every live query whose result may have been altered by these changes. Resolves when all such queries have
   * been found; they may still be running.
   */
  async onChanges(changes: readonly CommittedChange[]): Promise<void> {
    let sliceEndsAt = performance.now() + SLICE_MS
    for (const { query, own } of this.#affectedBy(changes)) {
      // Matching more than `MANY_CHANGES` changes against a query costs more than running the query.
      if (own.length > MANY_CHANGES || query.isTouchedBy(own)) query.refresh()
      if (performance.now() < sliceEndsAt) continue
      await breathe()
      sliceEndsAt = performance.now() + SLICE_MS
    }
  }

  refreshAll(): void {
    for (const query of this.#queries.values()) query.refresh()
  }

  /** Yields each live query that reads a changed resource, together with the changes to that resource. */
  *#affectedBy(changes: readonly CommittedChange[]): Iterable<{ query: LiveQuery; own: readonly CommittedChange[] }> {
    for (const [resource, own] of byResource(changes)) {
      for (const query of [...(this.#byResource.get(resource) ?? [])]) yield { query, own }
    }
  }

  #count({ key, maxQueries }: StreamCaller): void {
    const count = this.#counts.get(key) ?? 0
    if (count >= maxQueries) throw tooMany(maxQueries)
    this.#counts.set(key, count + 1)
  }

  #uncount({ key }: StreamCaller): void {
    const count = (this.#counts.get(key) ?? 1) - 1
    if (count > 0) this.#counts.set(key, count)
    else this.#counts.delete(key)
  }

  #begin(key: string, read: LiveRead, client: StreamClient): LiveQuery {
    const query = new LiveQuery({
      engine: this.#engine,
      semaphore: this.#semaphore,
      snapshots: this.#snapshots,
      read,
      run: () => this.#run(query, client),
    })
    this.#queries.set(key, query)
    for (const resource of read.reads) this.#index(query, resource)
    return query
  }

  // Runs the query's read as the client that started the query. All of its subscribers get the same result.
  #run(query: LiveQuery, client: StreamClient): Promise<string> {
    // A hook may query further resources during the read.
    const onRead = (resource: string) => !query.isEmpty && this.#index(query, resource)
    return this.#engine.runAs(client, async (ctx) => answerText(await query.read.run(ctx, onRead), client.isExtended))
  }

  #index(query: LiveQuery, resource: string): void {
    const others = this.#byResource.get(resource)
    if (others) others.add(query)
    else this.#byResource.set(resource, new Set([query]))
  }

  #end(key: string, query: LiveQuery): void {
    if (this.#queries.get(key) !== query) return
    this.#queries.delete(key)
    for (const resource of query.read.reads) {
      const others = this.#byResource.get(resource)
      others?.delete(query)
      if (others?.size === 0) this.#byResource.delete(resource)
    }
  }
}

function tooMany(most: number): ApiError {
  const remedy = "End some, or ask the operator to raise realtime.queriesPerUser or queriesPerAddress."
  return new ApiError("RATE_LIMITED", { message: `At most ${most} different live queries may be open. ${remedy}` })
}

function byResource(changes: readonly CommittedChange[]): ReadonlyMap<string, readonly CommittedChange[]> {
  const groups = new Map<string, CommittedChange[]>()
  for (const change of changes) {
    const key = keyOfChange(change)
    const group = groups.get(key)
    if (group) group.push(change)
    else groups.set(key, [change])
  }
  return groups
}
