import { isObject } from "../../wire/codecs/is-object.ts"
import type { CallOptions } from "../../wire/options/call-options.ts"
import { reindexPath, SEARCH_PATH } from "../../wire/paths/paths.ts"
import type { ReindexOptions, SearchOptions } from "../../wire/results/search.ts"
import type { Call } from "../transport/call.ts"
import { bodyOf, queryOf } from "./query.ts"

/** Returns the request for a search. */
export function searchCall(sought: SearchOptions, options?: CallOptions): Call {
  // `queryOf` is called only because it throws if a condition of a filter is undefined, with the same error as `find`.
  for (const where of Object.values(sought.where ?? {})) queryOf({ where })
  const accepts = (value: unknown) => isObject(value) && "docs" in value
  return { method: "POST", path: SEARCH_PATH, body: bodyOf(sought), accepts, options }
}

/** Returns the request to build the index of a collection again. */
export function reindexCall(collection: string, reindex: ReindexOptions = {}, options?: CallOptions): Call {
  return { method: "POST", path: reindexPath(collection) + queryOf(reindex), options }
}
