import type { Query, QueryCache, QueryClient, QueryFunctionContext, QueryKey } from "@tanstack/query-core"
import { HANDLE } from "../../wire/realtime/handle.ts"
import type { Watched } from "../loose-client.ts"
import type { AnyQuery } from "../typed/built-options.ts"

// How long a live query stays live without observers. A component that has suspended observes its query only when it
// is mounted, and treats data that is less than a second old as fresh, so it must be longer than that.
const LINGER_MS = 2_000

// The events after which the query may have no observers any more, or none that has it enabled.
const OBSERVER_CHANGES = ["observerAdded", "observerRemoved", "observerOptionsUpdated"]

const LIVE = new WeakMap<AnyQuery, LiveQuery>()

/** True if the query follows its result, so that a read would find nothing new. */
export function isLive(query: AnyQuery): boolean {
  return LIVE.has(query)
}

/** The function of a live query: returns its current result, and follows it unless it is followed already. */
export function goLive(context: QueryFunctionContext, watched: Watched, options: object): Promise<unknown> {
  const { client, queryKey, signal } = context
  const query = client.getQueryCache().find({ queryKey, exact: true })
  // TanStack Query calls the function of a query only while the query is in the cache.
  if (!query) throw new Error("A live query must be in the cache of its query client.")
  const live = LIVE.get(query) ?? new LiveQuery({ client, queryKey, query }, watched, options)
  signal.addEventListener("abort", live.check)
  return live.result()
}

interface Place {
  readonly client: QueryClient
  readonly queryKey: QueryKey
  readonly query: Query
}

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

/** The connection of a query in the cache with a topic of the client. */
class LiveQuery {
  readonly #place: Place
  readonly #stops: (() => void)[] = []
  #newest: { readonly result: unknown } | undefined
  #waiting: Waiting[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(place: Place, watched: Watched, options: object) {
    this.#place = place
    this.#stops.push(
      watched.watch(options, this.#onSnapshot, { onError: this.#onError, onEnd: this.#end }),
      place.client.getQueryCache().subscribe(this.#onCacheEvent),
      watched[HANDLE].parts.user.onChange(this.#forget),
    )
    LIVE.set(place.query, this)
    this.check()
  }

  /** Resolves to the newest result, or to the first one when it arrives. */
  result(): Promise<unknown> {
    if (this.#newest) return Promise.resolve(this.#newest.result)
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  /** Ends the topic soon if nobody observes the query then, or if all observers have disabled it. */
  readonly check = (): void => {
    clearTimeout(this.#timer)
    if (!LIVE.has(this.#place.query) || this.#place.query.isActive()) return
    this.#timer = setTimeout(() => {
      // A prefetch has no observers, and waits for the first result.
      if (this.#place.query.state.fetchStatus === "fetching") this.check()
      else this.#end()
    }, LINGER_MS)
  }

  readonly #onSnapshot = (result: unknown): void => {
    this.#newest = { result }
    const waiting = this.#waiting.splice(0)
    for (const { resolve } of waiting) resolve(result)
    // A fetch that waits for this result sets the data itself, unless it was cancelled.
    const isAwaited = waiting.length > 0 && this.#place.query.state.fetchStatus === "fetching"
    if (!isAwaited) this.#publish()
  }

  #publish(): void {
    const { client, queryKey } = this.#place
    if (this.#newest) client.setQueryData(queryKey, this.#newest.result)
  }

  readonly #onCacheEvent: Parameters<QueryCache["subscribe"]>[0] = (event) => {
    if (event.query !== this.#place.query) return
    if (event.type === "removed") this.#end()
    if (OBSERVER_CHANGES.includes(event.type)) this.check()
    // A fetch has ended: one of `find`, which has the same key, or one of this query that began before the newest
    // result arrived. Its data may be older.
    if (event.type === "updated" && event.action.type === "success" && !event.action.manual)
      if (event.action.data !== this.#newest?.result) this.#publish()
  }

  // Forgets the result, because another user has signed in. The client opens another stream, which sends a new one.
  readonly #forget = (): void => {
    this.#newest = undefined
    // A reset of the query would bring back the data with which it was hydrated.
    this.#place.query.setState({ data: undefined, dataUpdatedAt: 0, error: null, status: "pending" })
  }

  readonly #onError = (error: Error, isFinal?: boolean): void => {
    const waiting = this.#waiting.splice(0)
    for (const { reject } of waiting) reject(error)
    if (!isFinal) return
    const { client, queryKey } = this.#place
    this.#end()
    // The read is tried once more, so that the query gets the error, or a result if the reason has passed.
    if (waiting.length === 0) void client.invalidateQueries({ queryKey, exact: true })
  }

  readonly #end = (): void => {
    if (!LIVE.delete(this.#place.query)) return
    clearTimeout(this.#timer)
    for (const stop of this.#stops.splice(0)) stop()
    const { client, queryKey } = this.#place
    // From now on the data may be old, however recently it has arrived.
    void client.invalidateQueries({ queryKey, exact: true, refetchType: "none" })
  }
}
