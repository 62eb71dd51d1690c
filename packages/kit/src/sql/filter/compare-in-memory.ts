import type { FieldType } from "../../schema/compile/field-type.ts"
import { everyVerdict, opposite, someVerdict, type Verdict, verdictOf } from "../../wire/matching/verdict.ts"

/** A comparison that is evaluated in memory: the value of a record's field, and an operand that is already checked. */
export interface MemoryComparison {
  readonly value: unknown
  readonly type: Pick<FieldType, "operators" | "fromJson" | "element">
  readonly operand: unknown
}

export type MemoryTest = (comparison: MemoryComparison) => Verdict

/** The order of two values: negative, zero or positive; undefined if only the database knows the order. */
export type Order = number | undefined

export const isSame: MemoryTest = (c) => present(c, orderOf(c, c.operand), (order) => order === 0)

export const isOther: MemoryTest = (c) => opposite(isSame(c))

export const isOneOf: MemoryTest = (c) => someVerdict(listOf(c), (operand) => isSame({ ...c, operand }))

export const isNoneOf: MemoryTest = (c) => opposite(isOneOf(c))

export const isBetween: MemoryTest = (c) => {
  const [low, high] = listOf(c)
  const bounds = [isOrdered((order) => order >= 0, low), isOrdered((order) => order <= 0, high)]
  return everyVerdict(bounds, (test) => test(c))

  function isOrdered(holds: (order: number) => boolean, bound: unknown): MemoryTest {
    return (comparison) => present(comparison, orderOf(comparison, bound), holds)
  }
}

/** Returns the test for the operator `gt`, `gte`, `lt` or `lte`. */
export function ordered(holds: (order: number) => boolean): MemoryTest {
  return (c) => present(c, orderOf(c, c.operand), holds)
}

/** Returns the test for the operator `isNull` or, with the opposite flag, for `isNotNull`. */
export function nullness(flag: boolean): MemoryTest {
  return ({ value, operand }) => verdictOf((value === null) === (operand === flag))
}

// Returns the result of a comparison. As in SQL, a comparison of a null value is never true.
function present({ value }: MemoryComparison, order: Order, holds: (order: number) => boolean): Verdict {
  if (value === null) return "no"
  return order === undefined ? "unknown" : verdictOf(holds(order))
}

function listOf({ operand }: MemoryComparison): readonly unknown[] {
  // The cast is safe: operands of the kinds "list" and "pair" are parsed as arrays.
  return operand as readonly unknown[]
}

function orderOf({ value, type }: MemoryComparison, operand: unknown): Order {
  if (typeof value === "string" && typeof operand === "string") {
    return type.operators === "ordered" ? writtenOrder(value, operand) : textOrder(value, operand)
  }
  if (value instanceof Date && operand instanceof Date) return numberOrder(value.getTime(), operand.getTime())
  if (typeof value === "number" && typeof operand === "number") return numberOrder(value, operand)
  if (typeof value === "bigint" && typeof operand === "bigint") return sign(value, operand)
  return typeof value === "boolean" && typeof operand === "boolean" ? sign(value, operand) : undefined
}

// Returns 0 for equal strings and 1 for all others, because the strings are tested for equality only. Strings with
// equal characters are equal under every collation that a database may have.
function textOrder(left: string, right: string): Order {
  return left === right ? 0 : 1
}

// Returns the order of two numbers. It is undefined for NaN and the infinities, which Postgres orders by rules of its
// own.
function numberOrder(left: number, right: number): Order {
  return Number.isFinite(left) && Number.isFinite(right) ? sign(left, right) : undefined
}

function sign<Value extends number | bigint | boolean>(left: Value, right: Value): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}

// The string formats of dates and times of day. In both formats, alphabetical order is also chronological order.
const CALENDAR = [/^\d{4}-\d{2}-\d{2}$/, /^\d{2}:\d{2}:\d{2}$/]
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/

function writtenOrder(left: string, right: string): Order {
  if (left === right) return 0
  if (CALENDAR.some((form) => form.test(left) && form.test(right))) return left < right ? -1 : 1
  const [leftParts, rightParts] = [DECIMAL.exec(left), DECIMAL.exec(right)]
  if (leftParts === null || rightParts === null) return undefined
  const scale = Math.max(leftParts[3]?.length ?? 0, rightParts[3]?.length ?? 0)
  return sign(scaled(leftParts, scale), scaled(rightParts, scale))
}

function scaled([, minus = "", whole = "", fraction = ""]: readonly (string | undefined)[], scale: number): bigint {
  return BigInt(`${minus}${whole}${fraction.padEnd(scale, "0")}`)
}
