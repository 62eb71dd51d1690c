import { isObject } from "../../wire/codecs/is-object.ts"
import type { FindOptions } from "../../wire/options/query-options.ts"
import type { Page } from "../../wire/results/results.ts"
import type { ResultFacts } from "../store/layer.ts"
import { isRecord, type RecordFields } from "./result-records.ts"

const TIMES = ["createdAt", "updatedAt"]

/**
 * Returns the page with the new record, or the same value if the page has it or may not have to show it. A record is
 * shown only on a first page without search and groups, and only if it plainly matches the filter. Without the related
 * records that the page shows, it is not shown either.
 */
export function insertRecord(record: RecordFields, { kind, options }: ResultFacts, data: unknown): unknown {
  const { before }: FindOptions = options
  if (kind !== "collection" || !isPage(data) || data.hasPrevPage || !mayShow(record, options)) return data
  if (data.docs.some(({ id }) => id === record["id"])) return data
  const index = positionOf(record, options, data.docs)
  // The record may belong behind the page.
  if (index === data.docs.length && (data.hasNextPage || before)) return data
  const docs = [...data.docs.slice(0, index), selected(record, options), ...data.docs.slice(index)]
  return { ...data, docs: docs.slice(0, data.limit) }
}

function isPage(data: unknown): data is Page<RecordFields> {
  return isRecord(data) && Array.isArray(data["docs"])
}

function mayShow(record: RecordFields, { search, groupBy, offset, where, ...options }: FindOptions): boolean {
  if (search || groupBy || offset) return false
  const related = Object.keys(options.with ?? {}).every((name) => isObject(record[name]) || record[name] === null)
  return related && Object.entries(where ?? {}).every(([name, condition]) => matches(record[name], condition))
}

// True if the value plainly fulfils the condition: it is the value, or one of those of `eq` and `in`.
function matches(value: unknown, condition: unknown): boolean {
  if (!isRecord(condition)) return value !== undefined && value === condition
  const { eq, in: choices, ...others }: { eq?: unknown; in?: unknown } = condition
  const isChosen = choices === undefined || (Array.isArray(choices) && choices.includes(value))
  const isEqual = eq === undefined || eq === value
  return Object.keys(condition).length > 0 && Object.keys(others).length === 0 && isChosen && isEqual
}

/** Returns the position by the first field of `orderBy` if numbers or dates decide it, and otherwise the first one. */
function positionOf(record: RecordFields, { orderBy = {} }: FindOptions, docs: readonly RecordFields[]): number {
  const [name = "", direction] = Object.entries([orderBy].flat()[0] ?? {})[0] ?? []
  const isDescending = direction === "desc"
  // A new record is newer than the others.
  if (TIMES.includes(name)) return isDescending ? 0 : docs.length
  const own = quantityOf(record[name])
  const others = docs.map((other) => quantityOf(other[name]))
  if (Number.isNaN(own) || others.some(Number.isNaN)) return 0
  const after = others.findIndex((other) => (isDescending ? other < own : other > own))
  return after === -1 ? docs.length : after
}

function quantityOf(value: unknown): number {
  return typeof value === "number" || typeof value === "bigint" || value instanceof Date ? Number(value) : Number.NaN
}

function selected(record: RecordFields, { columns = {}, with: relations = {} }: FindOptions): RecordFields {
  const isSelection = Object.values(columns).includes(true)
  const isShown = (name: string) =>
    name === "id" || Object.hasOwn(relations, name) || (isSelection ? columns[name] === true : columns[name] !== false)
  return Object.fromEntries(Object.entries(record).filter(([name, value]) => isShown(name) && value !== undefined))
}
