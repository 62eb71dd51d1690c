import type { HandleFacts } from "../client/handle-facts.ts"
import type { Subscription } from "../client/live/subscription.ts"
import type { HANDLE } from "../wire/realtime/handle.ts"

/** A client without types, as this folder uses it: every name exists. */
export interface LooseClient {
  readonly collections: object
  readonly globals: object
  readonly routes: LooseRoute
  getLocale(): string | undefined
}

export interface LooseCollection extends Watched {
  readonly find: Operation
  readonly findOne: Operation
  readonly count: Operation
  readonly total: Watched
  readonly aggregate: Operation
  readonly aggregates: Watched
  record(id: string): Watched
}

export interface LooseGlobal extends Watched {
  readonly get: Operation
  cancelTransition(options?: object): Promise<unknown>
}

/** A node below `client.routes`. */
export interface LooseRoute extends Operation {
  readonly get: Operation
  readonly [name: string]: LooseRoute | Operation | ((value: unknown) => LooseRoute)
}

export type Operation = (input: unknown, options?: object) => Promise<unknown>

/** Something whose result a client can follow. */
export interface Watched {
  readonly [HANDLE]: HandleFacts
  watch(
    options: object,
    onSnapshot: (result: unknown) => void,
    settings: Pick<Subscription, "onError" | "onEnd">,
  ): () => void
}
