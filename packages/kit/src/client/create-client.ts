import type { CallOptions } from "../wire/options/call-options.ts"
import { normalizeBasePath } from "../wire/paths/paths.ts"
import type { AppTypes } from "../wire/typed/app-config.ts"
import { authOf } from "./auth-of.ts"
import { CLIENT_PARTS, type ClientParts } from "./client-parts.ts"
import { currentUser } from "./current-user.ts"
import type { HandleFacts } from "./handle-facts.ts"
import { channelOperations, realtimeOf } from "./live/realtime.ts"
import { makeHandle } from "./live/watch.ts"
import { withOperationFacts } from "./operation-facts.ts"
import { byName } from "./resources/by-name.ts"
import { collectionOperations } from "./resources/collections.ts"
import { globalOperations } from "./resources/globals.ts"
import { routeNode } from "./resources/routes.ts"
import { callSender } from "./transport/call-sender.ts"
import type { QuestpieClientConfig } from "./transport/client-config.ts"
import { Transport } from "./transport/transport.ts"
import type { Client, UntypedApp } from "./typed-client.ts"

/**
 * Creates a client, typed by the generated `AppConfig` of the app.
 *
 * const client = createClient<AppConfig>({ baseURL: "http://localhost:3000", basePath: "/api" })
 */
export function createClient<Config extends AppTypes = UntypedApp>(config: QuestpieClientConfig): Client<Config> {
  const transport = new Transport(config)
  const user = currentUser()
  const { realtime, liveOf, iterate, ...streams } = realtimeOf(transport, user)
  const localeListeners = new Set<() => void>()
  const setLocale = (locale: string | undefined) => {
    transport.locale = locale
    for (const listener of localeListeners) listener()
  }
  const parts: ClientParts = { transport, user, ...streams, localeListeners, setLocale }
  const handle = <Operations extends object>(facts: Omit<HandleFacts, "parts">, operations: Operations) =>
    makeHandle(operations, { ...facts, parts }, iterate)
  const operations = <Operations extends object>(named: Operations) => withOperationFacts(named, "client app", parts)
  const client = {
    collections: byName((resource) =>
      handle(
        { kind: "collection", resource },
        {
          ...collectionOperations(transport, resource),
          ...liveOf("collection", resource),
          record: (id: string) => handle({ kind: "record", resource, id }, {}),
          total: handle({ kind: "total", resource }, {}),
          aggregates: handle({ kind: "aggregates", resource }, {}),
        },
      ),
    ),
    channels: byName((name) => channelOperations(liveOf("channel", name), parts, name)),
    globals: byName((resource) =>
      handle({ kind: "global", resource }, { ...globalOperations(transport, resource), ...liveOf("global", resource) }),
    ),
    routes: routeNode(parts, ""),
    realtime,
    search: operations({
      search: async (...given: Parameters<SearchOperations["search"]>) =>
        (await loadSearch(transport)).search(...given),
      findByTitle: async (...given: Parameters<SearchOperations["findByTitle"]>) =>
        (await loadSearch(transport)).findByTitle(...given),
      reindex: async (...given: Parameters<SearchOperations["reindex"]>) =>
        (await loadSearch(transport)).reindex(...given),
    }),
    auth: authOf(parts),
    ...operations({
      schema: (options?: { readonly locale?: string | undefined }, limits?: CallOptions) =>
        callSender(transport, String, "/_kit/schema")({ method: "GET", path: "" }, { ...options, ...limits }),
    }),
    setLocale,
    getLocale: () => transport.locale,
    getBasePath: () => normalizeBasePath(config.basePath),
  }
  // These members are not enumerable, so that copying or printing the client does not read them.
  Object.defineProperty(client, "crdt", { get: refuseCrdt })
  Object.defineProperty(client, CLIENT_PARTS, { value: parts })
  // The cast is safe: the proxies accept every name at run time, and only the types know which names exist.
  return client as unknown as Client<Config>
}

type SearchOperations = Awaited<ReturnType<typeof loadSearch>>

async function loadSearch(transport: Transport) {
  const { searchOperations } = await import("./resources/search.ts")
  return searchOperations(transport)
}

function refuseCrdt(): never {
  throw new Error('Use createCrdtClient(client) of "kit/crdt".')
}
