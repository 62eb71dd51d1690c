import type { CallOptions } from "../../wire/options/call-options.ts"
import type { ReindexOptions, ReindexResult, SearchOptions, SearchResult } from "../../wire/results/search.ts"
import type { Transport } from "../transport/transport.ts"

interface ClientSearch {
  search(options: SearchOptions, call?: CallOptions): Promise<SearchResult>
  reindex(collection: string, options?: ReindexOptions, call?: CallOptions): Promise<ReindexResult>
}

/** Returns the search operations. Their code is loaded on first use, because many pages have no search. */
export function searchOperations(transport: Transport): ClientSearch {
  const calls = () => import("./search-calls.ts")
  return {
    search: async (options, call) => await transport.send((await calls()).searchCall(options, call)),
    reindex: async (collection, options, call) =>
      await transport.send((await calls()).reindexCall(collection, options, call)),
  }
}
