import type { AdapterQuery } from "../../ports/search-adapter.ts"
import type { RankedRecords } from "../../sql/search/fusion.ts"

/** Finds records by their words in a search engine outside of the database. */
export interface ExternalIndex {
  /**
   * Returns the documents that match, without regard to rights. Throws an error with the status 503 if the engine does not
   * answer.
   */
  find(query: AdapterQuery): Promise<RankedRecords>
}
