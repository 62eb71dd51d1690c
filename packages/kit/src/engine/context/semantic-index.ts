import type { Connection } from "../../ports/database.ts"
import type { RankedRecords } from "../../sql/search/fusion.ts"
import type { NearestRows } from "../../sql/search/nearest.ts"

/** Finds records whose text has a similar meaning as a query. */
export interface SemanticIndex {
  /**
   * Returns the most similar of the rows, the most similar first, each with its similarity. Rows whose text is not
   * embedded yet are not found. Throws an error with the status 503 if the query cannot be compared at the moment.
   */
  findNearest(connection: Connection, search: SemanticSearch): Promise<RankedRecords>
}

export interface SemanticSearch extends NearestRows {
  /** The text that is compared with the texts of the rows. */
  readonly query: string
}
