import { ApiError } from "../errors/api-error.ts"

export const JSON_MAX_DEPTH = 32
const JSON_MAX_ITEMS = 10_000
// The maximum number of values in a request body. Many short values take far longer to parse than a few long values of
// the same total size.
const JSON_MAX_VALUES = 400_000

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** Parses a JSON request body. Throws if the body is too deep, has too many values, or has a `__proto__` key. */
export function parseJsonBody(text: string): unknown {
  checkJsonBounds(text)
  const value = parseJson(text)
  if (mayHaveProtoKey(text)) refuseProtoKeys(value)
  return value
}

/** Throws if JSON text exceeds the limits. Checks them in one pass over the text, before any value is built from it. */
export function checkJsonBounds(text: string): void {
  const outerItems: number[] = []
  let values = 0
  // The number of items so far in the innermost open array; NaN inside an object, because members of objects are not
  // counted.
  let items = Number.NaN
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at)
        break
      case COMMA:
        items = countItem(items)
        values++
        break
      case OPEN_BRACKET:
        pushLevel(outerItems, items)
        values++
        items = 1
        break
      case OPEN_BRACE:
        pushLevel(outerItems, items)
        values++
        items = Number.NaN
        break
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        items = outerItems.pop() ?? Number.NaN
    }
  }
  if (values > JSON_MAX_VALUES)
    throw malformed(`The body has more than ${JSON_MAX_VALUES} values. Send less at a time.`)
}

function countItem(items: number): number {
  if (items === JSON_MAX_ITEMS) throw malformed(`The body has an array of more than ${JSON_MAX_ITEMS} items.`)
  return items + 1
}

function pushLevel(outerItems: number[], items: number): void {
  outerItems.push(items)
  if (outerItems.length > JSON_MAX_DEPTH) throw malformed(`The body has more than ${JSON_MAX_DEPTH} levels.`)
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === BACKSLASH) first--
  return (at - first) % 2 === 1
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw malformed("The body is not valid JSON.", cause)
  }
}

/**
 * True if the JSON text may have a `__proto__` key. A Unicode escape can hide the key, so any Unicode escape counts.
 */
export function mayHaveProtoKey(text: string): boolean {
  return text.includes("__proto__") || text.includes("\\u")
}

function refuseProtoKeys(value: unknown): void {
  for (const member of membersWithoutProtoKey(value)) refuseProtoKeys(member)
}

/**
 * Returns the values of an object's members, or an empty list for other values. Throws if the object has a `__proto__`
 * key.
 */
export function membersWithoutProtoKey(value: unknown): readonly unknown[] {
  if (typeof value !== "object" || value === null) return []
  if (Object.hasOwn(value, "__proto__")) throw malformed('The body has the key "__proto__".')
  return Object.values(value)
}

function malformed(message: string, cause?: unknown): ApiError {
  return new ApiError("BAD_REQUEST", { message, cause })
}
