import { share } from "../react/store/share.ts"
import { goLive, isLive } from "./live/live-query.ts"
import type { Operation, Watched } from "./loose-client.ts"
import { headersIn, type PlacedOptions, type QueryKeys } from "./query-keys.ts"
import type { LiveOptions, ReadOptions } from "./typed/built-options.ts"

/** One read of a resource. */
export interface Read {
  /** The name of the operation in the key. */
  readonly name: string
  readonly run: Operation
  readonly options: PlacedOptions
}

// Undefined on a server, which renders a page once.
declare const window: unknown

/** Returns the options of a query that reads once. */
export function readOptions<Data>(keys: QueryKeys, { name, run, options }: Read): ReadOptions<Data> {
  const sent = keys.localized(options)
  const headers = headersIn(keys.localeOf(options.locale))
  return {
    queryKey: keys.of(name, options),
    // The cast is safe: the types of the client say what its operations return.
    queryFn: ({ signal }) => run(sent, { signal, headers }) as Promise<Data>,
    structuralSharing: share,
  }
}

/** Returns the options of a query with the same key that follows the result. */
export function liveOptions<Data>(
  keys: QueryKeys,
  read: Read,
  { watched, options = read.options }: { watched: Watched; options?: PlacedOptions },
): LiveOptions<Data> {
  const once = readOptions<Data>(keys, read)
  // The client's locale may be another one when the query is started again.
  const sent = { ...options, locale: keys.localeOf(options.locale) }
  return {
    ...once,
    queryFn: (context) =>
      // The cast is safe: a snapshot has the type of the read's result.
      typeof window === "undefined" ? once.queryFn(context) : (goLive(context, watched, sent) as Promise<Data>),
    staleTime: (query) => (isLive(query) ? Number.POSITIVE_INFINITY : 0),
    // A component that suspends treats data as fresh that is less than a second old, also if it is not live.
    refetchOnMount: (query) => (isLive(query) ? false : "always"),
  }
}
