import type { HANDLE, Handle } from "../wire/realtime/handle.ts"
import type { CurrentUser } from "./current-user.ts"
import type { Subscribe } from "./live/subscription.ts"
import type { Transport } from "./transport/transport.ts"

/**
 * The key of the member of a client, and of its channels, that holds the client's parts. A registered symbol is the same in every copy of this package that
 * a page loads.
 */
export const CLIENT_PARTS: unique symbol = Symbol.for("kit.client")

/** The parts of a client that `kit/crdt`, `kit/react` and `kit/tanstack` use. */
export interface ClientParts {
  readonly transport: Transport
  readonly follow: Subscribe
  /**
   * Returns the topic of a live query for `follow`: the result of the handle with these options, in the client's
   * current locale unless the options have another one. Throws if a condition of a filter is undefined.
   */
  readonly topicOf: TopicOf
  /** The functions that are called when `setLocale` has changed the locale. */
  readonly localeListeners: Set<() => void>
  readonly setLocale: (locale: string | undefined) => void
  readonly user: CurrentUser
  /**
   * Does work that ends the session of the open stream. The stream is closed meanwhile, so that its topics do not get the
   * error of an ended session, and opened again afterwards.
   */
  renewStream<Result>(work: () => Promise<Result>): Promise<Result>
}

export type TopicOf = (handle: Handle[typeof HANDLE], options?: object) => string
