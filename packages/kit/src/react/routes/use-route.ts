import { ROUTE, type RouteFacts } from "../../client/route-facts.ts"
import type { CallOptions } from "../../wire/options/call-options.ts"
import type { FindResult, IdleRead } from "../reads/find-result.ts"
import type { ReadSettingsOf } from "../reads/read-settings.ts"
import type { ReadKind } from "../reads/use-entry.ts"
import { useRead } from "../reads/use-find.ts"
import { RouteEntry, routeQuery } from "./route-entry.ts"

/** A route of the client, such as `client.routes.stats.get`. */
type Route<Input, Data> = (input: Input, call?: CallOptions) => Promise<Data>

/** The input and the settings of a read. The input can be omitted if the route can be called without it. */
type RouteArguments<Input, Settings> = undefined extends Input
  ? [input?: Input, settings?: Settings]
  : [input: Input, settings?: Settings]

const ROUTES: ReadKind = { name: "route", queryOf: routeQuery, make: (...given) => new RouteEntry(...given) }

/**
 * Calls a route that reads something. Components that call it with equal input share the result. Input that is null
 * calls nothing. For a route that changes something, use `useMutation`.
 *
 * const stats = useRoute(client.routes.stats.get, { since: "2026-01-01" })
 */
export function useRoute<Input, Data, Selected = Data>(
  route: Route<Input, Data>,
  ...given: RouteArguments<Input, ReadSettingsOf<Data, Selected>>
): FindResult<Selected>
export function useRoute<Input, Data, Selected = Data>(
  route: Route<Input, Data>,
  input: Input | null,
  settings?: ReadSettingsOf<Data, Selected>,
): FindResult<Selected> | IdleRead
export function useRoute<Data, Selected>(
  route: Route<never, Data>,
  input?: unknown,
  settings?: ReadSettingsOf<Data, Selected>,
): FindResult<Selected> | IdleRead {
  const { parts, name } = routeFactsOf(route)
  // No optimistic change concerns the result: no collection has the name of a route.
  const facts = { kind: "record", resource: name, parts } as const
  const options = input === null ? null : { route, input }
  // The cast is safe: the route returns data of this type, and `select` returns what is selected.
  return useRead({ kind: ROUTES, facts, options }, settings) as FindResult<Selected> | IdleRead
}

function routeFactsOf(route: unknown): RouteFacts {
  // The cast is safe: only the client makes functions with this member.
  const facts = typeof route === "function" ? (route as { [ROUTE]?: RouteFacts })[ROUTE] : undefined
  if (facts) return facts
  throw new TypeError("useRoute takes a route: client.routes.<name>, or its get.")
}
