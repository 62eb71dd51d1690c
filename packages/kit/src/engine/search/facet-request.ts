import { invalid } from "../../wire/errors/api-error.ts"
import { SEARCH_LIMITS } from "../../wire/results/search.ts"
import { readMembers } from "../context/read-members.ts"

/** A facet of a search request, with members of the right types. Its field has not been looked up. */
export interface FacetRequest {
  readonly field: string
  readonly limit: number
  readonly sortBy: "count" | "value"
  readonly ranges: readonly RangeRequest[] | undefined
  /** The path of the facet in the request body. */
  readonly path: string
}

export interface RangeRequest {
  readonly from: unknown
  readonly to: unknown
}

const FACET_MEMBERS = ["field", "limit", "sortBy", "ranges"] as const
const RANGE_MEMBERS = ["from", "to"] as const

/** Parses the option `facets`. */
export function readFacets(facets: unknown): readonly FacetRequest[] {
  if (!Array.isArray(facets)) throw invalid("facets", 'Expected a list such as [{ field: "section" }].')
  const { maxFacets } = SEARCH_LIMITS
  if (facets.length > maxFacets) throw invalid("facets", `Request at most ${maxFacets} facets.`)
  const requests = facets.map((facet: unknown, index) => readFacet(facet, `facets.${index}`))
  for (const [index, { field, path }] of requests.entries()) {
    const isRepeated = requests.findIndex((other) => other.field === field) < index
    if (isRepeated) throw invalid(`${path}.field`, `"${field}" is in the list already.`)
  }
  return requests
}

function readFacet(facet: unknown, path: string): FacetRequest {
  if (typeof facet === "string") throw invalid(path, 'Expected an object such as { field: "section" }.')
  const { field, limit, sortBy, ranges } = readMembers(facet, FACET_MEMBERS, path)
  if (typeof field !== "string") throw invalid(`${path}.field`, "Expected the name of a field.")
  if (sortBy !== undefined && sortBy !== "count" && sortBy !== "value") {
    throw invalid(`${path}.sortBy`, 'Expected "count" or "value".')
  }
  if (ranges === undefined) return { field, limit: readLimit(limit, path), sortBy: sortBy ?? "count", ranges, path }
  const unused = limit === undefined ? sortBy && "sortBy" : "limit"
  if (unused) throw invalid(`${path}.${unused}`, "Ranges are all counted, in the order in which they are given.")
  return { field, limit: 0, sortBy: "count", ranges: readRanges(ranges, `${path}.ranges`), path }
}

function readLimit(limit: unknown, path: string): number {
  const { defaultFacetLimit, maxFacetLimit } = SEARCH_LIMITS
  if (limit === undefined) return defaultFacetLimit
  if (typeof limit === "number" && Number.isInteger(limit) && limit >= 1 && limit <= maxFacetLimit) return limit
  throw invalid(`${path}.limit`, `Expected a whole number from 1 to ${maxFacetLimit}.`)
}

function readRanges(ranges: unknown, path: string): readonly RangeRequest[] {
  const { maxRanges } = SEARCH_LIMITS
  const isList = Array.isArray(ranges) && ranges.length > 0 && ranges.length <= maxRanges
  if (!isList) throw invalid(path, `Expected a list of 1 to ${maxRanges} ranges such as { from: 10, to: 20 }.`)
  return ranges.map((range: unknown, index) => {
    const { from, to } = readMembers(range, RANGE_MEMBERS, `${path}.${index}`)
    if (from === undefined && to === undefined) throw invalid(`${path}.${index}`, "Give from, to or both.")
    return { from, to }
  })
}
