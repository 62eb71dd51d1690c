import { isObject } from "../../wire/codecs/is-object.ts"
import type { CallOptions } from "../../wire/options/call-options.ts"
import { reindexPath, SEARCH_PATH } from "../../wire/paths/paths.ts"
import type { ReindexOptions, ReindexResult, SearchOptions, SearchResult } from "../../wire/results/search.ts"
import type { Transport } from "../transport/transport.ts"
import { bodyOf, queryOf } from "./query.ts"

interface ClientSearch {
  search(sought: SearchOptions, options?: CallOptions): Promise<SearchResult>
  reindex(collection: string, reindex?: ReindexOptions, options?: CallOptions): Promise<ReindexResult>
}

/** Returns the search operations. This file is loaded on first use, because many pages have no search. */
export function searchOperations(transport: Transport): ClientSearch {
  return {
    search: async (sought, options) => {
      // `queryOf` is called only because it throws if a condition of a filter is undefined, with the same error as `find`.
      for (const where of Object.values(sought.where ?? {})) queryOf({ where })
      for (const related of Object.values(sought.with ?? {})) queryOf({ with: related })
      const accepts = (value: unknown) => isObject(value) && "docs" in value
      return await transport.send({ method: "POST", path: SEARCH_PATH, body: bodyOf(sought), accepts, options })
    },
    reindex: async (collection, reindex, options) =>
      await transport.send({ method: "POST", path: reindexPath(collection) + queryOf(reindex), options }),
  }
}
