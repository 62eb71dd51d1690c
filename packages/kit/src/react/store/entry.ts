import type { LayeredResult, Overlay } from "./layer.ts"
import type { Query } from "./query-key.ts"
import type { FoundData, PreloadedData, Result } from "./result.ts"
import { share } from "./share.ts"

/**
 * The time for which a result without subscribers is kept: strict mode and changing options unsubscribe for a moment.
 */
const GRACE_MS = 2_000

/**
 * The time for which a result waits for its first subscriber. React may drop a render, and then there never is one. While
 * a page is hydrated, the first subscriber may come late.
 */
const UNCLAIMED_MS = 30_000

/**
 * The time for which the result of a suspended component is kept after it has arrived. The component may be waiting for
 * a slower read beside it. If the result were gone by then, the component would suspend again.
 */
const SUSPENDED_MS = 10_000

/** The state of a read, besides its data. */
export interface ReadState extends Pick<Result, "status" | "error"> {
  readonly isFetching?: boolean | undefined
}

/** The store of a client, as its entries use it. */
export interface EntryStore {
  /** The optimistic changes; undefined before the first mutation. */
  readonly overlay: Overlay | undefined
  /** The time of the last `reset`. Data of an earlier time must not be shown again. */
  readonly resetAt: number
  /**
   * Resolves when code that awaits a sign-in has stored the new token. What is read before would be read as the former
   * user. Undefined if nobody has signed in or out.
   */
  readonly hasToken: Promise<void> | undefined
  /**
   * Takes an entry back that was forgotten, because it has a subscriber again. Returns another entry if that has taken
   * its place.
   */
  keep(entry: Entry): Entry
  forget(entry: Entry): void
}

/** The result of one read of a client, which all components with this read share. */
export abstract class Entry implements LayeredResult {
  readonly query: Query
  readonly key: string
  readonly store: EntryStore
  #result: Result | undefined
  #serverResult: Result | undefined
  #pending: Result | undefined
  #state: ReadState = { status: "pending", error: undefined }
  /** The newest result of the server, without the layers. */
  #base: FoundData | undefined
  #preloaded: PreloadedData | undefined
  /** The last reset of the store that this entry knows of. An entry that was forgotten misses the next one. */
  #resetAt: number
  readonly #listeners = new Set<() => void>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #hadSubscriber = false
  #settling: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined

  constructor(store: EntryStore, query: Query, key: string) {
    this.store = store
    this.#resetAt = store.resetAt
    this.query = query
    this.key = key
  }

  get kind() {
    return this.query.facts.kind
  }

  get resource() {
    return this.query.facts.resource
  }

  get id() {
    return this.query.facts.id
  }

  get locale() {
    return this.query.locale
  }

  get options() {
    return this.query.options
  }

  get result(): Result {
    return this.#result ?? this.#pendingResult()
  }

  /** The result of the server's render, which the browser shows while it hydrates. */
  get serverResult(): Result {
    return this.#serverResult ?? this.#pendingResult()
  }

  get base(): FoundData | undefined {
    return this.#base
  }

  /** Begins to read, unless the entry reads already or has what it needs. */
  protected abstract start(): void

  /** Ends all reading. The entry can be started again. */
  protected abstract stop(): void

  /** The members that only the results of this kind of read have. */
  protected abstract members(state: ReadState): object

  /** The status of a result that was preloaded. */
  protected abstract readonly preloadedStatus: Result["status"]

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    this.#hadSubscriber = true
    clearTimeout(this.#timer)
    // A hidden part of a page has no subscribers, and gets them back without a render.
    if (this.store.keep(this) !== this || this.#resetAt !== this.store.resetAt) this.reset()
    this.start()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.expireAfter(this.graceMs)
    }
  }

  /** Ends the entry unless it gets a subscriber. Called when a component has been rendered with it for the first time. */
  awaitSubscriber(): void {
    this.expireAfter(UNCLAIMED_MS)
  }

  /** Ends the entry after this time, unless it has got a subscriber. */
  expireAfter(delayMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      if (this.#listeners.size > 0) return
      this.store.forget(this)
      this.#end()
    }, delayMs)
  }

  protected get graceMs(): number {
    // After an error, the next attempt reads again.
    return this.#state.status === "error" ? 0 : GRACE_MS
  }

  /** Reads without a subscriber. Resolves when there is data or an error. */
  settled(): Promise<void> {
    clearTimeout(this.#timer)
    this.start()
    this.#settling ??= newSettling()
    return this.#settling.promise
  }

  /** Shows a preloaded result until the server has sent one. */
  preload(found: PreloadedData): void {
    if (found === this.#preloaded) return
    this.#preloaded = found
    const state: ReadState = { status: this.preloadedStatus, error: undefined }
    this.#serverResult = { ...state, ...this.members(state), data: found.data, updatedAt: new Date(found.at) }
    if (this.#base || found.isUsed || found.arrivedAt < this.store.resetAt) return
    this.#base = found
    this.#state = state
    this.#result = this.#serverResult
  }

  get isCurrent(): boolean {
    return false
  }

  renew(): void {}

  /** Takes over a result of the server, unless the optimistic changes have to wait with it. */
  protected receive(found: FoundData, state: ReadState): void {
    const { overlay } = this.store
    const take = () => this.#take(found, state)
    if (overlay) overlay.receive(this, { data: found.data, take })
    else take()
  }

  #take(found: FoundData, state: ReadState): void {
    const former = this.#base
    const data = share(former?.data, found.data)
    // An equal result is not a change of the data.
    this.#base = { ...found, data, at: former && data === former.data ? former.at : found.at }
    // The stream may have ended since.
    this.show(state.status === "live" && !this.isCurrent ? { ...state, status: "stale" } : state)
  }

  /** Forgets what the server has sent, because it was meant for another user, and reads again if somebody waits for it. */
  reset(): void {
    this.#base = undefined
    this.#resetAt = this.store.resetAt
    this.#end()
    this.show({ status: "pending", error: undefined })
    if (this.#listeners.size > 0 || this.#settling) this.start()
  }

  /** Computes the shown result again, and calls the subscribers if it has changed. */
  show(state: ReadState = this.#state): void {
    const { data: old, updatedAt: formerTime } = this.result
    const data = this.#base && share(old, this.#withChanges(this.#base.data))
    const { status, error, isFetching } = this.#state
    const isSame = status === state.status && error === state.error && isFetching === state.isFetching
    this.#state = state
    if (isSame && data === old) return
    const updatedAt = this.#base && (data === old ? formerTime : new Date(this.#base.at))
    this.#result = { status: state.status, error: state.error, ...this.members(state), data, updatedAt }
    for (const listener of [...this.#listeners]) listener()
    if (state.status !== "pending") this.#settle()
  }

  #pendingResult(): Result {
    const state: ReadState = { status: "pending", error: undefined }
    this.#pending ??= { ...state, ...this.members(state), data: undefined, updatedAt: undefined }
    return this.#pending
  }

  #end(): void {
    if (this.#preloaded && this.#hadSubscriber) this.#preloaded.isUsed = true
    this.stop()
  }

  #settle(): void {
    this.#settling?.resolve()
    this.#settling = undefined
    if (this.#listeners.size === 0) this.expireAfter(SUSPENDED_MS)
  }

  #withChanges(data: unknown): unknown {
    const { overlay } = this.store
    return overlay ? overlay.over(this, data) : data
  }
}

function newSettling() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
