import { Field } from "../builders/field.ts"
import type { FieldType, Parsed } from "../compile/field-type.ts"
import { isLessDecimal, plainDecimal } from "../json-schema/decimals.ts"
import {
  DECIMAL_MAX_CHARACTERS,
  describeBigint,
  describeDecimal,
  describeDouble,
  describeInteger,
  type NumberBounds,
  type NumberDescription,
} from "../json-schema/number-schemas.ts"

type Storage =
  | { readonly kind: "double" }
  | { readonly kind: "integer" }
  | { readonly kind: "bigint" }
  | { readonly kind: "decimal"; readonly precision: number; readonly scale: number }

interface NumberRules {
  readonly storage: Storage
  readonly min?: number | bigint
  readonly max?: number | bigint
}

const INTEGER_MAX = 2_147_483_647
const BIGINT_MAX = 9_223_372_036_854_775_807n
const DECIMAL_MAX_PRECISION = 1000

export class NumberField<Value = number> extends Field<Value, NumberRules> {
  /** Makes the field store 32-bit integers. */
  integer(): NumberField<number> {
    return this.#store({ kind: "integer" })
  }

  /** Makes the field store 64-bit integers. A value is a `bigint` in code and a string of digits in plain JSON. */
  bigint(): NumberField<bigint> {
    return this.#store({ kind: "bigint" })
  }

  /** Makes the field store exact decimals, such as amounts of money. A value is a string in code and in JSON. */
  decimal(precision: number, scale: number): NumberField<string> {
    return this.#store({ kind: "decimal", precision, scale })
  }

  min(least: number | bigint): this {
    return this.withRules({ min: least })
  }

  max(most: number | bigint): this {
    return this.withRules({ max: most })
  }

  override compile(): FieldType {
    const { storage } = this.rules
    const read = readers[storage.kind]
    return {
      name: "number",
      numberType: storage.kind,
      operators: "ordered",
      ...columnOf(storage),
      ...describe(storage, this.rules),
      parse: (value) => this.#withinBounds(read(value, storage)),
      parseOperand: (value) => read(value, storage),
      parseText: (text) =>
        read(storage.kind === "double" || storage.kind === "integer" ? numberOf(text) : text, storage),
    }
  }

  override mistakes(): readonly string[] {
    const { storage, min, max } = this.rules
    const mistakes: string[] = []
    if (storage.kind === "decimal" && !isDecimalShape(storage)) {
      mistakes.push("decimal(precision, scale) needs 1 ≤ precision ≤ 1000 and 0 ≤ scale ≤ precision.")
    }
    for (const [name, bound] of Object.entries({ min, max })) {
      if (bound !== undefined && !isBound(bound)) mistakes.push(notABound(name, bound))
    }
    if (min !== undefined && max !== undefined && min > max)
      mistakes.push(`min(${min}) is above max(${max}). Swap them.`)
    return mistakes
  }

  #store<Stored>(storage: Storage): NumberField<Stored> {
    // The cast is safe: the storage determines the type of the field's value, and the copy is a NumberField too.
    return this.withRules({ storage }) as unknown as NumberField<Stored>
  }

  #withinBounds(parsed: Parsed): Parsed {
    if ("problem" in parsed) return parsed
    const { min, max } = this.rules
    // The cast is safe: the readers return decimals as strings, and other numbers as numbers or bigints.
    const value = parsed.value as string | number | bigint
    if (min !== undefined && isBelow(value, min)) return { problem: `Must be at least ${min}.` }
    if (max !== undefined && isAbove(value, max)) return { problem: `Must be at most ${max}.` }
    return parsed
  }
}

// Only types keep an author from giving something else, such as the text "0".
function isBound(bound: unknown): boolean {
  return typeof bound === "bigint" || (typeof bound === "number" && !Number.isNaN(bound))
}

function notABound(name: string, bound: unknown): string {
  return `${name}(${typeof bound === "string" ? JSON.stringify(bound) : String(bound)}) is not a number. Give a bound.`
}

// A decimal is compared digit by digit, because a floating-point number could not hold all of its digits.
function isBelow(value: string | number | bigint, min: number | bigint): boolean {
  if (typeof value !== "string") return value < min
  const least = plainDecimal(min)
  return least === undefined ? min > 0 : isLessDecimal(value, least)
}

function isAbove(value: string | number | bigint, max: number | bigint): boolean {
  if (typeof value !== "string") return value > max
  const most = plainDecimal(max)
  return most === undefined ? max < 0 : isLessDecimal(most, value)
}

function describe(storage: Storage, bounds: NumberBounds): NumberDescription {
  switch (storage.kind) {
    case "double":
      return describeDouble(bounds)
    case "integer":
      return describeInteger(bounds)
    case "bigint":
      return describeBigint(bounds)
    case "decimal":
      return describeDecimal(storage, bounds)
    default:
      return storage satisfies never
  }
}

const readers: Record<Storage["kind"], (value: unknown, storage: Storage) => Parsed> = {
  double: (value) =>
    typeof value === "number" && Number.isFinite(value) ? { value } : { problem: "Expected a number." },
  integer: (value) =>
    typeof value === "number" && Number.isInteger(value) && value <= INTEGER_MAX && value >= -INTEGER_MAX - 1
      ? { value }
      : { problem: "Expected a whole number of 32 bits." },
  bigint: readBigint,
  decimal: readDecimal,
}

function readBigint(value: unknown): Parsed {
  const problem = { problem: "Expected a whole number of 64 bits, as a number or a string of digits." }
  const isExact =
    typeof value === "bigint" ||
    Number.isSafeInteger(value) ||
    (typeof value === "string" && /^-?\d{1,19}$/.test(value))
  if (!isExact) return problem
  const number = BigInt(value as bigint | number | string)
  return number <= BIGINT_MAX && number >= -BIGINT_MAX - 1n ? { value: number } : problem
}

function readDecimal(value: unknown, storage: Storage): Parsed {
  if (storage.kind !== "decimal") return { problem: "Expected a decimal." }
  const { precision, scale } = storage
  const text = typeof value === "number" && Number.isFinite(value) ? String(value) : value
  const match =
    typeof text === "string" && text.length <= DECIMAL_MAX_CHARACTERS ? /^-?(\d+)(?:\.(\d+))?$/.exec(text) : null
  const whole = match?.[1]?.replace(/^0+(?=\d)/, "") ?? ""
  const fits = match && (whole === "0" || whole.length <= precision - scale) && (match[2]?.length ?? 0) <= scale
  return fits && typeof text === "string"
    ? { value: fixedDecimal(text, scale) }
    : { problem: `Expected a decimal with at most ${precision} digits, ${scale} of them after the point.` }
}

function numberOf(text: string): number {
  return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN
}

function isDecimalShape(storage: { precision: number; scale: number }): boolean {
  const { precision, scale } = storage
  const areWhole = Number.isInteger(precision) && Number.isInteger(scale)
  return areWhole && precision >= 1 && precision <= DECIMAL_MAX_PRECISION && scale >= 0 && scale <= precision
}

// Formats a decimal as PostgreSQL prints a `numeric` value. Object fields and locale maps store this string in JSON,
// where PostgreSQL does not format it.
function fixedDecimal(text: string, scale: number): string {
  const [whole = "", part = ""] = text.replace("-", "").split(".")
  const digits = `${whole.replace(/^0+(?=\d)/, "")}${scale > 0 ? `.${part.padEnd(scale, "0")}` : ""}`
  return text.startsWith("-") && /[1-9]/.test(digits) ? `-${digits}` : digits
}

type Column = Pick<FieldType, "sqlType" | "typescript" | "extended" | "fromJson" | "fromWider">

// Converts a value from a column that is wider than the field. The driver returns a bigint column as a bigint, a
// numeric column as a string, and a double precision column as a number.
const toNumber = (value: unknown): unknown => (typeof value === "number" ? value : Number(value))
const toBigint = (value: unknown): unknown => (typeof value === "bigint" ? value : wholePart(String(value)))

// Returns the whole part of a number that is given as a string. The string has a fraction or an exponent only if a
// newer version of the app has stored such a number.
function wholePart(text: string): bigint {
  return BigInt(/^-?\d+/.test(text) && !/e/i.test(text) ? text.replace(/\..*$/, "") : Math.trunc(Number(text)))
}

function columnOf(storage: Storage): Column {
  switch (storage.kind) {
    case "double":
      return { sqlType: "double precision", typescript: { output: "number", input: "number" } }
    case "integer":
      return { sqlType: "integer", typescript: { output: "number", input: "number" }, fromWider: toNumber }
    case "bigint":
      return {
        sqlType: "bigint",
        typescript: { output: "bigint", input: "bigint | number" },
        extended: "BigInt",
        // In the JSON that kit stores, a bigint is a string of digits. A part of an object or of a block may be left from
        // an earlier declaration with another type, and stays readable.
        fromJson: (json) => (Number.isNaN(Number(json)) ? json : wholePart(String(json))),
        fromWider: toBigint,
      }
    case "decimal":
      return {
        sqlType: `numeric(${storage.precision}, ${storage.scale})`,
        typescript: { output: "string", input: "string | number" },
      }
    default:
      return storage satisfies never
  }
}
