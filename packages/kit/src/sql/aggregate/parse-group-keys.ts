import { isOrdered } from "../../schema/compile/field-type.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import { PERIODS, type Period } from "../../wire/options/aggregate-options.ts"
import { QUERY_LIMITS } from "../../wire/options/query-options.ts"
import type { ParseContext } from "../parse/parse-context.ts"
import { isRecord } from "../parse/where-position.ts"
import { aggregatedField } from "./aggregated-field.ts"
import type { GroupKey, Periods } from "./aggregation.ts"

/** Parses the `groupBy` of an aggregate: a field, or a list of fields. */
export function parseGroupKeys(resource: Resource, input: unknown, parseContext: ParseContext): readonly GroupKey[] {
  if (input === undefined) return []
  if (!Array.isArray(input)) return [parseKey(resource, { input, path: "groupBy", column: "k0" }, parseContext)]
  const most = QUERY_LIMITS.maxGroupKeys
  if (input.length === 0 || input.length > most) throw invalid("groupBy", `Expected one to ${most} fields.`)
  const keys = input.map((each, index) =>
    parseKey(resource, { input: each, path: `groupBy.${index}`, column: `k${index}` }, parseContext),
  )
  for (const [index, { field }] of keys.entries()) {
    const isTwice = keys.findIndex((key) => key.field.name === field.name) < index
    if (isTwice) throw invalid(`groupBy.${index}`, `The field "${field.name}" is in the list twice.`)
  }
  return keys
}

interface KeyInput {
  readonly input: unknown
  readonly path: string
  readonly column: string
}

function parseKey(resource: Resource, { input, path, column }: KeyInput, parseContext: ParseContext): GroupKey {
  if (!isRecord(input)) {
    if (typeof input !== "string") throw invalid(path, EXPECTED_KEY)
    return { field: groupField(resource, { name: input, path }, parseContext), periods: undefined, column }
  }
  const unknown = Object.keys(input).find((name) => !OPTIONS.includes(name))
  if (unknown !== undefined) {
    throw invalid(`${path}.${unknown}`, `There is no option "${unknown}" here.${didYouMean(unknown, OPTIONS)}`)
  }
  const { field: name, by, timeZone } = input
  const field = groupField(resource, { name, path: `${path}.field` }, parseContext)
  if (by !== undefined) return { field, periods: readPeriods(field, { by, timeZone }, path), column }
  if (timeZone !== undefined) throw invalid(`${path}.timeZone`, 'Only periods have a time zone. Add by: "day".')
  return { field, periods: undefined, column }
}

const OPTIONS = ["field", "by", "timeZone"]
const EXPECTED_KEY = 'Expected the name of a field, or { field: "createdAt", by: "month", timeZone: "Europe/Berlin" }.'

function groupField(
  resource: Resource,
  named: { readonly name: unknown; readonly path: string },
  parseContext: ParseContext,
): ResourceField {
  const field = aggregatedField(resource, named, parseContext)
  if (isOrdered(field.type)) return field
  throw invalid(named.path, `The field "${field.name}" is of the type ${field.type.name}, which cannot be grouped by.`)
}

function readPeriods(
  { name, type }: ResourceField,
  { by, timeZone }: { readonly by: unknown; readonly timeZone: unknown },
  path: string,
): Periods {
  if (!isPeriod(by)) throw invalid(`${path}.by`, `Expected one of ${PERIODS.join(", ")}.`)
  if (type.sqlType.startsWith("timestamptz")) return { by, timeZone: readTimeZone(timeZone, `${path}.timeZone`) }
  if (type.sqlType !== "date") {
    throw invalid(`${path}.by`, `The field "${name}" is of the type ${type.name}, which has no periods.`)
  }
  if (timeZone === undefined) return { by, timeZone: undefined }
  throw invalid(`${path}.timeZone`, `The field "${name}" has dates without a time. Leave the time zone out.`)
}

function isPeriod(by: unknown): by is Period {
  return PERIODS.some((period) => period === by)
}

// Only names of the form "Area/City" mean the same everywhere: Postgres reads "CET" as an offset without summer time, and
// "+02:00" as hours west of Greenwich.
const ZONE_NAME = /^(UTC|[A-Za-z]+(\/[A-Za-z0-9_+-]+)+)$/

function readTimeZone(timeZone: unknown, path: string): string {
  if (timeZone === undefined) return "UTC"
  if (typeof timeZone === "string" && ZONE_NAME.test(timeZone) && isKnownZone(timeZone)) return timeZone
  throw invalid(path, 'Expected the name of a time zone such as "Europe/Berlin", or "UTC".')
}

function isKnownZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }) !== undefined
  } catch {
    return false
  }
}
