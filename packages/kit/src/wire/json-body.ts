import { ApiError } from "./api-error.ts"

export const JSON_MAX_DEPTH = 32
const JSON_MAX_ITEMS = 10_000

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** Parses a JSON body, unless it is too deep, holds too long an array, or names a prototype. */
export function parseJsonBody(text: string): unknown {
  checkBounds(text)
  const value = parse(text)
  if (mayNamePrototype(text)) refusePrototype(value)
  return value
}

// One pass over the text, before anything is built from it.
function checkBounds(text: string): void {
  const outer: number[] = []
  // Of the array around us; NaN within an object, whose members are not counted.
  let items = Number.NaN
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COMMA && ++items > JSON_MAX_ITEMS) throw tooMuch(`an array of more than ${JSON_MAX_ITEMS} items`)
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      if (outer.push(items) > JSON_MAX_DEPTH) throw tooMuch(`more than ${JSON_MAX_DEPTH} levels`)
      items = code === OPEN_BRACKET ? 1 : Number.NaN
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) items = outer.pop() ?? Number.NaN
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at++
  }
  return text.length
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ApiError("BAD_REQUEST", { message: "The body is not valid JSON.", cause })
  }
}

// The name can hide behind escapes, so their presence is enough to look.
function mayNamePrototype(text: string): boolean {
  return text.includes("__proto__") || text.includes("\\u")
}

function refusePrototype(value: unknown): void {
  if (typeof value !== "object" || value === null) return
  if (Object.hasOwn(value, "__proto__")) {
    throw new ApiError("BAD_REQUEST", { message: 'The body must not have a key "__proto__".' })
  }
  for (const member of Object.values(value)) refusePrototype(member)
}

function tooMuch(what: string): ApiError {
  return new ApiError("BAD_REQUEST", { message: `The body has ${what}.` })
}
