import type { IndexedTable } from "../../engine/search/index/indexed-tables.ts"

/**
 * Work that follows a change of a searchable record's text, after the write has committed: embedding its text, or
 * passing it to a search engine.
 */
export interface IndexStep {
  /** A short name, which is stored with the records that the step has processed. It never changes. */
  readonly name: string
  /**
   * Processes the records. It may be called again for the same records, and two processes may call it at the same time.
   * If it rejects, it is called again later, first with fewer records.
   */
  process(batch: IndexBatch): Promise<void>
}

/** Records of one table whose text has changed. Some of them may have been deleted since. */
export interface IndexBatch extends IndexedTable {
  readonly ids: readonly string[]
  /** Is aborted when the worker stops. */
  readonly signal: AbortSignal
}
