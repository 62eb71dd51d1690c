import type { HandleFacts } from "../../client/handle-facts.ts"
import { bodyText } from "../../client/transport/transport.ts"
import type { CallOptions } from "../../wire/options/call-options.ts"
import { FindEntry } from "../store/find-entry.ts"
import { canonicalText, type Query } from "../store/query-key.ts"

/** The options of the read of a route. */
interface RouteOptions {
  readonly route: (input: unknown, call: CallOptions) => Promise<unknown>
  readonly input: unknown
}

/** The result of a route, which is called once, and again by `refetch`. */
export class RouteEntry extends FindEntry {
  protected override read(signal: AbortSignal): Promise<unknown> {
    // The cast is safe: `routeQuery` has set these options.
    const { route, input } = this.options as RouteOptions
    return route(input, { signal, headers: { "accept-language": this.query.locale } })
  }
}

/** Returns the read of a route. Calls of the same route with equal input have the same key. */
export function routeQuery(facts: HandleFacts, options: object): Query {
  // The cast is safe: `useRoute` has set these options.
  const { input } = options as RouteOptions
  const { locale } = facts.parts.transport
  // A route receives dates and maps as such, so their keys differ from those of text and lists.
  return { facts, options, locale, topic: "", key: canonicalText(bodyText([facts.resource, locale, input], true)) }
}
