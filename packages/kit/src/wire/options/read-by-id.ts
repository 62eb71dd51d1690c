import { RESERVED_IDS } from "../paths/paths.ts"
import type { FindOptions, RecordOptions } from "./query-options.ts"
import { RECORD_OPTIONS } from "./record-options.ts"

/** A read of one record that filters by its id and nothing else. */
export interface ReadById {
  readonly id: string
  readonly options: RecordOptions
}

/** Returns the id and the options if `findOne` filters by the id only; the record is then read by its path. */
export function readByIdOf({ where, ...options }: FindOptions): ReadById | undefined {
  const id = where?.["id"]
  const isSole = where !== undefined && Object.keys(where).length === 1
  return isSole && isPathId(id) && isForOneRecord(options) ? { id, options } : undefined
}

/** True if the text can stand for a record in a path; any other text would give the path of another operation. */
export function isPathId(id: unknown): id is string {
  return typeof id === "string" && !["", ".", ".."].includes(id) && !RESERVED_IDS.has(id)
}

// Any other option, such as a search, may exclude the record.
function isForOneRecord(options: RecordOptions): boolean {
  const known: readonly string[] = RECORD_OPTIONS
  return Object.entries(options).every(([name, value]) => value === undefined || known.includes(name))
}
