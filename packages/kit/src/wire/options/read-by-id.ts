import { RESERVED_IDS } from "../paths/paths.ts"
import type { FindOptions, RecordOptions } from "./query-options.ts"
import { RECORD_OPTIONS } from "./record-options.ts"

/** A read that asks for one record by its id and nothing else. */
export interface ReadById {
  readonly id: string
  readonly options: RecordOptions
}

/** The id that `findOne` asks for, if that is all it asks; then the record is read by its path. */
export function readByIdOf({ where, ...options }: FindOptions): ReadById | undefined {
  const id = where?.["id"]
  const isSole = where !== undefined && Object.keys(where).length === 1
  return isSole && isPathId(id) && isForOneRecord(options) ? { id, options } : undefined
}

/** Whether the text can stand for a record in a path; anything else would turn it into the path of another operation. */
export function isPathId(id: unknown): id is string {
  return typeof id === "string" && !["", ".", ".."].includes(id) && !RESERVED_IDS.has(id)
}

// Every other option, such as a search, may rule the record out.
function isForOneRecord(options: RecordOptions): boolean {
  const known: readonly string[] = RECORD_OPTIONS
  return Object.entries(options).every(([name, value]) => value === undefined || known.includes(name))
}
