import type { QueryResult } from "../../../ports/database.ts"
import type { RankedRecords } from "../../../sql/search/fusion.ts"

/** Returns the records in the result of a statement of `sql/search/nearest`. */
export function decodeNearest({ rows }: QueryResult): RankedRecords {
  return rows.map(([id, score]) => ({ id: String(id), score: Number(score) }))
}
