import { quotedText } from "./visible-text.ts"

const LINE_WIDTH = 80
const STEP = "  "
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u

/** Where a value stands: how far its line is indented, and how much room what surrounds it takes on that line. */
interface Place {
  readonly indent: string
  readonly taken: number
}

/** Writes a value as a person would in TypeScript: on one line where it fits, otherwise a member on each line. */
export function literalText(value: unknown, place: Place = { indent: "", taken: 0 }): string {
  const short = shortText(value)
  if (short.length + place.indent.length + place.taken <= LINE_WIDTH) return short
  if (Array.isArray(value)) return brokenLines(["[", "]"], itemLines(value, place), place)
  if (isMembers(value)) return brokenLines(["{", "}"], memberLines(value, place), place)
  return short
}

/** Writes a name behind another one: `.articles`, or `["odd name"]`. */
export function memberAccess(name: string): string {
  return IDENTIFIER.test(name) ? `.${name}` : `[${quotedText(name)}]`
}

function shortText(value: unknown): string {
  if (typeof value === "string") return quotedText(value)
  if (typeof value === "bigint") return `${value}n`
  if (value instanceof Date) return `new Date(${quotedText(value.toISOString())})`
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[${value.map(shortText).join(", ")}]`
  if (isMembers(value)) {
    const members = definedMembers(value).map(([name, member]) => `${keyText(name)}: ${shortText(member)}`)
    return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`
  }
  return Object.is(value, -0) ? "-0" : String(value)
}

function itemLines(items: readonly unknown[], { indent }: Place): readonly string[] {
  return items.map((item) => literalText(item, { indent: indent + STEP, taken: 1 }))
}

function memberLines(members: object, { indent }: Place): readonly string[] {
  return definedMembers(members).map(([name, member]) => {
    const key = `${keyText(name)}: `
    return key + literalText(member, { indent: indent + STEP, taken: key.length + 1 })
  })
}

function brokenLines([open, close]: [string, string], lines: readonly string[], { indent }: Place): string {
  return [open, ...lines.map((line) => `${indent}${STEP}${line},`), indent + close].join("\n")
}

// A member with this name would set the prototype of the object instead.
function keyText(name: string): string {
  if (name === "__proto__") return `["__proto__"]`
  return IDENTIFIER.test(name) ? name : quotedText(name)
}

function definedMembers(members: object): readonly (readonly [name: string, member: unknown])[] {
  return Object.entries(members).filter(([, member]) => member !== undefined)
}

function isMembers(value: unknown): value is object {
  return value !== null && typeof value === "object" && !(value instanceof Date) && !Array.isArray(value)
}
