import type { ClientParts } from "./client-parts.ts"

/**
 * The key of the member that makes a function of the client a route. A registered symbol is the same in every copy of
 * this package that a page loads.
 */
export const ROUTE: unique symbol = Symbol.for("kit.route")

/** The facts of a route at run time, which `kit/react` reads. */
export interface RouteFacts {
  readonly parts: ClientParts
  /** Identifies the route: its HTTP method and its path. */
  readonly name: string
}
