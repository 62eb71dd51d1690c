import { useState, useSyncExternalStore } from "react"
import { QUERY_LIMITS } from "../../wire/options/query-options.ts"
import type { Handle } from "../../wire/realtime/handle.ts"
import type { Found } from "../../wire/results/found.ts"
import type { CollectionTypes } from "../../wire/typed/app-config.ts"
import type { TypesIn } from "../../wire/typed/typed-operations.ts"
import { storeOf, useProvided } from "../provider/kit-context.ts"
import { factsOf } from "../reads/facts-of.ts"
import type { ReadSettingsOf } from "../reads/read-settings.ts"
import { ShownResult } from "../reads/shown-result.ts"
import {
  entryOf,
  type ReadSettings,
  subscribeToNothing,
  useClientLocale,
  useReportedError,
} from "../reads/use-entry.ts"
import { LIVE } from "../reads/use-live.ts"
import { queryOf } from "../store/query-key.ts"
import { BEGINNING, EndlessList } from "./endless-list.ts"
import type { IdleList, InfiniteOptionsOf, InfiniteResult } from "./infinite-types.ts"
import type { ListRange } from "./list-page.ts"
import type { ListResult } from "./list-result.ts"

/**
 * Shows the first records of a collection and every change of them, and loads more on demand. New records appear where
 * they belong: none is missing between two pages, and none is shown twice. Options that are null read nothing.
 *
 * const feed = useInfinite(client.collections.articles, { orderBy: { publishedAt: "desc" }, limit: 20 })
 */
export function useInfinite<
  Types extends CollectionTypes,
  const With extends Types["with"] = never,
  const Columns extends Types["columns"] = never,
  const Locale extends Types["locale"] | "*" = never,
  Selected = readonly Found<TypesIn<Types, Locale>, With, Columns>[],
>(
  handle: Handle<"collection", Types>,
  options?: InfiniteOptionsOf<Types, With, Columns, Locale>,
  settings?: ReadSettingsOf<readonly Found<TypesIn<Types, Locale>, With, Columns>[], Selected>,
): InfiniteResult<Selected>
export function useInfinite<
  Types extends CollectionTypes,
  const With extends Types["with"] = never,
  const Columns extends Types["columns"] = never,
  const Locale extends Types["locale"] | "*" = never,
  Selected = readonly Found<TypesIn<Types, Locale>, With, Columns>[],
>(
  handle: Handle<"collection", Types>,
  options: InfiniteOptionsOf<Types, With, Columns, Locale> | null,
  settings?: ReadSettingsOf<readonly Found<TypesIn<Types, Locale>, With, Columns>[], Selected>,
): InfiniteResult<Selected> | IdleList
export function useInfinite(
  handle: Handle,
  options: ListOptions | null = {},
  settings: ReadSettings = {},
): InfiniteResult<unknown> | IdleList {
  const list = useEndlessList(handle, options)
  const [shown] = useState(() => new ShownResult())
  const shownOf = (found: ListResult | undefined) => {
    const result = list && found ? shown.of(list.first, found, settings) : shown.idle()
    // The cast is safe: the members of the result depend on its status as the type says.
    return result.status === "idle" ? IDLE : (result as InfiniteResult<unknown>)
  }
  const result = useSyncExternalStore(
    list?.subscribe ?? subscribeToNothing,
    () => shownOf(list?.result),
    () => shownOf(list?.serverResult),
  )
  useReportedError(result.error, settings, useProvided())
  return result
}

interface ListOptions {
  readonly limit?: number | undefined
  readonly total?: unknown
}

/** Returns the list of the options, which stays the same until they change; undefined if they are null. */
function useEndlessList(handle: Handle, options: ListOptions | null): EndlessList | undefined {
  const facts = factsOf(handle, "useInfinite")
  if (facts.kind !== "collection") throw new TypeError(`useInfinite takes a collection, not a ${facts.kind}.`)
  const provided = useProvided()
  useClientLocale(facts.parts)
  const store = storeOf(provided, facts.parts)
  const queryOfRange = (range: ListRange) => queryOf(facts, optionsOf(options ?? {}, range))
  const key = options ? queryOfRange(BEGINNING).key : undefined
  const newList = () => ({
    key,
    store,
    list: options ? new EndlessList((range) => entryOf(LIVE, queryOfRange(range), provided)) : undefined,
  })
  const [held, hold] = useState(newList)
  if (held.key === key && held.store === store) return held.list
  const next = newList()
  // React renders again with this list.
  hold(next)
  return next.list
}

/** Returns the options of a page. A range has room for as many new records as the page has. */
function optionsOf({ limit = QUERY_LIMITS.defaultLimit, total = false, ...others }: ListOptions, range: ListRange) {
  const { after, before } = range
  const counted = after === null ? total : false
  if (before === undefined) return { ...others, after, limit, total: counted }
  return { ...others, after, before, limit: Math.min(2 * limit, QUERY_LIMITS.maxLimit), total: counted }
}

const IDLE: IdleList = {
  status: "idle",
  data: undefined,
  error: undefined,
  isLive: false,
  updatedAt: undefined,
  totalDocs: -1,
  totalIs: undefined,
  hasNextPage: false,
  isLoadingMore: false,
  loadMore: () => {},
}
