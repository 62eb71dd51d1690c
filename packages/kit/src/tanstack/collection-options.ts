import { share } from "../react/store/share.ts"
import type { CursorPage, Page } from "../wire/results/results.ts"
import type { LooseCollection, Operation } from "./loose-client.ts"
import { headersIn, type PlacedOptions, type QueryKeys } from "./query-keys.ts"
import { liveOptions, type Read, readOptions } from "./resource-reads.ts"
import { COLLECTION_WRITES, writeFactories } from "./resource-writes.ts"
import type { CursorPagesOptions, PagesOptions } from "./typed/built-options.ts"

interface PagedOptions extends PlacedOptions {
  readonly offset?: number | undefined
}

/** Returns the option factories of a collection. `CollectionQueryOptions` has their types. */
export function collectionOptions(collection: LooseCollection, keys: QueryKeys): object {
  const find = (options: PlacedOptions): Read => ({ name: "find", run: collection.find, options })
  const count = (options: PlacedOptions): Read => ({ name: "count", run: collection.count, options })
  const aggregate = (options: PlacedOptions): Read => ({ name: "aggregate", run: collection.aggregate, options })
  return {
    find: (options = {}) => readOptions(keys, find(options)),
    live: (options = {}) => liveOptions(keys, find(options), { watched: collection }),
    findOne: (options = {}) => readOptions(keys, { name: "findOne", run: collection.findOne, options }),
    count: (options = {}) => readOptions(keys, count(options)),
    total: { live: (options = {}) => liveOptions(keys, count(options), { watched: collection.total }) },
    aggregate: (options: PlacedOptions) => readOptions(keys, aggregate(options)),
    aggregates: {
      live: (options: PlacedOptions) => liveOptions(keys, aggregate(options), { watched: collection.aggregates }),
    },
    record: (id: string) => recordReads(collection, keys, id),
    pages: (options: PagedOptions = {}) => pagesOptions(collection.find, keys, options),
    cursorPages: (options: PlacedOptions = {}) => cursorPagesOptions(collection.find, keys, options),
    key: () => keys.base,
    filter: (options?: PlacedOptions) => ({ queryKey: options ? keys.of("find", options) : keys.base }),
    ...writeFactories(COLLECTION_WRITES, (name) => Reflect.get(collection, name), keys),
  }
}

function recordReads(collection: LooseCollection, keys: QueryKeys, id: string): object {
  const read = (options: PlacedOptions): Read => {
    const whole = { ...options, where: { id } }
    return { name: "findOne", run: collection.findOne, options: whole }
  }
  return {
    get: (options = {}) => readOptions(keys, read(options)),
    live: (options = {}) => liveOptions(keys, read(options), { watched: collection.record(id), options }),
  }
}

function pagesOptions(find: Operation, keys: QueryKeys, options: PagedOptions): PagesOptions<Page> {
  const sent = keys.localized(options)
  const headers = headersIn(keys.localeOf(options.locale))
  return {
    queryKey: keys.of("pages", options),
    // The cast is safe: `find` returns a page.
    queryFn: ({ pageParam, signal }) => find({ ...sent, offset: pageParam }, { signal, headers }) as Promise<Page>,
    structuralSharing: share,
    initialPageParam: options.offset ?? 0,
    // The limit is that of the page, because the server chooses one if the options have none.
    getNextPageParam: ({ hasNextPage, limit }, _pages, offset) => (hasNextPage ? offset + limit : undefined),
  }
}

function cursorPagesOptions(find: Operation, keys: QueryKeys, options: PlacedOptions): CursorPagesOptions<CursorPage> {
  const sent = keys.localized(options)
  const headers = headersIn(keys.localeOf(options.locale))
  return {
    queryKey: keys.of("cursorPages", options),
    // The cast is safe: `find` returns a page with cursors if it is given one.
    queryFn: ({ pageParam, signal }) => find({ ...sent, after: pageParam }, { signal, headers }) as Promise<CursorPage>,
    structuralSharing: share,
    initialPageParam: null,
    // Null means that there is no next page.
    getNextPageParam: ({ hasNextPage, endCursor }) => (hasNextPage ? endCursor : null),
  }
}
