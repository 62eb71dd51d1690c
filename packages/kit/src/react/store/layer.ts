import type { HandleKind } from "../../wire/realtime/handle.ts"

/** The facts by which a layer recognizes the results that it changes. */
export interface ResultFacts {
  readonly kind: HandleKind
  readonly resource: string
  /** The id of the record, if the result is one record. */
  readonly id?: string | undefined
  /** The client's locale when the result was asked for. The options may have another one. */
  readonly locale?: string | undefined
  readonly options: object
}

/** A result of the store, as the layers over it use it. */
export interface LayeredResult extends ResultFacts {
  /** The last result that the server has sent; undefined before the first one. */
  readonly base: { readonly data: unknown } | undefined
  /** True if the client's stream follows the result, and has sent or confirmed the base. */
  readonly isCurrent: boolean
  /** Computes again what is shown. */
  show(): void
  /** Reads the result again if no stream follows it. A read that is under way is replaced. */
  renew(): void
}

/** A result that the server has sent. Until `take` is called, the former one stays. */
export interface Arrival {
  readonly data: unknown
  take(): void
}

/**
 * The optimistic changes over the results of a client. The first mutation sets it, so that a page without mutations does
 * not load its code.
 */
export interface Overlay {
  /** Returns the data with all changes that the result does not contain yet. */
  over(result: LayeredResult, data: unknown): unknown
  /** Called when a request for the result begins, and when its stream has ended, so that a later one sends it. */
  begin(result: LayeredResult): void
  /** Takes the arrival, now or as soon as it can be shown without showing a new record twice. */
  receive(result: LayeredResult, arrival: Arrival): void
  /** Called when a new stream has confirmed that the base is what the server would send. */
  confirm(result: LayeredResult): void
  /** Called when every followed result shows these own writes. */
  announce(writes: readonly string[]): void
  /** Forgets all changes, because another user has signed in. */
  reset(): void
}
