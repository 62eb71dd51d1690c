import type { ReadShape } from "../../ports/database.ts"
import { isIndexedByLocale } from "../../schema/compile/check-field.ts"
import type { Resource, ResourceField, ResourceIndex } from "../../schema/compile/resource.ts"
import type { SlowReadsOfShape } from "../../sql/internal/slow-reads.ts"

/** An index that would serve reads that were slow. */
export interface ProposedIndex {
  /** Says which reads were slow, how slow, and how often. */
  readonly reason: string
  /** Says which line declares the index. */
  readonly advice: string
}

const MS_PER_SECOND = 1_000

/** Returns the indexes that the collection lacks for these slow reads. */
export function proposalsFor(
  resource: Resource,
  { shape, times, longestMs }: SlowReadsOfShape,
): readonly ProposedIndex[] {
  const reason = `reads of "${resource.name}" ${describe(shape)} took up to ${seconds(longestMs)}${often(times)}`
  return linesFor(resource, shape).map((line) => ({ reason, advice: `Write ${line} in "${resource.name}".` }))
}

function linesFor(resource: Resource, read: ReadShape): readonly string[] {
  const shape = indexablePart(resource, read)
  const candidates = candidatesFor(shape)
  const [best] = candidates
  const isMissing = best !== undefined && isHelpful(resource, best)
  const isAnyServed = candidates.some((fields) => isServed(resource, shape, fields))
  const texts = shape.contained.filter((name) => resource.fields.get(name)?.containsIndex === false)
  return [
    ...(isMissing && !isAnyServed ? [`.indexes([{ fields: [${quoted(best)}] }])`] : []),
    ...texts.map((name) => `.index("contains") on the field "${name}"`),
  ]
}

// Returns the fields of the indexes that could serve the reads, the best one first: the values that are compared, then the
// order or one range, because an index serves only one of them. Without such values, only the range makes the read short.
function candidatesFor({ equal, ranges, order }: ReadShape): readonly (readonly string[])[] {
  const [range] = ranges.filter((name) => !equal.includes(name))
  const ranged = range === undefined ? [] : [[...equal, range]]
  const ordered = [[...equal, ...order.filter((name) => !equal.includes(name))]]
  if (equal.length > 0) return [...ordered, ...ranged]
  return ranged.length > 0 ? ranged : ordered.filter(({ length }) => length > 0)
}

// Leaves out the fields that `.indexes()` does not take, and those that have been removed since the read.
function indexablePart(resource: Resource, shape: ReadShape): ReadShape {
  const isIndexable = (name: string) => {
    const field = resource.fields.get(name)
    return field !== undefined && canHaveIndex(resource, field)
  }
  const end = shape.order.findIndex((name) => !isIndexable(name))
  return {
    ...shape,
    equal: shape.equal.filter(isIndexable),
    ranges: shape.ranges.filter(isIndexable),
    order: end === -1 ? shape.order : shape.order.slice(0, end),
  }
}

function canHaveIndex({ createdAt, updatedAt, upload }: Resource, field: ResourceField): boolean {
  if (field.localized && !isIndexedByLocale(field.type.sqlType)) return false
  const ofServer = [createdAt, updatedAt, ...Object.values(upload?.fields ?? {})]
  return !field.system || ofServer.includes(field)
}

// A boolean has too few values for an index of its own to help.
function isHelpful({ fields }: Resource, names: readonly string[]): boolean {
  return names.some((name) => fields.get(name)?.type.name !== "boolean")
}

function isServed({ indexes, createdAt }: Resource, { equal }: ReadShape, fields: readonly string[]): boolean {
  return indexes.some((index) => {
    const names = namesOf(index, createdAt?.name)
    if (index.isOfTrigrams) return false
    if (index.unique && names.every((name) => equal.includes(name))) return true
    const leading = names.slice(0, equal.length)
    const following = fields.slice(equal.length)
    return (
      equal.every((name) => leading.includes(name)) &&
      following.every((name, place) => names[equal.length + place] === name)
    )
  })
}

function namesOf({ fields, newestFirst }: ResourceIndex, newest: string | undefined): readonly string[] {
  return [...fields.map(({ name }) => name), ...(newestFirst && newest !== undefined ? [newest] : [])]
}

function describe({ equal, ranges, contained, order }: ReadShape): string {
  const filters = [...new Set([...equal, ...ranges, ...contained])]
  const parts = [
    ...(filters.length > 0 ? [`filtered by ${quoted(filters)}`] : []),
    ...(order.length > 0 ? [`in the order of ${quoted(order)}`] : []),
  ]
  return parts.join(" and ")
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ")
}

function seconds(ms: number): string {
  return `${(ms / MS_PER_SECOND).toFixed(1)} s`
}

function often(times: number): string {
  return times === 1 ? "" : `, and were slow ${times.toLocaleString("en")} times`
}
