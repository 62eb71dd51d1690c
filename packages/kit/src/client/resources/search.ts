import { isObject } from "../../wire/codecs/is-object.ts"
import type { CallOptions } from "../../wire/options/call-options.ts"
import { FIND_BY_TITLE_PATH, reindexPath, SEARCH_PATH } from "../../wire/paths/paths.ts"
import type { ReindexOptions, ReindexResult, SearchOptions, SearchResult } from "../../wire/results/search.ts"
import type { FindByTitleOptions, FoundTitles } from "../../wire/results/titles.ts"
import type { Transport } from "../transport/transport.ts"
import { bodyOf, queryOf } from "./query.ts"

interface ClientSearch {
  search(sought: SearchOptions, options?: CallOptions): Promise<SearchResult>
  findByTitle(sought: FindByTitleOptions, options?: CallOptions): Promise<FoundTitles>
  reindex(collection: string, reindex?: ReindexOptions, options?: CallOptions): Promise<ReindexResult>
}

/** Returns the search operations. This file is loaded on first use, because many pages have no search. */
export function searchOperations(transport: Transport): ClientSearch {
  return {
    search: async (sought, options) => {
      // `queryOf` is called only because it throws if a condition of a filter is undefined, with the same error as `find`.
      for (const where of Object.values(sought.where ?? {})) queryOf({ where })
      for (const related of Object.values(sought.with ?? {})) queryOf({ with: related })
      return await transport.send({ method: "POST", path: SEARCH_PATH, body: bodyOf(sought), accepts, options })
    },
    findByTitle: async (sought, options) =>
      await transport.send({ method: "POST", path: FIND_BY_TITLE_PATH, body: bodyOf(sought), accepts, options }),
    reindex: async (collection, reindex, options) =>
      await transport.send({ method: "POST", path: reindexPath(collection) + queryOf(reindex), options }),
  }
}

function accepts(value: unknown): boolean {
  return isObject(value) && "docs" in value
}
