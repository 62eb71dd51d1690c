import type { PartSchema } from "kit/client"
import type { Words } from "../words/words.ts"
import type { Problem } from "./form-problems.ts"
import { pathText } from "./path.ts"

type Part = Pick<PartSchema, "type" | "required" | "limits" | "numberType" | "fields" | "items" | "blocks">
type RecordWords = Words["record"]

/** Returns what is wrong with a value and its parts, by the limits of its description. The server knows further rules. */
export function checkLimits(part: Part, place: { path: string; value: unknown }, words: RecordWords): Problem[] {
  const { path, value } = place
  if (value === null || value === undefined) return part.required ? [{ path, message: words.required }] : []
  const message = wrongText(part, value, words) ?? wrongNumber(part, value, words) ?? wrongList(part, value, words)
  if (message !== undefined) return [{ path, message }]
  return partsOf(part, value).flatMap(([key, member, memberValue]) =>
    checkLimits(member, { path: pathText([path, key]), value: memberValue }, words),
  )
}

function wrongText({ type, limits }: Part, value: unknown, words: RecordWords): string | undefined {
  if (typeof value !== "string" || type === "number") return undefined
  const { minLength, maxLength, pattern } = limits
  // The database counts characters, not halves of them.
  const length = [...value].length
  if (minLength !== undefined && length < minLength) return words.tooShort(minLength)
  if (maxLength !== undefined && length > maxLength) return words.tooLong(length, maxLength)
  if (pattern !== undefined && !matches(pattern, value)) return words.wrongPattern(pattern)
  return undefined
}

function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, "u").test(value)
  } catch {
    // Not every expression is one with the flag. Then the server decides.
    return true
  }
}

function wrongNumber({ limits, numberType }: Part, value: unknown, words: RecordWords): string | undefined {
  if (
    numberType === undefined ||
    (typeof value !== "number" && typeof value !== "bigint" && typeof value !== "string")
  ) {
    return undefined
  }
  const { min, max, scale } = limits
  if (min !== undefined && compareNumbers(value, min) < 0) return words.tooSmall(String(min))
  if (max !== undefined && compareNumbers(value, max) > 0) return words.tooLarge(String(max))
  const decimals = typeof value === "string" ? (value.split(".")[1]?.length ?? 0) : 0
  if (scale !== undefined && decimals > scale) return words.tooManyDecimals(scale)
  return undefined
}

type Exact = number | bigint | string

/** Compares two numbers, of which decimals are texts, without rounding them. */
export function compareNumbers(one: Exact, other: Exact): number {
  if (typeof one === "number" && typeof other === "number") return one - other
  const scale = Math.max(decimalsOf(one), decimalsOf(other))
  const [first, second] = [scaled(one, scale), scaled(other, scale)]
  return first < second ? -1 : Number(first > second)
}

function decimalsOf(value: Exact): number {
  return String(value).split(".")[1]?.length ?? 0
}

// The value times ten to the power of the scale, which is a whole number.
function scaled(value: Exact, scale: number): bigint {
  const [whole = "0", decimals = ""] = String(value).split(".")
  return BigInt(whole + decimals.padEnd(scale, "0"))
}

function wrongList({ limits }: Part, value: unknown, words: RecordWords): string | undefined {
  if (!Array.isArray(value)) return undefined
  const { minItems, maxItems } = limits
  if (minItems !== undefined && value.length < minItems) return words.tooFew(minItems)
  if (maxItems !== undefined && value.length > maxItems) return words.tooMany(maxItems)
  return undefined
}

function partsOf({ fields, items, blocks }: Part, value: unknown): [string | number, Part, unknown][] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index): [string | number, Part, unknown][] => {
      if (items) return [[index, items, item]]
      const block = blocks?.[String(memberOf(item, "type"))]
      return block ? [[index, { ...OBJECT, fields: block.fields }, item]] : []
    })
  }
  return Object.entries(fields ?? {}).map(([name, member]) => [name, member, memberOf(value, name)])
}

const OBJECT = { type: "object", required: false, limits: {} }

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
}
