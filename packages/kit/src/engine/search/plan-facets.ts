import { type FieldType, isProblem } from "../../schema/compile/field-type.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { guardedField } from "../../sql/filter/guarded-filter.ts"
import { operatorsOf } from "../../sql/filter/operators.ts"
import type { Predicate, Visibility } from "../../sql/filter/predicate.ts"
import type { PlannedFacet, PlannedRange } from "../../sql/search/facets.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import type { FacetRequest, RangeRequest } from "./facet-request.ts"

/** A collection whose found records are counted, as the caller sees it. */
interface CountedCollection {
  readonly resource: Resource
  readonly readable: Predicate
  readonly visibility: Visibility
}

/** The facets of one collection, and for each of them its place in the request. */
interface CollectionFacets {
  readonly planned: readonly PlannedFacet[]
  readonly places: readonly number[]
}

/**
 * Returns the facets that each collection contributes to. Throws the same error if a field is a facet of no collection,
 * and if no collection shows the field to the caller.
 */
export function planFacets(
  requests: readonly FacetRequest[],
  collections: readonly CountedCollection[],
): readonly CollectionFacets[] {
  const known = collections.map(facetsOf)
  for (const { field, path } of requests) {
    if (known.some((facets) => facets.has(field))) continue
    const names = new Set(known.flatMap((facets) => [...facets.keys()]))
    throw invalid(`${path}.field`, `There is no facet "${field}".${didYouMean(field, names)}`)
  }
  const valueLimit = (request: FacetRequest) =>
    known.filter((facets) => facets.has(request.field)).length > 1 ? MAX_MERGED_VALUES : request.limit
  return known.map((facets) => {
    const places = [...requests.keys()].filter((place) => facets.has(requests[place]?.field ?? ""))
    const planned = requests.flatMap((request) => {
      const field = facets.get(request.field)
      return field ? [planFacet(field, { ...request, limit: valueLimit(request) })] : []
    })
    return { planned, places }
  })
}

// The counts of several collections are added up before the request's limit applies, so that no value is lost whose
// count is high only in total. This limit keeps the memory in bounds.
const MAX_MERGED_VALUES = 10_000

/** Returns the facets of a collection that the caller may see, by name. */
function facetsOf({ resource, readable, visibility }: CountedCollection): ReadonlyMap<string, ResourceField> {
  const visible = visibility.fields(resource)
  const shown = (resource.search?.facets ?? []).flatMap(({ name }) => visible.get(name) ?? [])
  return new Map(shown.map((field) => [field.name, guardedField(readable, field)]))
}

function planFacet(field: ResourceField, { limit, sortBy, ranges, path }: FacetRequest): PlannedFacet {
  return { field, limit, sortBy, ranges: ranges?.map((range, at) => planRange(field, range, `${path}.ranges.${at}`)) }
}

function planRange({ name, type }: ResourceField, range: RangeRequest, path: string): PlannedRange {
  if (type.operators !== "ordered") {
    throw invalid(path, `"${name}" has no ranges. Only numbers, dates and times have them.`)
  }
  const from = readBound(type, range.from, `${path}.from`)
  const to = readBound(type, range.to, `${path}.to`)
  const isEmpty = from !== undefined && to !== undefined && !isBefore(type, from, to)
  if (isEmpty) throw invalid(path, "Expected from to be less than to.")
  return { from: storedBound(type, from), to: storedBound(type, to) }
}

function isBefore(type: FieldType, from: unknown, to: unknown): boolean {
  return operatorsOf("ordered").get("lt")?.test?.({ value: from, type, operand: to }) === "yes"
}

function storedBound(type: FieldType, bound: unknown): unknown {
  return bound === undefined || type.toSql === undefined ? bound : type.toSql(bound)
}

function readBound(type: FieldType, bound: unknown, path: string): unknown {
  if (bound === undefined) return undefined
  const parsed = type.parseOperand(bound)
  if (isProblem(parsed)) throw invalid(path, parsed.problem)
  return parsed.value
}
