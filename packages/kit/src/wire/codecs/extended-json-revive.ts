import { type ApiError, invalid } from "../errors/api-error.ts"
import { type Annotation, EACH, type ExtendedLimits, type ExtendedType } from "./extended-json-annotation.ts"

const ISO_DATE = /^(\d{4}|[+-]\d{6})-(\d\d)-(\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/
const DECIMAL = /^-?\d+$/

interface RevivePosition {
  readonly path: string
  readonly limits: ExtendedLimits
}

const REVIVERS: Readonly<Record<ExtendedType, (value: unknown, place: RevivePosition) => unknown>> = {
  Date: toDate,
  Map: toMap,
  Set: toSet,
  BigInt: toBigInt,
  undefined: toUndefined,
}

/**
 * Converts the annotated parts of parsed JSON to their types. Works in place, from the inside out, and converts each
 * part once.
 */
export function revive(json: unknown, annotation: Annotation, limits: ExtendedLimits): unknown {
  // The path "" means the member with the key "" if the root is an object, and otherwise the root itself.
  const type = annotation.type ?? (isRecord(json) ? undefined : annotation.children.get("")?.type)
  return reviveAt(json, { type, children: annotation.children }, { path: "", limits })
}

function reviveAt(value: unknown, { type, children }: Annotation, place: RevivePosition): unknown {
  if (value === null) return type === "undefined" ? undefined : null
  if (Array.isArray(value)) reviveItems(value, children, place)
  else if (isRecord(value)) reviveMembers(value, children, place)
  return type ? REVIVERS[type](value, place) : value
}

// Converts the annotated items of an array. An annotation for an index replaces the annotation for `*`. If both were
// applied to one item, a client could multiply the work.
function reviveItems(items: unknown[], children: Annotation["children"], place: RevivePosition): void {
  if (items.length > place.limits.items) throw refused(place, `Send at most ${place.limits.items} items.`)
  if (children.size === 0) return
  for (const [index, item] of items.entries()) {
    const child = children.get(String(index)) ?? children.get(EACH)
    if (child) items[index] = reviveAt(item, child, inside(place, index))
  }
}

function reviveMembers(record: Record<string, unknown>, children: Annotation["children"], place: RevivePosition): void {
  if (children.size === 0) return
  // Iterates over the members of the value and not over the annotations, so that the size of the request body bounds
  // the work.
  for (const key of Object.keys(record)) {
    const child = children.get(key) ?? (key === "*" ? children.get(EACH) : undefined)
    if (child) record[key] = reviveAt(record[key], child, inside(place, key))
  }
}

function inside({ path, limits }: RevivePosition, key: string | number): RevivePosition {
  return { path: path === "" ? String(key) : `${path}.${key}`, limits }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function toDate(value: unknown, place: RevivePosition): Date {
  const date = new Date(typeof value === "string" && isIsoDate(value) ? value : Number.NaN)
  if (Number.isNaN(date.getTime())) throw refused(place, "Write a Date as 2030-01-31T12:00:00.000Z.")
  return date
}

// True if the text is a valid ISO date. `new Date` alone would also accept other notations and local times, and would
// read February 31 as a day in March.
function isIsoDate(text: string): boolean {
  const [, year, month, day] = ISO_DATE.exec(text) ?? []
  return year !== "-000000" && (Number(day) <= 28 || Number(day) <= daysInMonth(Number(year), Number(month)))
}

function daysInMonth(year: number, month: number): number {
  // Uses an equivalent year near 2000: the calendar repeats every 400 years, and `Date.UTC` misreads the years before
  // 100.
  return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
}

function toMap(value: unknown, place: RevivePosition): Map<unknown, unknown> {
  const map = new Map<unknown, unknown>()
  for (const entry of toItems(value, place)) {
    if (!Array.isArray(entry) || entry.length !== 2) throw refused(place, "Write a Map as [[key, value], …].")
    map.set(entry[0], entry[1])
  }
  return map
}

function toSet(value: unknown, place: RevivePosition): Set<unknown> {
  return new Set(toItems(value, place))
}

function toItems(value: unknown, place: RevivePosition): unknown[] {
  if (!Array.isArray(value)) throw refused(place, "Write a Map or Set as an array.")
  return value
}

function toBigInt(value: unknown, place: RevivePosition): bigint {
  const { digits } = place.limits
  // Checks the number of digits first, because `BigInt` takes more than linear time to parse them.
  if (typeof value === "string" && value.length <= digits + 1 && DECIMAL.test(value)) return BigInt(value)
  throw refused(place, `Write a BigInt as text of at most ${digits} digits.`)
}

function toUndefined(_value: unknown, place: RevivePosition): never {
  throw refused(place, "Write undefined as null.")
}

function refused(place: RevivePosition, message: string): ApiError {
  return invalid(place.path || "json", message)
}
