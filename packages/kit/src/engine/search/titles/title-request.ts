import { invalid } from "../../../wire/errors/api-error.ts"
import { TITLE_LIMITS } from "../../../wire/results/titles.ts"
import { type Members, readMembers } from "../../context/read-members.ts"

/** A search for titles, with members of the right types. */
interface TitleRequest {
  readonly query: string
  readonly limit: number
  readonly drafts: boolean
}

/** Returns the members of the body of a search for titles. Throws if it has other members. */
export function readTitleBody(body: unknown): Members {
  return readMembers(body, ["query", "limit", "drafts", "locale", "localeFallback"])
}

/** Parses the members of a search for titles, except for the locale, which every request has. */
export function readTitleRequest({ query, limit, drafts }: Members): TitleRequest {
  return { query: readQuery(query), limit: readLimit(limit), drafts: readDrafts(drafts) }
}

function readQuery(query: unknown): string {
  const { maxQueryLength } = TITLE_LIMITS
  if (typeof query !== "string") throw invalid("query", "Expected the beginning of a title.")
  if (query.includes("\0") || !query.isWellFormed()) throw invalid("query", "Expected well-formed text without U+0000.")
  if (query.trim() === "")
    throw invalid("query", "Expected at least one letter of a title. An empty text finds nothing.")
  if (query.length > maxQueryLength) throw invalid("query", `Search for at most ${maxQueryLength} characters.`)
  return query
}

function readDrafts(drafts: unknown = false): boolean {
  if (typeof drafts === "boolean") return drafts
  throw invalid("drafts", "Expected true or false.")
}

function readLimit(limit: unknown): number {
  const { defaultLimit, maxLimit } = TITLE_LIMITS
  if (limit === undefined) return defaultLimit
  if (typeof limit === "number" && Number.isInteger(limit) && limit >= 1 && limit <= maxLimit) return limit
  throw invalid("limit", `Expected a whole number from 1 to ${maxLimit}.`)
}
