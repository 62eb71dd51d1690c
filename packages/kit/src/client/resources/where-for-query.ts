import { isPlainObject } from "../../wire/codecs/query-string.ts"

type Members = Readonly<Record<string, unknown>>

const IS_NULL = ["eq", "is"]
const IS_NOT_NULL = ["ne", "isNot"]
const QUANTIFIERS = ["some", "none", "every"]
const LIST_OPERATORS = ["in", "notIn", "between"]
const ITEM_OPERATORS = ["containsAll", "containsAny"]
const JSON_OPERATORS = ["eq", "ne", "contains"]
/**
 * The string that the server reads as an empty list or object. A literally empty list or object would vanish from the
 * query string.
 */
export const EMPTY = ""

/**
 * Rewrites a filter so that no part of it gets lost in a query string, which cannot express null, empty lists or empty
 * objects. A string operand is sent unchanged, because the client does not know which fields are JSON fields. For a
 * JSON field, the server would parse that string as JSON, so the filter types do not allow string operands for JSON
 * fields.
 */
export function whereForQuery(where: unknown, path: string): Members {
  if (!isPlainObject(where)) throw new TypeError(`${path} must be an object of conditions.`)
  const entries = Object.entries(where)
  return Object.fromEntries(entries.map(([name, value]) => [name, entryForQuery(name, value, `${path}.${name}`)]))
}

function entryForQuery(name: string, value: unknown, path: string): unknown {
  if (name === "NOT") return nestedWhere(value, path)
  if (name === "AND" || name === "OR") return listForQuery(value, path, nestedWhere)
  return conditionForQuery(value, path)
}

function nestedWhere(where: unknown, path: string): unknown {
  const members = whereForQuery(defined(where, path), path)
  return Object.keys(members).length === 0 ? EMPTY : members
}

function listForQuery(list: unknown, path: string, itemForQuery: (item: unknown, path: string) => unknown): unknown {
  if (!Array.isArray(list)) throw new TypeError(`${path} must be a list.`)
  return list.length === 0 ? EMPTY : list.map((item, index) => itemForQuery(item, `${path}.${index}`))
}

// Converts the condition on a field: a value, operators or, for a relation, conditions on the related record.
function conditionForQuery(value: unknown, path: string): unknown {
  if (defined(value, path) === null) return { isNull: true }
  if (Array.isArray(value)) throw new TypeError(`${path} is a list: use { in: [...] }.`)
  if (!isPlainObject(value)) return value
  const entries = Object.entries(value).map(([name, operand]) => operandForQuery(name, operand, `${path}.${name}`))
  if (entries.length === 0) return { is: EMPTY }
  const condition = Object.fromEntries(entries)
  if (Object.keys(condition).length === entries.length) return condition
  throw new TypeError(`${path} checks for null twice.`)
}

function operandForQuery(name: string, value: unknown, path: string): [name: string, operand: unknown] {
  if (value === null && IS_NULL.includes(name)) return ["isNull", true]
  if (value === null && IS_NOT_NULL.includes(name)) return ["isNotNull", true]
  if (QUANTIFIERS.includes(name) && isPlainObject(value)) return [name, nestedWhere(value, path)]
  if (name === "is" || name === "isNot") return [name, nestedWhere(value, path)]
  if (isJsonOperand(name, value)) return [name, jsonText(value, path)]
  if (LIST_OPERATORS.includes(name)) return [name, listForQuery(defined(value, path), path, listItem)]
  if (ITEM_OPERATORS.includes(name) && Array.isArray(value)) return [name, listForQuery(value, path, jsonItem)]
  return [name, entryForQuery(name, value, path)]
}

// True if the operand is sent as JSON. The operand of `path` is JSON only if it has the property `at`, because `path`
// may also be the name of a field of a related record.
function isJsonOperand(name: string, value: unknown): boolean {
  if (name === "path") return isPlainObject(value) && Object.hasOwn(value, "at")
  return JSON_OPERATORS.includes(name) && (Array.isArray(value) || isPlainObject(value))
}

function jsonText(value: unknown, path: string): string {
  return JSON.stringify(value, (key, member: unknown) =>
    typeof member === "bigint" ? `${member}` : defined(member, key === "" ? path : `${path}: ${key}`),
  )
}

function listItem(item: unknown, path: string): unknown {
  if (defined(item, path) === null) throw new TypeError(`${path} is null: use isNull.`)
  if (Array.isArray(item) || isPlainObject(item)) throw new TypeError(`${path} must be a single value.`)
  return item
}

// Converts an item of a list operand. Each item that is an object or a list is sent as a separate JSON string.
function jsonItem(item: unknown, path: string): unknown {
  return Array.isArray(item) || isPlainObject(item) ? jsonText(item, path) : listItem(item, path)
}

// Throws if a condition is undefined, which nearly always means that a variable was never set. Without the condition,
// the filter would match too many records.
function defined(value: unknown, path: string): unknown {
  if (value === undefined) throw new TypeError(`${path} is undefined: leave it out, or use null.`)
  return value
}
