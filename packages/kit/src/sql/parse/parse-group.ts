import { isOrdered } from "../../schema/compile/field-type.ts"
import { type Resource, type ResourceField, toManyOf } from "../../schema/compile/resource.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import { type Direction, QUERY_LIMITS } from "../../wire/options/query-options.ts"
import { type Predicate, predicateOf } from "../filter/predicate.ts"
import type { ParseContext } from "./parse-context.ts"
import { parseSelection } from "./parse-selection.ts"
import type { Selection } from "./selection.ts"

/** The `groupBy` of a request. Records that have the same value in the field form a group. */
export interface Grouping {
  readonly field: ResourceField
  /** The order of the groups by their field value. The group of records without a value comes last. */
  readonly direction: Direction
  /** The number of records requested per group. If undefined, the number depends on the number of groups. */
  readonly docs: number | undefined
  /** The titles of the related records; undefined if the field is not a relation to records that have one. */
  readonly titles: GroupTitles | undefined
}

/** The title of the related record of each group. */
export interface GroupTitles {
  /** The related records with nothing but their title; undefined if it is hidden from the caller in every record. */
  readonly selection: Selection | undefined
  /** The predicate for the related records that the caller may read. */
  readonly predicate: Predicate
}

/** Parses `groupBy`: the name of a field, or `{ field, order, docs }`. */
export function parseGroupBy(resource: Resource, input: unknown, parseContext: ParseContext): Grouping {
  if (typeof input === "string") {
    const field = groupField(resource, { name: input, path: "groupBy" }, parseContext)
    return { field, direction: "asc", docs: undefined, titles: titlesOf(field, parseContext) }
  }
  const { field: name, order, docs } = groupOptions(input)
  const field = groupField(resource, { name, path: "groupBy.field" }, parseContext)
  return {
    field,
    direction: readDirection(order),
    docs: docs === undefined ? undefined : readDocs(docs),
    titles: titlesOf(field, parseContext),
  }
}

/** Returns the resource whose records have the titles of the groups, if `groupBy` names a relation to such records. */
export function titledTarget(resource: Resource, groupBy: unknown): Resource | undefined {
  const name = typeof groupBy === "object" && groupBy !== null && "field" in groupBy ? groupBy.field : groupBy
  const field = typeof name === "string" ? resource.fields.get(name) : undefined
  return field && titledBy(field)
}

function titledBy({ relation }: ResourceField): Resource | undefined {
  return relation?.kind === "belongsTo" && relation.target.title !== undefined ? relation.target : undefined
}

function titlesOf(field: ResourceField, parseContext: ParseContext): GroupTitles | undefined {
  const target = titledBy(field)
  if (target?.title === undefined) return undefined
  const { visibility } = parseContext
  const isReadable = visibility.fields(target).has(target.title)
  return {
    selection: isReadable ? parseSelection(target, { columns: { [target.title]: true } }, parseContext) : undefined,
    predicate: predicateOf(visibility.rows(target)),
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
