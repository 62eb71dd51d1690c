import type { Subscribe } from "./live/subscription.ts"
import type { Transport } from "./transport/transport.ts"

/**
 * The key of a client's member that holds its parts. A registered symbol is the same in every copy of this package that
 * a page loads.
 */
export const CLIENT_PARTS: unique symbol = Symbol.for("kit.client")

/** The parts of a client that `kit/crdt` uses. */
export interface ClientParts {
  readonly transport: Transport
  readonly follow: Subscribe
}
