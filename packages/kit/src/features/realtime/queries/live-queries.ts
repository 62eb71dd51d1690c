import { setImmediate as breathe } from "node:timers/promises"
import { keyOfChange, type LiveRead } from "../../../engine/operations/live.ts"
import type { CommittedChange } from "../../../sql/changes/read-changes.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import { FairSemaphore } from "../topics/fair-semaphore.ts"
import { LiveQuery, type LiveSubscriber, type QueryDependencies } from "./live-query.ts"
import { type ByteBudget, SnapshotCache } from "./snapshot-cache.ts"

const MANY_CHANGES = 500
// After matching changes against live queries for this long, the loop yields to the event loop.
const SLICE_MS = 5

/**
 * The read that a new live query performs. If a hook queries another resource during the read, the function `run` calls
 * `onRead` with the key of that resource.
 */
interface QueryStart {
  readonly read: LiveRead
  /** The maximum number of different live queries that the caller may follow. */
  readonly maxQueriesOfCaller: number
  run(onRead: (resource: string) => void): Promise<string>
}

/** A subscriber's subscription to its live query. */
export interface Subscription {
  /** Sends the query's newest snapshot to the subscriber as soon as the snapshot has been read. */
  send(): void
  leave(): void
}

interface QueriesDependencies extends Pick<QueryDependencies, "isTemporary"> {
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
  readonly #queries = new Map<string, LiveQuery>()
  readonly #byResource = new Map<string, Set<LiveQuery>>()
  /** The number of different live queries that each caller follows. */
  readonly #counts = new Map<string, number>()
  readonly #shared: Pick<QueryDependencies, "semaphore" | "snapshots" | "isTemporary">

  constructor({ maxConcurrent, cacheBudget, isTemporary }: QueriesDependencies) {
    const semaphore = new FairSemaphore({ total: maxConcurrent, perCaller: Math.max(1, Math.floor(maxConcurrent / 2)) })
    this.#shared = { semaphore, snapshots: new SnapshotCache(cacheBudget), isTemporary }
  }

  get isEmpty(): boolean {
    return this.#queries.size === 0
  }

  /** Subscribes to the live query with this key. The first subscriber starts the query. */
  join(key: string, subscriber: LiveSubscriber, start: QueryStart): Subscription {
    const { caller } = subscriber
    if (!this.#queries.get(key)?.isFollowedBy(caller)) this.#count(caller, start.maxQueriesOfCaller)
    const query = this.#queries.get(key) ?? this.#begin(key, start)
    query.add(subscriber)
    return {
      send: () => query.sendTo(subscriber),
      leave: () => {
        query.remove(subscriber)
        if (!query.isFollowedBy(caller)) this.#uncount(caller)
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

  #count(caller: string, most: number): void {
    const count = this.#counts.get(caller) ?? 0
    if (count >= most) throw tooMany(most)
    this.#counts.set(caller, count + 1)
  }

  #uncount(caller: string): void {
    const count = (this.#counts.get(caller) ?? 1) - 1
    if (count > 0) this.#counts.set(caller, count)
    else this.#counts.delete(caller)
  }

  #begin(key: string, { read, run }: QueryStart): LiveQuery {
    const query = new LiveQuery({
      read,
      run: () => run((resource) => !query.isEmpty && this.#index(query, resource)),
      ...this.#shared,
    })
    this.#queries.set(key, query)
    for (const resource of read.reads) this.#index(query, resource)
    return query
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
