import { everyVerdict, opposite, someVerdict, type Verdict, verdictOf } from "../../wire/matching/verdict.ts"
import type { PathOperand, PathOperatorName } from "../text/json-path.ts"
import type { MemoryTest, Order } from "./compare-in-memory.ts"

export const isSameJson: MemoryTest = asStored(({ value, operand }) => sameJson(value, operand))

export const isOtherJson: MemoryTest = (comparison) => opposite(isSameJson(comparison))

/**
 * Evaluates `@>` (contains) as Postgres does for JSON. Only at the top level does a list contain a bare value: `[1, 2]
 * @> 1` is true.
 */
export const containsJson: MemoryTest = asStored(({ value, operand }) => {
  if (Array.isArray(value) && !isContainer(operand)) return someVerdict(value, (item) => sameJson(item, operand))
  return containsPart(value, operand)
})

export const hasJsonKey: MemoryTest = asStored(({ value, operand }) => {
  if (typeof operand !== "string") return "unknown"
  if (Array.isArray(value)) return verdictOf(value.includes(operand))
  return verdictOf(isObject(value) ? Object.hasOwn(value, operand) : value === operand)
})

export const matchesJsonPath: MemoryTest = ({ value, type, operand }) => {
  if (value !== null && type.fromJson) return "unknown"
  // The cast is safe: operands of the kind "path" are parsed as a `PathOperand`.
  const { at, comparisons } = operand as PathOperand
  const inner = at.reduce(stepInto, value === null ? undefined : value)
  if (inner === UNSURE) return "unknown"
  return everyVerdict(comparisons, ({ operator, value: expected }) => pathVerdict(inner, operator, expected))
}

// Wraps a test of JSON values. The result is unknown for a field type with the function `fromJson`: a record then holds
// the converted value, which may differ from the stored JSON.
function asStored(test: MemoryTest): MemoryTest {
  return (comparison) => {
    if (comparison.value === null) return "no"
    return comparison.type.fromJson ? "unknown" : test(comparison)
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isContainer(value) && !Array.isArray(value)
}

function sameJson(left: unknown, right: unknown): Verdict {
  if (typeof left === "number" && typeof right === "number") return sameNumber(left, right)
  if (Array.isArray(left) && Array.isArray(right)) {
    if (left.length !== right.length) return "no"
    return everyVerdict(left.keys(), (index) => sameJson(left[index], right[index]))
  }
  if (!isObject(left) || !isObject(right)) return verdictOf(left === right)
  const keys = Object.keys(left)
  if (keys.length !== Object.keys(right).length || !keys.every((key) => Object.hasOwn(right, key))) return "no"
  return everyVerdict(keys, (key) => sameJson(left[key], right[key]))
}

// Compares two numbers. The result is unknown for equal numbers that are not safe integers: jsonb holds more digits
// than a JavaScript number, so they may differ in the database.
function sameNumber(left: number, right: number): Verdict {
  if (left !== right) return "no"
  return Number.isSafeInteger(left) ? "yes" : "unknown"
}

function containsPart(value: unknown, part: unknown): Verdict {
  if (Array.isArray(value) && Array.isArray(part)) {
    return everyVerdict(part, (item) => someVerdict(value, (own) => containsPart(own, item)))
  }
  if (!isObject(value) || !isObject(part)) return sameJson(value, part)
  return everyVerdict(Object.keys(part), (key) =>
    Object.hasOwn(value, key) ? containsPart(value[key], part[key]) : "no",
  )
}

/** The result of a JSON path step whose text Postgres may interpret as a list index by rules of its own. */
const UNSURE = Symbol("unsure")
const INDEX = /^(?:0|-?[1-9]\d{0,8})$/
const LIKE_INDEX = /^\s*[-+]?\d+\s*$/

// Returns the value at one step of a JSON path. A missing value is undefined, because null is a JSON value.
function stepInto(value: unknown, step: string): unknown {
  if (Array.isArray(value)) {
    if (INDEX.test(step)) return value.at(Number(step))
    return LIKE_INDEX.test(step) ? UNSURE : undefined
  }
  if (isObject(value)) return Object.hasOwn(value, step) ? value[step] : undefined
  return value === UNSURE ? UNSURE : undefined
}

function pathVerdict(inner: unknown, operator: PathOperatorName, operand: unknown): Verdict {
  const isSame = inner === undefined ? "no" : sameJson(inner, operand)
  if (operator === "eq") return isSame
  if (operator === "ne") return opposite(isSame)
  if (inner === undefined || jsonTypeOf(inner) !== jsonTypeOf(operand)) return "no"
  const order = scalarOrder(inner, operand)
  return order === undefined ? "unknown" : verdictOf(ORDERINGS[operator](order))
}

const ORDERINGS: Record<Exclude<PathOperatorName, "eq" | "ne">, (order: number) => boolean> = {
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
}

function jsonTypeOf(value: unknown): string {
  if (value === null) return "null"
  return Array.isArray(value) ? "array" : typeof value
}

// Returns the order of two JSON scalars. It is undefined for different texts, which the database's collation orders,
// and for lists and objects, for which jsonb has rules of its own.
function scalarOrder(left: unknown, right: unknown): Order {
  if (isContainer(left) || isContainer(right)) return undefined
  if (sameJson(left, right) === "yes") return 0
  if (typeof left === "boolean") return left ? 1 : -1
  if (typeof left !== "number" || typeof right !== "number" || left === right) return undefined
  return left < right ? -1 : 1
}
