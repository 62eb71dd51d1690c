import { isOrdered } from "../../schema/compile/field-type.ts"
import { type Resource, type ResourceField, toManyOf } from "../../schema/compile/resource.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import { type Direction, QUERY_LIMITS } from "../../wire/options/query-options.ts"
import type { ParseContext } from "./parse-context.ts"

/** The `groupBy` of a request. Records that have the same value in the field form a group. */
export interface Grouping {
  readonly field: ResourceField
  /** The order of the groups by their field value. The group of records without a value comes last. */
  readonly direction: Direction
  /** The number of records requested per group. If undefined, the number depends on the number of groups. */
  readonly docs: number | undefined
}

/** Parses `groupBy`: the name of a field, or `{ field, order, docs }`. */
export function parseGroupBy(resource: Resource, input: unknown, parseContext: ParseContext): Grouping {
  if (typeof input === "string") {
    return {
      field: groupField(resource, { name: input, path: "groupBy" }, parseContext),
      direction: "asc",
      docs: undefined,
    }
  }
  const { field, order, docs } = groupOptions(input)
  return {
    field: groupField(resource, { name: field, path: "groupBy.field" }, parseContext),
    direction: readDirection(order),
    docs: docs === undefined ? undefined : readDocs(docs),
  }
}

const OPTIONS = ["field", "order", "docs"]

function groupOptions(input: unknown): { field?: unknown; order?: unknown; docs?: unknown } {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw invalid("groupBy", "Expected the name of a field, or { field, order, docs }.")
  }
  for (const name of Object.keys(input)) {
    if (!OPTIONS.includes(name)) {
      throw invalid(`groupBy.${name}`, `There is no option "${name}" here.${didYouMean(name, OPTIONS)}`)
    }
  }
  return input
}

function groupField(
  resource: Resource,
  { name, path }: { name: unknown; path: string },
  parseContext: ParseContext,
): ResourceField {
  if (typeof name !== "string") throw invalid(path, "Expected the name of a field.")
  const fields = parseContext.visibility.fields(resource)
  const field = fields.get(name)
  if (field === undefined) throw invalid(path, `There is no field "${name}".${didYouMean(name, fields.keys())}`)
  if (toManyOf(field)) throw invalid(path, `The relation "${name}" leads to many records and cannot be grouped by.`)
  if (!isOrdered(field.type)) {
    throw invalid(path, `The field "${name}" is of the type ${field.type.name}, which cannot be grouped by.`)
  }
  return field
}

function readDirection(order: unknown): Direction {
  if (order === undefined || order === "asc" || order === "desc") return order ?? "asc"
  throw invalid("groupBy.order", 'Expected "asc" or "desc".')
}

function readDocs(docs: unknown): number {
  const number = typeof docs === "string" && /^\d{1,4}$/.test(docs) ? Number(docs) : docs
  const most = QUERY_LIMITS.maxGroupedDocs
  if (typeof number === "number" && Number.isInteger(number) && number >= 0 && number <= most) return number
  throw invalid("groupBy.docs", `Expected a whole number from 0 to ${most}.`)
}
