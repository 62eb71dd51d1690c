import { share } from "../react/store/share.ts"
import type { LooseRoute } from "./loose-client.ts"
import { headersIn, type QueryKeys } from "./query-keys.ts"
import type { ReadOptions, RouteWriteOptions } from "./typed/built-options.ts"

type RouteFactory = () => RouteWriteOptions<unknown, unknown>

/** Returns the option factories of the routes below this node. `RouteQueryOptions` has their types. */
export function routeOptions(route: LooseRoute, keys: QueryKeys): RouteFactory {
  const write: RouteFactory = () => ({
    mutationKey: keys.base,
    mutationFn: (input) => route(input, { headers: headersIn(keys.localeOf()) }),
  })
  return new Proxy(write, {
    get: (_write, name) => (typeof name === "string" ? memberOf(route, keys, name) : undefined),
  })
}

function memberOf(route: LooseRoute, keys: QueryKeys, name: string): unknown {
  if (name === "get") return (input?: unknown) => routeRead(route, keys, input)
  // The casts are safe: the client makes a function of each name that begins with `$`, and a node of all others.
  if (name.startsWith("$"))
    return (value: unknown) => routeOptions((route[name] as (value: unknown) => LooseRoute)(value), keys.below(value))
  return routeOptions(route[name] as LooseRoute, keys.below(name))
}

function routeRead(route: LooseRoute, keys: QueryKeys, input: unknown): ReadOptions<unknown> {
  const headers = headersIn(keys.localeOf())
  return {
    queryKey: keys.ofInput("get", input),
    queryFn: ({ signal }) => route.get(input, { signal, headers }),
    structuralSharing: share,
  }
}
