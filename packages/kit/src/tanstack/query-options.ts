import { byName } from "../client/resources/by-name.ts"
import { refuseUnknown } from "../client/transport/refuse-unknown.ts"
import type { Client } from "../client/typed-client.ts"
import type { AppTypes } from "../wire/typed/app-config.ts"
import { collectionOptions } from "./collection-options.ts"
import { globalOptions } from "./global-options.ts"
import type { LooseClient } from "./loose-client.ts"
import { QueryKeys } from "./query-keys.ts"
import { routeOptions } from "./route-options.ts"
import type { AppQueryOptions } from "./typed/typed-query-options.ts"

export interface QueryOptionsSettings<Locale extends string = string> {
  /** The first part of every key; `kit` by default. Two clients that share one query client need different ones. */
  readonly keyPrefix?: string | undefined
  /** The locale of all reads and writes that name none. It overrides the locale of the client. */
  readonly locale?: Locale | undefined
}

/**
 * Returns the option factories of a client for TanStack Query.
 *
 * const q = queryOptions(client)
 * const articles = useSuspenseQuery(q.articles.live({ where: { status: "done" } }))
 */
export function queryOptions<Config extends AppTypes>(
  client: Client<Config>,
  settings: QueryOptionsSettings<Config["locale"]> = {},
): AppQueryOptions<Config> {
  refuseUnknown(settings, ["keyPrefix", "locale"])
  const { keyPrefix = "kit", locale } = settings
  // The cast is safe: at run time a client has every name, and only the types know which names exist.
  const loose = client as unknown as LooseClient
  const keys = new QueryKeys({ keyPrefix, locale, getLocale: loose.getLocale })
  const collections = byName((name) =>
    collectionOptions(Reflect.get(loose.collections, name), keys.below("collections", name)),
  )
  const others = new Map<string, object>([
    ["collections", collections],
    ["globals", byName((name) => globalOptions(Reflect.get(loose.globals, name), keys.below("globals", name)))],
    ["routes", routeOptions(loose.routes, keys.below("routes"))],
  ])
  const whole = new Proxy(collections, {
    get: (target, name) => (typeof name === "string" ? (others.get(name) ?? target[name]) : undefined),
  })
  // The cast is safe for the same reason.
  return whole as unknown as AppQueryOptions<Config>
}
