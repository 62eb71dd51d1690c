import type { ClientStore } from "./client-store.ts"
import type { LayeredResult } from "./layer.ts"
import type { Query } from "./query-key.ts"
import type { Result } from "./result.ts"
import { share } from "./share.ts"

/**
 * The time for which a result without subscribers is kept: strict mode and changing options unsubscribe for a moment.
 */
const GRACE_MS = 2_000

/** What a read has found, with the time when it was found. */
export interface FoundData {
  readonly data: unknown
  readonly hash?: string | undefined
  readonly at: number
}

type State = Pick<Result, "status" | "error">

/** The result of one read of a client, which all components with this read share. */
export abstract class Entry implements LayeredResult {
  readonly query: Query
  readonly key: string
  readonly store: ClientStore
  /** The result of the server's render, which the browser shows while it hydrates. */
  serverResult: Result
  #result: Result
  /** The newest result of the server, without the layers. */
  #base: FoundData | undefined
  readonly #listeners = new Set<() => void>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #settled: (() => void)[] = []

  constructor(store: ClientStore, query: Query, key: string) {
    this.store = store
    this.query = query
    this.key = key
    this.#result = this.resultOf({ status: "pending", data: undefined, error: undefined, updatedAt: undefined })
    this.serverResult = this.#result
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

  get options() {
    return this.query.options
  }

  get result(): Result {
    return this.#result
  }

  get base(): FoundData | undefined {
    return this.#base
  }

  /** Begins to read, unless it is done already. */
  abstract start(): void

  /** Ends all reading. The entry can be started again. */
  protected abstract stop(): void

  /** Adds the members that only results of this kind of read have. */
  protected abstract resultOf(result: Result): Result

  /** The status of a result that a server render or a loader has read before. */
  protected abstract readonly seededStatus: Result["status"]

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    this.store.keep(this)
    clearTimeout(this.#timer)
    this.start()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.expireAfter(this.graceMs)
    }
  }

  /** Ends the entry after this time, unless it gets a subscriber. */
  expireAfter(delayMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      if (this.#listeners.size > 0) return
      this.stop()
      this.store.forget(this)
    }, delayMs)
  }

  protected get graceMs(): number {
    return GRACE_MS
  }

  /** Resolves when the read has data or has failed. Reads meanwhile without a subscriber. */
  async settled(): Promise<void> {
    clearTimeout(this.#timer)
    this.start()
    if (this.#result.status === "pending") await new Promise<void>((resolve) => this.#settled.push(resolve))
    if (this.#listeners.size === 0) this.expireAfter(this.graceMs)
  }

  /** Takes over a result that was read on the server, unless a newer one is here. */
  seed(found: FoundData): void {
    const { data, at } = found
    const result = this.resultOf({ status: this.seededStatus, data, error: undefined, updatedAt: new Date(at) })
    this.serverResult = result
    if (this.#base) return
    this.#base = found
    this.#result = result
  }

  get isCurrent(): boolean {
    return false
  }

  renew(): void {}

  /** Takes over a result of the server, unless the optimistic changes have to wait with it. */
  protected receive(found: FoundData, status: Result["status"]): void {
    const { overlay } = this.store
    const take = () => this.#take(found, status)
    if (overlay) overlay.receive(this, { data: found.data, take })
    else take()
  }

  #take(found: FoundData, received: Result["status"]): void {
    // The stream may have ended since.
    const status = received === "live" && !this.isCurrent ? "stale" : received
    const former = this.#base
    const data = share(former?.data, found.data)
    // An equal result is not a change of the data.
    this.#base = { ...found, data, at: former && data === former.data ? former.at : found.at }
    this.show({ status, error: undefined })
  }

  /** Forgets what the server has sent, for example because another user has signed in, and reads again. */
  reset(): void {
    this.#base = undefined
    this.stop()
    this.show({ status: "pending", error: undefined })
    if (this.#listeners.size > 0) this.start()
  }

  /** Computes the shown result again, and tells the subscribers if it has changed. */
  show({ status, error }: State = this.#result): void {
    const { data: old, ...shown } = this.#result
    const data = this.#base && share(old, this.#withChanges(this.#base.data))
    const isSame = data === old && status === shown.status && error === shown.error
    if (isSame && !this.hasOtherMembers(this.#result)) return
    const updatedAt = this.#base && (data === old ? shown.updatedAt : new Date(this.#base.at))
    this.#result = this.resultOf({ status, data, error, updatedAt })
    for (const listener of [...this.#listeners]) listener()
    if (status !== "pending") for (const resolve of this.#settled.splice(0)) resolve()
  }

  #withChanges(data: unknown): unknown {
    const { overlay } = this.store
    return overlay ? overlay.over(this, data) : data
  }

  /** True if the members that `resultOf` adds differ from those of the result. */
  protected hasOtherMembers(_result: Result): boolean {
    return false
  }
}
