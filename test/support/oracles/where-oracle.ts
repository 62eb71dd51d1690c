import { isDeepStrictEqual } from "node:util"

export type Row = Readonly<Record<string, unknown>>
export type Where = Readonly<Record<string, unknown>>
type Related = (id: unknown) => Row | undefined
type Compare = (value: any, operand: any) => boolean

/**
 * Evaluates a filter in plain JavaScript. Written from the documentation, independently of the framework. The field
 * "owner" is a relation, "data" is JSON, "money" is a decimal.
 */
export function matches(row: Row, where: Where, related: Related): boolean {
  const holds = (part: unknown) => matches(row, part as Where, related)
  return Object.entries(where).every(([name, condition]) => {
    if (name === "AND") return (condition as Where[]).every(holds)
    if (name === "OR") return (condition as Where[]).some(holds)
    if (name === "NOT") return !holds(condition)
    const value = row[name] ?? null
    return name === "owner" ? relationMatches(value, condition, related) : fieldMatches({ name, value }, condition)
  })
}

const ID_OPERATORS = ["eq", "ne", "in", "notIn", "isNull", "isNotNull"]

function relationMatches(id: unknown, condition: unknown, related: Related): boolean {
  if (!isObject(condition)) return fieldMatches({ name: "owner", value: id }, condition)
  const points = (where: unknown) => {
    const target = related(id)
    return where === null ? id === null : target !== undefined && matches(target, where as Where, related)
  }
  const names = Object.keys(condition)
  const areOperators = names.every((name) => name === "is" || name === "isNot" || ID_OPERATORS.includes(name))
  if (names.length === 0 || !areOperators) return points(condition)
  return Object.entries(condition).every(([name, operand]) => {
    if (name === "is") return points(operand)
    if (name === "isNot") return !points(operand)
    return fieldMatches({ name: "owner", value: id }, { [name]: operand })
  })
}

function fieldMatches({ name, value }: { name: string; value: unknown }, condition: unknown): boolean {
  const operators = name === "data" ? JSON_OPERATORS : OPERATORS
  const given = isObject(condition) ? condition : { eq: condition }
  return Object.entries(given).every(([operator, operand]) => {
    const compare = operators[operator]
    if (compare === undefined) throw new Error(`The oracle does not know ${operator} of ${name}.`)
    return compare(comparable(name, value), comparable(name, operand))
  })
}

// Decimals compare as numbers, datetimes as milliseconds.
function comparable(name: string, value: unknown): unknown {
  if (name === "data") return value
  if (Array.isArray(value)) return value.map((item) => comparable(name, item))
  if (value instanceof Date) return value.getTime()
  return name === "money" && typeof value === "string" ? Number(value) : value
}

const NULLNESS: Record<string, Compare> = {
  isNull: (value, operand) => (value === null) === operand,
  isNotNull: (value, operand) => (value !== null) === operand,
}

const OPERATORS: Record<string, Compare> = {
  ...NULLNESS,
  eq: (value, operand) => value === operand,
  ne: (value, operand) => value !== operand,
  in: (value, list) => list.includes(value),
  notIn: (value, list) => !list.includes(value),
  gt: present((value, operand) => value > operand),
  gte: present((value, operand) => value >= operand),
  lt: present((value, operand) => value < operand),
  lte: present((value, operand) => value <= operand),
  between: present((value, [low, high]) => value >= low && value <= high),
  like: present((value, pattern) => expression(pattern, "su").test(value)),
  ilike: present((value, pattern) => expression(pattern, "isu").test(value)),
  notLike: (value, pattern) => value === null || !expression(pattern, "su").test(value),
  notIlike: (value, pattern) => value === null || !expression(pattern, "isu").test(value),
  contains: present((value, part) => value.toLowerCase().includes(part.toLowerCase())),
  startsWith: present((value, part) => value.toLowerCase().startsWith(part.toLowerCase())),
  endsWith: present((value, part) => value.toLowerCase().endsWith(part.toLowerCase())),
}

function present(compare: Compare): Compare {
  return (value, operand) => value !== null && compare(value, operand)
}

// In a pattern % stands for any text, _ for one character, and a backslash escapes the next character.
function expression(pattern: string, flags: string): RegExp {
  const parts = pattern.match(/\\.|./gsu) ?? []
  const source = parts.map((part) => {
    if (part === "%") return ".*"
    return part === "_" ? "." : part.replace(/^\\(?=.)/, "").replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
  })
  return new RegExp(`^${source.join("")}$`, flags)
}

const JSON_OPERATORS: Record<string, Compare> = {
  ...NULLNESS,
  eq: (value, operand) => isDeepStrictEqual(value, operand),
  ne: (value, operand) => !isDeepStrictEqual(value, operand),
  contains: (value, operand) => value !== null && contains(value, operand),
  hasKey: (value, key) =>
    (isObject(value) ? Object.hasOwn(value, key) : Array.isArray(value) && value.includes(key)) || value === key,
  path: (value, { at, ...comparisons }) => {
    const inner = at.toString().split(/[.,]/).reduce(step, value)
    return Object.entries(comparisons).every(([operator, operand]) => pathCompare(inner, operator, operand))
  },
}

function contains(value: unknown, part: unknown): boolean {
  if (Array.isArray(value) && !Array.isArray(part) && !isObject(part)) return value.includes(part)
  return containsSame(value, part)
}

function containsSame(value: unknown, part: unknown): boolean {
  if (Array.isArray(value) && Array.isArray(part))
    return part.every((item) => value.some((own) => containsSame(own, item)))
  if (!isObject(value) || !isObject(part)) return value === part
  return Object.entries(part).every(([key, item]) => Object.hasOwn(value, key) && containsSame(value[key], item))
}

function step(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined
  return isObject(value) ? value[key] : undefined
}

function pathCompare(inner: unknown, operator: string, operand: unknown): boolean {
  if (operator === "eq") return isDeepStrictEqual(inner, operand)
  if (operator === "ne") return !isDeepStrictEqual(inner, operand)
  return typeof inner === typeof operand && (OPERATORS[operator]?.(inner, operand) ?? false)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)
}
