import { ALL_LOCALES } from "../../schema/compile/locales.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import type { GroupCounting } from "../../sql/read/group-read.ts"
import type { PageTotal } from "../../sql/read/page-total.ts"
import { isPlainObject } from "../../wire/codecs/query-string.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import { CURSOR_OPTIONS } from "../../wire/options/cursor-options.ts"
import { QUERY_LIMITS, READ_OPTION_NAMES, type ReadKind } from "../../wire/options/query-options.ts"
import type { PageWindow } from "../../wire/results/results.ts"
import type { OperationContext } from "./operation-context.ts"

/** The options of an operation before they are checked: typed values, or strings from a URL query string. */
export interface UncheckedOptions {
  readonly options: Readonly<Record<string, unknown>>
  readonly isText: boolean
}

export const NO_OPTIONS: UncheckedOptions = Object.freeze({ options: Object.freeze({}), isText: false })

/** Throws if an option does not exist for this kind of operation. */
export function checkOptions(ctx: OperationContext, kind: ReadKind, { options }: UncheckedOptions): void {
  const known: readonly string[] = READ_OPTION_NAMES[kind]
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw invalid(name, unknownOption(kind, name))
  }
  if (WRITES.has(kind) && ctx.locale === ALL_LOCALES) throw invalid("locale", "A write changes one locale. Name it.")
}

const WRITES: ReadonlySet<ReadKind> = new Set(["create", "update", "change", "write"])

function unknownOption(kind: ReadKind, name: string): string {
  if (name === "groupBy") return "Only a list of records can be grouped. Use find, which also counts each group."
  if (CURSOR_OPTIONS.includes(name)) return ONLY_LISTS_HAVE_CURSORS
  if (name === "dryRun") return "Only a create and an update of one record or global can be dry runs."
  return `There is no option "${name}" here.${didYouMean(name, READ_OPTION_NAMES[kind])}`
}

const ONLY_LISTS_HAVE_CURSORS =
  "Only a list of records has cursors. Use find without groupBy or, for the versions of a record, findVersions."

/** Parses the options `limit`, `offset` and `page`. */
export function readWindow({ options }: UncheckedOptions): PageWindow {
  const limit =
    options["limit"] === undefined ? QUERY_LIMITS.defaultLimit : readInteger("limit", options["limit"], LIMIT)
  if (options["page"] === undefined) {
    return { limit, offset: options["offset"] === undefined ? 0 : readInteger("offset", options["offset"], OFFSET) }
  }
  if (options["offset"] !== undefined) throw invalid("page", "Give page or offset, not both.")
  const offset = (readInteger("page", options["page"], PAGE) - 1) * limit
  if (offset > QUERY_LIMITS.maxOffset) throw invalid("page", "There is no such page.")
  return { limit, offset }
}

/**
 * Parses the options `limit`, `offset` and `page` for a read with `groupBy`. Throws if the groups of the page, with
 * `docs` records in each, could have more records than one response may have.
 */
export function readGroupWindow(given: UncheckedOptions, docs: number | undefined): PageWindow {
  if (docs === undefined || docs === 0) return readWindow(given)
  const { maxGroupedDocs, defaultLimit } = QUERY_LIMITS
  const most = Math.floor(maxGroupedDocs / docs)
  const limit = Math.min(defaultLimit, most)
  const window = readWindow({ ...given, options: { limit, ...given.options } })
  if (window.limit <= most) return window
  throw invalid(
    "groupBy.docs",
    `Request at most ${maxGroupedDocs} records in total, not ${docs} in each of ${window.limit} groups.`,
  )
}

interface Bounds {
  readonly min: number
  readonly max: number
}

const GROUPS: Bounds = { min: 1, max: QUERY_LIMITS.maxAggregateGroups }
const COUNTED: Bounds = { min: 1, max: QUERY_LIMITS.maxCounted }
const LIMIT: Bounds = { min: 1, max: QUERY_LIMITS.maxLimit }
const OFFSET: Bounds = { min: 0, max: QUERY_LIMITS.maxOffset }
const PAGE: Bounds = { min: 1, max: QUERY_LIMITS.maxOffset }

function readInteger(name: string, value: unknown, { min, max }: Bounds): number {
  const number = typeof value === "string" && /^\d{1,10}$/.test(value) ? Number(value) : value
  if (typeof number === "number" && Number.isInteger(number) && number >= min && number <= max) return number
  throw invalid(name, `Expected a whole number from ${min} to ${max}.`)
}

/** Parses the option `limit` of an aggregate: the most groups to return. */
export function readGroupLimit({ options: { limit } }: UncheckedOptions): number {
  return limit === undefined ? QUERY_LIMITS.defaultAggregateGroups : readInteger("limit", limit, GROUPS)
}

/** Parses the option `total`. */
export function readTotal({ options: { total = true } }: UncheckedOptions): PageTotal {
  if (total === true || total === "true") return EXACT
  if (total === false || total === "false") return NONE
  if (total === "estimate") return { kind: "estimate" }
  const { max, ...others } = isPlainObject(total) ? total : {}
  if (max === undefined || Object.keys(others).length > 0) throw invalid("total", EXPECTED_TOTAL)
  return { kind: "atMost", max: readInteger("total.max", max, COUNTED) }
}

/** Parses the option `total` of a read with `groupBy`. */
export function readGroupCounting(given: UncheckedOptions): GroupCounting {
  const total = readTotal(given)
  if (total.kind !== "estimate") return total
  throw invalid(
    "total",
    "Groups are not estimated. Count them exactly (true), up to a number ({ max }), or not (false).",
  )
}

/** True if the read is paged by cursors, from which its answer then has some, too. */
export function isByCursor({ options }: UncheckedOptions): boolean {
  return options["after"] !== undefined || options["before"] !== undefined
}

/** The cursors between which a page lies; null for the beginning or the end of the list, undefined if not given. */
export interface GivenCursors {
  readonly after: string | null | undefined
  readonly before: string | null | undefined
}

/** Parses the options `after` and `before`. */
export function readCursors(given: UncheckedOptions): GivenCursors {
  const { page, offset } = given.options
  const cursors = { after: readCursor("after", given), before: readCursor("before", given) }
  if (page === undefined && offset === undefined) return cursors
  throw invalid(page === undefined ? "offset" : "page", "Give after and before, or page, or offset: only one of them.")
}

function readCursor(name: "after" | "before", { options, isText }: UncheckedOptions): string | null | undefined {
  const value = options[name]
  // A query string cannot hold null. An empty value stands for it.
  if (value === undefined || value === null || (isText && value === "")) return value === undefined ? value : null
  if (typeof value === "string" && value !== "") return value
  throw invalid(name, "Expected the startCursor or endCursor of a page, or null.")
}

const EXACT: PageTotal = Object.freeze({ kind: "exact" })
const NONE: PageTotal = Object.freeze({ kind: "none" })
const EXPECTED_TOTAL = 'Expected true, false, "estimate", or the most records to count, such as { max: 10000 }.'

/** Parses the option `max` of a count: the most records to count. */
export function readMax({ options: { max } }: UncheckedOptions): number | undefined {
  return max === undefined ? undefined : readInteger("max", max, COUNTED)
}

/** Parses the option `includeDeleted`, which adds soft-deleted records to the result. */
export function readIncludeDeleted(resource: Resource, { options }: UncheckedOptions): boolean {
  if (options["includeDeleted"] === undefined) return false
  const isRequested = readFlag("includeDeleted", options["includeDeleted"])
  if (isRequested && !resource.deletedAt)
    throw invalid("includeDeleted", `"${resource.name}" keeps no deleted records.`)
  return isRequested
}

export function readFlag(name: string, value: unknown): boolean {
  if (value === true || value === "true") return true
  if (value === false || value === "false") return false
  throw invalid(name, "Expected true or false.")
}
