import { escapePattern, ilikeVerdict, likeVerdict } from "./like-pattern.ts"
import { orderOf } from "./value-order.ts"
import { everyVerdict, opposite, someVerdict, type Verdict, verdictOf } from "./verdict.ts"

/** The operators of a filter by name. Each evaluates one comparison of a value, which may be null, with its operand. */
export const COMPARISONS: Readonly<Record<string, (value: unknown, operand: unknown) => Verdict>> = {
  eq: isEqual,
  ne: (value, operand) => opposite(isEqual(value, operand)),
  in: isIn,
  notIn: (value, operand) => opposite(isIn(value, operand)),
  isNull: (value, operand) => flagged(value === null, operand),
  isNotNull: (value, operand) => flagged(value !== null, operand),
  gt: (value, operand) => ordered(value, operand, (order) => order > 0),
  gte: isAtLeast,
  lt: (value, operand) => ordered(value, operand, (order) => order < 0),
  lte: isAtMost,
  between: isBetween,
  like: isLike,
  ilike: isLikeIgnoringCase,
  notLike: (value, operand) => opposite(isLike(value, operand)),
  notIlike: (value, operand) => opposite(isLikeIgnoringCase(value, operand)),
  contains: (value, operand) =>
    Array.isArray(value) ? hasItem(value, operand) : matches(value, operand, (text) => `%${text}%`),
  startsWith: (value, operand) => matches(value, operand, (text) => `${text}%`),
  endsWith: (value, operand) => matches(value, operand, (text) => `%${text}`),
  containsAll: (value, operand) => hasItems(value, operand, everyVerdict),
  containsAny: (value, operand) => hasItems(value, operand, someVerdict),
  isEmpty: (value, operand) => ofLength(value, (length) => flagged(length === 0, operand)),
  isNotEmpty: (value, operand) => ofLength(value, (length) => flagged(length > 0, operand)),
  length: (value, operand) => (value === null ? "no" : ofLength(value, (length) => verdictOf(length === operand))),
  // A row does not say how a JSON value is stored.
  hasKey: (value) => (value === null ? "no" : "unknown"),
  path: () => "unknown",
}

function isEqual(value: unknown, operand: unknown): Verdict {
  return operand === null ? verdictOf(value === null) : isSame(value, operand)
}

function isIn(value: unknown, operand: unknown): Verdict {
  if (!Array.isArray(operand) || operand.includes(null)) return "unknown"
  return someVerdict(operand, (item) => isSame(value, item))
}

function isSame(value: unknown, operand: unknown): Verdict {
  if (value === null) return "no"
  if (typeof value === "boolean" && typeof operand === "boolean") return verdictOf(value === operand)
  if (typeof value === "string") return isSameText(value, operand)
  if (typeof operand === "string" && !(value instanceof Date)) return isSameRecord(value, operand)
  const order = orderOf(value, operand)
  return order === undefined ? "unknown" : verdictOf(order === 0)
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

// A string may also be a decimal, a time or an id, of which equal values can be written in different ways.
function isSameText(value: string, operand: unknown): Verdict {
  if (value === operand) return "yes"
  if (typeof operand === "object" || orderOf(value, operand) === 0) return "unknown"
  const isSameId = typeof operand === "string" && UUID.test(value) && value.toLowerCase() === operand.toLowerCase()
  return isSameId ? "unknown" : "no"
}

// A relation that has been read by `with` is compared by the id of the related record.
function isSameRecord(value: unknown, operand: string): Verdict {
  const isRecord = typeof value === "object" && value !== null && "id" in value
  return isRecord && typeof value.id === "string" ? isSameText(value.id, operand) : "unknown"
}

function ordered(value: unknown, operand: unknown, holds: (order: number) => boolean): Verdict {
  if (value === null) return "no"
  const order = orderOf(value, operand)
  return order === undefined ? "unknown" : verdictOf(holds(order))
}

function isAtLeast(value: unknown, operand: unknown): Verdict {
  return ordered(value, operand, (order) => order >= 0)
}

function isAtMost(value: unknown, operand: unknown): Verdict {
  return ordered(value, operand, (order) => order <= 0)
}

function isBetween(value: unknown, operand: unknown): Verdict {
  if (!Array.isArray(operand)) return "unknown"
  const [low, high]: readonly unknown[] = operand
  return everyVerdict([isAtLeast(value, low), isAtMost(value, high)], (verdict) => verdict)
}

function isLike(value: unknown, operand: unknown): Verdict {
  if (value === null) return "no"
  return typeof value === "string" && typeof operand === "string" ? likeVerdict(value, operand) : "unknown"
}

function isLikeIgnoringCase(value: unknown, operand: unknown): Verdict {
  if (value === null) return "no"
  return typeof value === "string" && typeof operand === "string" ? ilikeVerdict(value, operand) : "unknown"
}

function matches(value: unknown, operand: unknown, pattern: (literal: string) => string): Verdict {
  return isLikeIgnoringCase(value, typeof operand === "string" ? pattern(escapePattern(operand)) : undefined)
}

// Lists and objects may be contained in each other, by rules that depend on the type of the field.
function hasItem(list: readonly unknown[], operand: unknown): Verdict {
  const isOneValue = typeof operand !== "object" || operand instanceof Date
  return isOneValue ? someVerdict(list, (item) => isSame(item, operand)) : "unknown"
}

function hasItems(value: unknown, operand: unknown, combine: typeof someVerdict): Verdict {
  if (value === null) return "no"
  if (!Array.isArray(value) || !Array.isArray(operand)) return "unknown"
  return combine(operand, (item) => hasItem(value, item))
}

// A list that is null counts as empty.
function ofLength(value: unknown, test: (length: number) => Verdict): Verdict {
  if (value === null) return test(0)
  return Array.isArray(value) ? test(value.length) : "unknown"
}

function flagged(holds: boolean, flag: unknown): Verdict {
  return typeof flag === "boolean" ? verdictOf(holds === flag) : "unknown"
}
