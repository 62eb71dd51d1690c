import type { FieldLimits } from "../../wire/results/introspection.ts"
import type { JsonSchema } from "../../wire/results/json-schema.ts"
import { checkedByServer } from "./checked-by-server.ts"
import { plainDecimal } from "./decimals.ts"
import { decimalRangePattern, NOTHING } from "./number-patterns.ts"

/** The bounds of a number field, as the author declares them. */
export interface NumberBounds {
  readonly min?: number | bigint | undefined
  readonly max?: number | bigint | undefined
}

/** The JSON Schemas and the limits of a kind of number. */
export interface NumberDescription {
  readonly jsonSchema: { readonly input: JsonSchema; readonly output: JsonSchema }
  readonly limits: FieldLimits
}

const INTEGER_MAX = 2_147_483_647
const BIGINT_MAX = 9_223_372_036_854_775_807n
// Numbers from here on are written with an exponent, which the server does not accept in a decimal.
const EXPONENT_FROM = 1e21

export function describeDouble(bounds: NumberBounds): NumberDescription {
  const schema = { type: "number", ...keywordsOf(bounds) }
  return { jsonSchema: { input: schema, output: { type: "number" } }, limits: limitsOf(bounds) }
}

export function describeInteger(bounds: NumberBounds): NumberDescription {
  const whole = { min: -INTEGER_MAX - 1, max: INTEGER_MAX }
  const schema = { type: "integer", ...keywordsOf(narrowed(whole, bounds)) }
  return { jsonSchema: { input: schema, output: { type: "integer" } }, limits: limitsOf(bounds) }
}

export function describeBigint(bounds: NumberBounds): NumberDescription {
  const safe = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }
  const whole = narrowed({ min: -BIGINT_MAX - 1n, max: BIGINT_MAX }, bounds)
  const digits = { type: "string", pattern: "^-?[0-9]{1,19}$", allOf: [{ pattern: rangePattern(whole) }] }
  const input = { anyOf: [{ type: "integer", ...keywordsOf(narrowed(safe, bounds)) }, digits] }
  const output = { type: "string", pattern: "^-?[0-9]+$" }
  return { jsonSchema: { input, output }, limits: textLimitsOf(bounds) }
}

export function describeDecimal(
  { precision, scale }: { readonly precision: number; readonly scale: number },
  bounds: NumberBounds,
): NumberDescription {
  const wholeDigits = precision - scale
  const whole = wholeDigits === 0 ? "0+" : `(?:0*[0-9]{1,${wholeDigits}})`
  const shape = `^-?${whole}${scale === 0 ? "" : `(?:\\.[0-9]{1,${scale}})?`}$`
  const range = hasBounds(bounds) ? { allOf: [{ pattern: rangePattern(bounds) }] } : {}
  const digits = { type: "string", maxLength: DECIMAL_MAX_CHARACTERS, pattern: shape, ...range }
  const input = { anyOf: [decimalNumber({ wholeDigits, scale }, bounds), digits] }
  const output = { type: "string", pattern: scale === 0 ? "^-?[0-9]+$" : `^-?[0-9]+\\.[0-9]{${scale}}$` }
  return { jsonSchema: { input, output }, limits: { ...textLimitsOf(bounds), precision, scale } }
}

/** The maximum length of a decimal as a string: a sign, a point, and the digits that PostgreSQL can store. */
export const DECIMAL_MAX_CHARACTERS = 1002

// A decimal may be sent as a number, as far as JSON numbers are exact.
function decimalNumber({ wholeDigits, scale }: { wholeDigits: number; scale: number }, bounds: NumberBounds) {
  const limit = Math.min(10 ** wholeDigits, EXPONENT_FROM)
  const range = hasBounds(bounds) ? { allOf: [keywordsOf(bounds)] } : {}
  const number = { exclusiveMinimum: -limit, exclusiveMaximum: limit, ...range }
  if (scale === 0) return { type: "integer", ...number }
  return checkedByServer({ type: "number", ...number }, ["scale"])
}

function hasBounds({ min, max }: NumberBounds): boolean {
  return min !== undefined || max !== undefined
}

function narrowed(outer: Required<NumberBounds>, { min, max }: NumberBounds): NumberBounds {
  return {
    min: min !== undefined && outer.min !== undefined && min > outer.min ? min : outer.min,
    max: max !== undefined && outer.max !== undefined && max < outer.max ? max : outer.max,
  }
}

function rangePattern({ min, max }: NumberBounds): string {
  if (min === Number.POSITIVE_INFINITY || max === Number.NEGATIVE_INFINITY) return NOTHING
  return decimalRangePattern({
    min: min === undefined ? undefined : plainDecimal(min),
    max: max === undefined ? undefined : plainDecimal(max),
  })
}

function keywordsOf({ min, max }: NumberBounds): JsonSchema {
  return { ...lowerBound(min), ...upperBound(max) }
}

// A bigint between two floating-point numbers excludes the one below it, and no other number can be there.
function lowerBound(bound: number | bigint | undefined): JsonSchema {
  if (bound === undefined || bound === Number.NEGATIVE_INFINITY) return {}
  if (bound === Number.POSITIVE_INFINITY) return { not: {} }
  return Number(bound) < bound ? { exclusiveMinimum: Number(bound) } : { minimum: Number(bound) }
}

function upperBound(bound: number | bigint | undefined): JsonSchema {
  if (bound === undefined || bound === Number.POSITIVE_INFINITY) return {}
  if (bound === Number.NEGATIVE_INFINITY) return { not: {} }
  return Number(bound) > bound ? { exclusiveMaximum: Number(bound) } : { maximum: Number(bound) }
}

function limitsOf({ min, max }: NumberBounds): FieldLimits {
  return Object.freeze({
    ...(isFiniteBound(min) && { min: Number(min) }),
    ...(isFiniteBound(max) && { max: Number(max) }),
  })
}

function textLimitsOf({ min, max }: NumberBounds): FieldLimits {
  return Object.freeze({
    ...(isFiniteBound(min) && { min: plainDecimal(min) ?? "" }),
    ...(isFiniteBound(max) && { max: plainDecimal(max) ?? "" }),
  })
}

function isFiniteBound(bound: number | bigint | undefined): bound is number | bigint {
  return bound !== undefined && Number.isFinite(Number(bound))
}
