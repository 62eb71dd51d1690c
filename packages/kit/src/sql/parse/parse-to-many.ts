import { isOrderedRelation, type ToManyRelation } from "../../schema/compile/resource.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { COUNT, QUERY_LIMITS } from "../../wire/options/query-options.ts"
import type { PageWindow } from "../../wire/results/results.ts"
import type { Visibility } from "../filter/predicate.ts"
import type { ParseContext } from "./parse-context.ts"
import { type OrderKey, parseOrderAt } from "./parse-order.ts"

/** The options of a to-many relation: which related records to return for each parent record. */
export interface ToManyOptions {
  readonly relation: ToManyRelation
  /** The sort keys. Undefined if the related records have the order of an ordered relation. */
  readonly order: readonly OrderKey[] | undefined
  readonly window: PageWindow
  /** True if the response also has the total number of related records, regardless of `limit` and `offset`. */
  readonly isCounted: boolean
  readonly visibility: Visibility
}

export const TO_MANY_OPTION_NAMES: readonly string[] = [
  "columns",
  "where",
  "with",
  "stage",
  "orderBy",
  "limit",
  "offset",
  COUNT,
]

interface ToManyInput {
  readonly options: Readonly<Record<string, unknown>>
  readonly path: string
}

/** Parses the options that only to-many relations accept. */
export function parseToMany(
  relation: ToManyRelation,
  { options, path }: ToManyInput,
  parseContext: ParseContext,
): ToManyOptions {
  const { limit, offset, orderBy, [COUNT]: count } = options
  const order = parseOrderAt(relation.target, { input: orderBy, path: `${path}.orderBy` }, parseContext)
  return {
    relation,
    order: isOrderedRelation(relation) && isEmpty(orderBy) ? undefined : order,
    window: {
      limit: limit === undefined ? QUERY_LIMITS.defaultLimit : readLimit(limit, `${path}.limit`),
      offset: offset === undefined ? 0 : readOffset(offset, `${path}.offset`),
    },
    isCounted: count !== undefined && readFlag(count, `${path}.${COUNT}`),
    visibility: parseContext.visibility,
  }
}

function isEmpty(orderBy: unknown): boolean {
  return Object.keys(orderBy ?? {}).length === 0
}

// Reads the `limit` of a to-many relation. A limit of 0 requests only the count, without any records.
function readLimit(value: unknown, path: string): number {
  return readInteger(value, { path, most: QUERY_LIMITS.maxLimit })
}

function readOffset(value: unknown, path: string): number {
  return readInteger(value, { path, most: QUERY_LIMITS.maxOffset })
}

function readInteger(value: unknown, { path, most }: { path: string; most: number }): number {
  const number = typeof value === "string" && /^\d{1,10}$/.test(value) ? Number(value) : value
  if (typeof number === "number" && Number.isInteger(number) && number >= 0 && number <= most) return number
  throw invalid(path, `Expected a whole number from 0 to ${most}.`)
}

function readFlag(value: unknown, path: string): boolean {
  if (value === true || value === "true") return true
  if (value === false || value === "false") return false
  throw invalid(path, "Expected true or false.")
}
