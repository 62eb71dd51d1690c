import { invalid } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import { FIELD_MEASURES, type FieldMeasure } from "../../wire/options/aggregate-options.ts"
import { QUERY_LIMITS } from "../../wire/options/query-options.ts"
import { isRecord } from "../parse/where-position.ts"
import type { GroupKey, GroupOrder } from "./aggregation.ts"
import type { MeasureList } from "./measure-list.ts"

/** The values that an order of groups can name. */
interface OrderScope {
  readonly keys: readonly GroupKey[]
  readonly measures: MeasureList
}

/**
 * Parses the `orderBy` of an aggregate: keys and computed values, such as `{ count: "desc" }`, `{ sum: { price: "desc" } }`
 * or `{ status: "asc" }`. Groups that are equal in all of them are ordered by their keys.
 */
export function parseGroupOrder(input: unknown, scope: OrderScope): readonly GroupOrder[] {
  const given = input === undefined ? [] : readMaps(input, scope)
  const most = QUERY_LIMITS.maxOrderKeys
  if (given.length > most) throw invalid("orderBy", `Sort by at most ${most} values.`)
  const others = scope.keys.filter(({ column }) => !given.some((order) => order.column === column))
  return [...given, ...others.map(({ column }) => ({ column, direction: "asc" as const }))]
}

function readMaps(input: unknown, scope: OrderScope): GroupOrder[] {
  if (!Array.isArray(input)) return readMap({ input, path: "orderBy" }, scope)
  return input.flatMap((map, index) => readMap({ input: map, path: `orderBy.${index}` }, scope))
}

function readMap({ input, path }: { readonly input: unknown; readonly path: string }, scope: OrderScope): GroupOrder[] {
  if (!isRecord(input)) throw invalid(path, 'Expected an object such as { count: "desc" }.')
  return Object.entries(input).flatMap(([name, value]) => readEntry({ name, value, path: `${path}.${name}` }, scope))
}

interface OrderEntry {
  readonly name: string
  readonly value: unknown
  readonly path: string
}

// A computed value comes before a key of the same name.
function readEntry({ name, value, path }: OrderEntry, { keys, measures }: OrderScope): GroupOrder[] {
  if (name === "count") return [readDirection(measures.count(path).column, { value, path })]
  const kind = FIELD_MEASURES.find((measure) => measure === name)
  if (kind !== undefined && isRecord(value)) return readFields(kind, { value, path }, measures)
  const key = keys.find(({ field }) => field.name === name)
  if (key) return [readDirection(key.column, { value, path })]
  if (kind !== undefined) throw invalid(path, `Expected the field, such as { price: "desc" }.`)
  const known = ["count", ...FIELD_MEASURES, ...keys.map(({ field }) => field.name)]
  throw invalid(path, `Groups have no "${name}" to sort by.${didYouMean(name, known)}`)
}

interface OrderValue<Value> {
  readonly value: Value
  readonly path: string
}

function readFields(
  kind: FieldMeasure,
  { value, path }: OrderValue<Readonly<Record<string, unknown>>>,
  measures: MeasureList,
): GroupOrder[] {
  return Object.entries(value).map(([name, direction]) => {
    const at = `${path}.${name}`
    return readDirection(measures.field({ kind, name, path: at }).column, { value: direction, path: at })
  })
}

function readDirection(column: string, { value, path }: OrderValue<unknown>): GroupOrder {
  if (value !== "asc" && value !== "desc") throw invalid(path, 'Expected "asc" or "desc".')
  return { column, direction: value }
}
