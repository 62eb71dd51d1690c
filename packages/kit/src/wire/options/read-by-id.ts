import { RESERVED_IDS } from "../paths/paths.ts"
import type { FindOptions, RecordOptions } from "./query-options.ts"
import { RECORD_OPTIONS } from "./record-options.ts"

/** The id and the options of a read that filters by the record's id and nothing else. */
interface ReadById {
  readonly id: string
  readonly options: RecordOptions
}

/**
 * Returns the id and the options if these options of `findOne` filter by the id only, so that the record can be read by
 * its URL path. Otherwise returns undefined.
 */
export function readByIdOf({ where, ...options }: FindOptions): ReadById | undefined {
  const id = where?.["id"]
  const isSole = where !== undefined && Object.keys(where).length === 1
  return isSole && isPathId(id) && isForOneRecord(options) ? { id, options } : undefined
}

/**
 * True if the id can be used as a segment of a record's URL path. Other strings, such as "count", would give the path
 * of another operation.
 */
export function isPathId(id: unknown): id is string {
  return typeof id === "string" && !["", ".", ".."].includes(id) && !RESERVED_IDS.has(id)
}

// True if all options are valid for a read by id. Any other option, such as a search, may exclude the record.
function isForOneRecord(options: RecordOptions): boolean {
  const known: readonly string[] = RECORD_OPTIONS
  return Object.entries(options).every(([name, value]) => value === undefined || known.includes(name))
}
