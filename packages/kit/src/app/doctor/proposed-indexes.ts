import type { ReadShape } from "../../ports/database.ts"
import type { Resource, ResourceIndex } from "../../schema/compile/resource.ts"
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

function linesFor(resource: Resource, shape: ReadShape): readonly string[] {
  const compared = candidatesFor(shape).find(
    (fields) => isHelpful(resource, fields) && !isServed(resource, shape, fields),
  )
  const texts = shape.contained.filter((name) => resource.fields.get(name)?.containsIndex === false)
  return [
    ...(compared ? [`.indexes([{ fields: [${compared.map((name) => `"${name}"`).join(", ")}] }])`] : []),
    ...texts.map((name) => `.index("contains") on the field "${name}"`),
  ]
}

// Returns the fields of the indexes that could serve the reads, the best one first: first the values that are compared,
// then an order or a range, because an index serves only one of them.
function candidatesFor({ equal, ranges, order }: ReadShape): readonly (readonly string[])[] {
  const ordered = [...equal, ...order.filter((name) => !equal.includes(name))]
  const ranged = [...equal, ...ranges.filter((name) => !equal.includes(name)).slice(0, 1)]
  const candidates = equal.length === 0 && ranges.length > 0 ? [ranged, ordered] : [ordered, ranged]
  return candidates.filter(({ length }) => length > 0)
}

// A boolean has too few values for an index of its own to help. A field may have been removed since the read.
function isHelpful({ fields }: Resource, names: readonly string[]): boolean {
  const found = names.flatMap((name) => fields.get(name) ?? [])
  return found.length === names.length && found.some(({ type }) => type.name !== "boolean")
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
