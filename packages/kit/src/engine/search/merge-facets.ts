import type { FieldType } from "../../schema/compile/field-type.ts"
import type { PlannedFacet } from "../../sql/search/facets.ts"
import type { FacetBucket, FacetRangeCount, FacetValue } from "../../wire/results/search.ts"
import type { FacetRequest, RangeRequest } from "./facet-request.ts"

/** The result of a facet in one collection, as the statement returns it. */
interface CollectionFacet {
  readonly planned: PlannedFacet
  readonly counts: unknown
}

/** Adds up the counts of a facet in several collections, and returns the buckets that the request asks for. */
export function mergeFacet(request: FacetRequest, counted: readonly CollectionFacet[]): readonly FacetBucket[] {
  return request.ranges ? rangeBuckets(request.ranges, counted) : valueBuckets(request, counted)
}

function rangeBuckets(ranges: readonly RangeRequest[], counted: readonly CollectionFacet[]): FacetRangeCount[] {
  return ranges.map(({ from, to }, index) => ({
    ...(from === undefined ? {} : { from: writtenBound(from) }),
    ...(to === undefined ? {} : { to: writtenBound(to) }),
    // The cast is safe: the statement returns a list with the count of each range.
    count: counted.reduce((sum, { counts }) => sum + ((counts as readonly number[])[index] ?? 0), 0),
  }))
}

// Returns the bound of a range as the caller has given it, in plain JSON.
function writtenBound(bound: unknown): string | number {
  if (typeof bound === "number" || typeof bound === "string") return bound
  return bound instanceof Date ? bound.toISOString() : String(bound)
}

function valueBuckets(request: FacetRequest, counted: readonly CollectionFacet[]): readonly FacetValue[] {
  const lists = counted.map(({ planned, counts }) => valuesOf(planned, counts))
  const [first = []] = lists
  return lists.length <= 1 ? first : addUp(lists.flat(), request).slice(0, request.limit)
}

function valuesOf({ field }: PlannedFacet, counts: unknown): readonly FacetValue[] {
  const type = field.type.element ?? field.type
  // The cast is safe: the statement returns a list of pairs of a value and its count.
  return (counts as readonly (readonly [FacetValue["value"], number])[]).map(([value, count]) => ({
    value: writtenValue(type, value),
    count,
  }))
}

// Returns a value as plain JSON has it in records. Postgres writes the times in JSON in a form of its own.
function writtenValue({ extended }: FieldType, value: FacetValue["value"]): FacetValue["value"] {
  return extended === "Date" && typeof value === "string" ? new Date(value).toISOString() : value
}

function addUp(values: readonly FacetValue[], { sortBy }: FacetRequest): FacetValue[] {
  const counts = new Map<FacetValue["value"], number>()
  for (const { value, count } of values) counts.set(value, (counts.get(value) ?? 0) + count)
  const sums = [...counts].map(([value, count]) => ({ value, count }))
  return sums.sort((left, right) => {
    const byCount = sortBy === "count" ? right.count - left.count : 0
    return byCount || valueOrder(left.value, right.value)
  })
}

function valueOrder(left: FacetValue["value"], right: FacetValue["value"]): number {
  if (typeof left === "number" && typeof right === "number") return left - right
  const [one, other] = [String(left), String(right)]
  if (one === other) return 0
  return one < other ? -1 : 1
}
