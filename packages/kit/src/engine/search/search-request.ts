import { isPlainObject } from "../../wire/codecs/query-string.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { QUERY_LIMITS } from "../../wire/options/query-options.ts"
import type { PageWindow } from "../../wire/results/results.ts"
import { SEARCH_LIMITS, type SearchMode } from "../../wire/results/search.ts"
import { type Members, readMembers } from "../context/read-members.ts"
import { type FacetRequest, readFacets } from "./facet-request.ts"

/** A search request with members of the right types. Names of collections and fields have not been checked. */
export interface SearchRequest {
  readonly query: string
  readonly mode: SearchMode
  /** The names of the collections to search; undefined for all that the caller may search. */
  readonly collections: readonly string[] | undefined
  readonly window: PageWindow
  /** The options of a read for each collection, by the name of the collection. */
  readonly where: Members
  readonly with: Members
  readonly columns: Members
  readonly hasHighlights: boolean
  readonly facets: readonly FacetRequest[]
  readonly stage: string | undefined
}

/** The options that a search has for each collection, as those of a `find`. */
export const COLLECTION_OPTIONS = ["where", "with", "columns"] as const

type CollectionOption = (typeof COLLECTION_OPTIONS)[number]

const MEMBERS = [
  "query",
  "collections",
  "mode",
  "limit",
  "offset",
  "where",
  "with",
  "columns",
  "highlights",
  "facets",
  "locale",
  "localeFallback",
  "stage",
] as const

/** Returns the members of the body of a search request. Throws if it has other members. */
export function readSearchBody(body: unknown): Members {
  return readMembers(body, MEMBERS)
}

/** Parses the members of a search request, except for the locale, which every request has. */
export function readSearchRequest(members: Members): SearchRequest {
  const { query, collections, mode, limit, offset, highlights, facets, stage } = members
  return {
    query: readQuery(query),
    mode: readMode(mode),
    collections: collections === undefined ? undefined : readCollections(collections),
    window: {
      limit: readCount("limit", limit, { default: SEARCH_LIMITS.defaultLimit, min: 1, max: SEARCH_LIMITS.maxLimit }),
      offset: readCount("offset", offset, { default: 0, min: 0, max: SEARCH_LIMITS.maxOffset }),
    },
    where: readByCollection(members, "where", 'a filter for each collection, such as { posts: { status: "new" } }'),
    with: readByCollection(members, "with", "the relations of each collection, such as { posts: { author: true } }"),
    columns: readByCollection(members, "columns", "the fields of each collection, such as { posts: { title: true } }"),
    hasHighlights: highlights !== undefined && readBoolean("highlights", highlights),
    facets: facets === undefined ? [] : readFacets(facets),
    stage: stage === undefined ? undefined : readStageName(stage),
  }
}

function readQuery(query: unknown): string {
  if (typeof query !== "string") {
    throw invalid("query", "Expected a text. An empty one finds all records, the newest first.")
  }
  if (query.includes("\0") || !query.isWellFormed()) throw invalid("query", "Expected well-formed text without U+0000.")
  const most = QUERY_LIMITS.maxSearchLength
  if (query.length > most) throw invalid("query", `Search for at most ${most} characters.`)
  return query
}

const MODES: readonly SearchMode[] = ["lexical", "semantic", "hybrid"]

function readMode(mode: unknown): SearchMode {
  if (mode === undefined) return "lexical"
  const known = MODES.find((name) => name === mode)
  if (known === undefined) throw invalid("mode", `Expected one of: ${MODES.join(", ")}.`)
  return known
}

function readCollections(collections: unknown): readonly string[] {
  if (!Array.isArray(collections)) throw invalid("collections", "Expected a list of names of collections.")
  if (collections.length === 0) {
    throw invalid("collections", "The list is empty. Leave it out to search all collections.")
  }
  return collections.map((name: unknown, index) => {
    const path = `collections.${index}`
    if (typeof name !== "string") throw invalid(path, "Expected the name of a collection.")
    if (collections.indexOf(name) < index) throw invalid(path, `"${name}" is in the list already.`)
    return name
  })
}

function readByCollection(members: Members, option: CollectionOption, expected: string): Members {
  const value = members[option]
  if (value === undefined) return {}
  if (isPlainObject(value)) return value
  throw invalid(option, `Expected ${expected}.`)
}

function readBoolean(path: string, value: unknown): boolean {
  if (typeof value === "boolean") return value
  throw invalid(path, "Expected true or false.")
}

function readStageName(stage: unknown): string {
  if (typeof stage === "string") return stage
  throw invalid("stage", "Expected the name of a stage.")
}

interface CountBounds {
  readonly default: number
  readonly min: number
  readonly max: number
}

function readCount(path: string, value: unknown, bounds: CountBounds): number {
  const { min, max } = bounds
  if (value === undefined) return bounds.default
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value
  throw invalid(path, `Expected a whole number from ${min} to ${max}.`)
}
