import { ALL_LOCALES } from "../../schema/compile/locales.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
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

const WRITES: ReadonlySet<ReadKind> = new Set(["create", "update", "globalUpdate", "change", "write"])

function unknownOption(kind: ReadKind, name: string): string {
  if (name === "groupBy") return "Only a list of records can be grouped. Use find, which also counts each group."
  if (name === "dryRun") return "Only a create and an update of one record or global can be dry runs."
  return `There is no option "${name}" here.${didYouMean(name, READ_OPTION_NAMES[kind])}`
}

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

const LIMIT: Bounds = { min: 1, max: QUERY_LIMITS.maxLimit }
const OFFSET: Bounds = { min: 0, max: QUERY_LIMITS.maxOffset }
const PAGE: Bounds = { min: 1, max: QUERY_LIMITS.maxOffset }

function readInteger(name: string, value: unknown, { min, max }: Bounds): number {
  const number = typeof value === "string" && /^\d{1,10}$/.test(value) ? Number(value) : value
  if (typeof number === "number" && Number.isInteger(number) && number >= min && number <= max) return number
  throw invalid(name, `Expected a whole number from ${min} to ${max}.`)
}

export function readTotal({ options }: UncheckedOptions): boolean {
  return options["total"] === undefined || readFlag("total", options["total"])
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
