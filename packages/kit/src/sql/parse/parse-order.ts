import { isOrdered, type OperatorFamily } from "../../schema/compile/field-type.ts"
import { type Resource, type ResourceField, toManyOf } from "../../schema/compile/resource.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import { type Direction, QUERY_LIMITS } from "../../wire/options/query-options.ts"
import type { ParseContext } from "./parse-context.ts"

/** One sort key: a field of the record, or of a record that is reached through belongsTo relations. */
export interface OrderKey {
  readonly through: readonly ResourceField[]
  readonly field: ResourceField
  readonly direction: Direction
}

/** Parses `orderBy`. Records that are equal in all sort keys are ordered by id, in the direction of the last key. */
export function parseOrder(resource: Resource, input: unknown, parseContext: ParseContext): readonly OrderKey[] {
  return parseOrderAt(resource, { input, path: "orderBy" }, parseContext)
}

/** Parses an `orderBy` that is nested in another option. */
export function parseOrderAt(
  resource: Resource,
  { input, path }: { input: unknown; path: string },
  parseContext: ParseContext,
): readonly OrderKey[] {
  const given = input === undefined ? [] : readMaps({ resource, through: [], path }, input, parseContext)
  const keys = given.length === 0 ? newestFirst(resource) : given
  if (keys.length > QUERY_LIMITS.maxOrderKeys) {
    throw invalid(path, `Sort by at most ${QUERY_LIMITS.maxOrderKeys} fields.`)
  }
  const isById = keys.some((key) => key.field === resource.id && key.through.length === 0)
  return isById ? keys : [...keys, { through: [], field: resource.id, direction: keys.at(-1)?.direction ?? "asc" }]
}

function newestFirst({ createdAt }: Resource): OrderKey[] {
  return createdAt ? [{ through: [], field: createdAt, direction: "desc" }] : []
}

function readMaps(position: OrderPosition, input: unknown, parseContext: ParseContext): OrderKey[] {
  if (!Array.isArray(input)) return readMap(position, input, parseContext)
  return input.flatMap((map, index) => readMap({ ...position, path: `${position.path}.${index}` }, map, parseContext))
}

interface OrderPosition {
  readonly resource: Resource
  readonly through: readonly ResourceField[]
  readonly path: string
}

function readMap(position: OrderPosition, input: unknown, parseContext: ParseContext): OrderKey[] {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw invalid(position.path, 'Expected an object such as { createdAt: "desc" }.')
  }
  return Object.entries(input).flatMap(([name, value]) => readEntry(position, { name, value }, parseContext))
}

function readEntry(
  position: OrderPosition,
  { name, value }: { name: string; value: unknown },
  parseContext: ParseContext,
): OrderKey[] {
  const path = `${position.path}.${name}`
  const fields = parseContext.visibility.fields(position.resource)
  const field = fields.get(name)
  if (field === undefined) throw invalid(path, `There is no field "${name}".${didYouMean(name, fields.keys())}`)
  if (field.target && typeof value === "object") return readNested(position, { field, value, path }, parseContext)
  if (toManyOf(field)) throw invalid(path, `The relation "${name}" leads to many records and has no order.`)
  if (!isOrdered(field.type)) throw invalid(path, `The field "${name}" ${WITHOUT_ORDER[field.type.operators]}.`)
  if (value !== "asc" && value !== "desc") throw invalid(path, 'Expected "asc" or "desc".')
  return [{ through: position.through, field, direction: value }]
}

const WITHOUT_ORDER: Partial<Record<OperatorFamily, string>> = {
  json: "is JSON and has no order",
  list: "is a list and has no order",
  jsonList: "is a list and has no order",
  none: "is computed and cannot be sorted by",
}

function readNested(
  position: OrderPosition,
  { field, value, path }: { field: ResourceField; value: unknown; path: string },
  parseContext: ParseContext,
): OrderKey[] {
  const target = field.target
  if (target === undefined) throw invalid(path, 'Expected "asc" or "desc".')
  if (position.through.length >= QUERY_LIMITS.maxWithDepth) {
    throw invalid(path, `Sort through at most ${QUERY_LIMITS.maxWithDepth} relations.`)
  }
  const through = [...position.through, field]
  parseContext.cost?.addHop({ hops: through.length, toManyHops: 0 }, path)
  return readMap({ resource: target, through, path }, value, parseContext)
}
