import type { FieldType, Parsed } from "../../schema/compile/field-type.ts"
import { NumberField } from "../../schema/fields/number.ts"
import { plainDecimal } from "../../schema/json-schema/decimals.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import type { FieldMeasure } from "../../wire/options/aggregate-options.ts"

/** The type of a value that is computed from many records. */
export interface MeasureType {
  /** The type by which a condition on the value is parsed and compared. */
  readonly operand: FieldType
  /** The type tag of the value in extended JSON. */
  readonly extended?: FieldType["extended"]
  /** Converts a value that the driver has read, and that is not null, into that of the answer. */
  read(value: unknown, path: string): unknown
}

const DOUBLE = new NumberField({ storage: { kind: "double" } }).compile()
const WHOLE = new NumberField<bigint>({ storage: { kind: "bigint" } }).compile()

// A decimal with any number of digits, as sums of decimals and of bigints are.
const EXACT: FieldType = Object.freeze({
  ...DOUBLE,
  sqlType: "numeric",
  typescript: { output: "string", input: "string | number" },
  parseOperand: readExact,
  parseText: readExact,
})

const MAX_DIGITS = 1000

function readExact(value: unknown): Parsed {
  const isNumber = typeof value === "number" || typeof value === "bigint"
  const text = isNumber ? plainDecimal(value) : value
  const isExact = typeof text === "string" && text.length <= MAX_DIGITS && /^-?\d+(\.\d+)?$/.test(text)
  return isExact ? { value: text } : { problem: "Expected a number, or a string of its digits." }
}

const asNumber: MeasureType = { operand: DOUBLE, read: Number }
const asDecimal: MeasureType = { operand: EXACT, read: String }

export const COUNT_TYPE: MeasureType = { operand: WHOLE, read: Number }

type NumberType = NonNullable<FieldType["numberType"]>

const SUMS: Readonly<Record<NumberType, MeasureType>> = {
  double: asNumber,
  integer: { operand: WHOLE, read: exactNumber },
  bigint: { operand: EXACT, extended: "BigInt", read: wholeNumber },
  decimal: asDecimal,
}

const AVERAGES: Readonly<Record<NumberType, MeasureType>> = {
  double: asNumber,
  integer: asNumber,
  bigint: asDecimal,
  decimal: asDecimal,
}

/** Returns the type of what is computed from values of this type; undefined if that cannot be computed. */
export function measureType(measure: FieldMeasure, type: FieldType): MeasureType | undefined {
  switch (measure) {
    case "sum":
      return type.numberType && SUMS[type.numberType]
    case "avg":
      return type.numberType && AVERAGES[type.numberType]
    case "min":
    case "max":
      return hasExtremes(type) ? extremeType(type) : undefined
    default:
      return measure satisfies never
  }
}

// Postgres finds the least of everything that has an order but booleans. An id has an order without a meaning.
function hasExtremes({ operators, sqlType }: FieldType): boolean {
  return operators === "ordered" || operators === "text" || (operators === "choice" && sqlType !== "boolean")
}

function extremeType({ expression, ...type }: FieldType): MeasureType {
  const read = type.fromWider ?? ((value) => value)
  return { operand: type, extended: type.extended, read }
}

// A newer version of the app may have made the column a decimal while this process still runs.
function wholeNumber(value: unknown): bigint {
  return BigInt(String(value).replace(/\..*$/, ""))
}

function exactNumber(value: unknown, path: string): number {
  const number = Number(value)
  if (Number.isSafeInteger(number) || !Number.isInteger(number)) return number
  throw invalid(path, "The sum is too large for an exact number. Sum up fewer records, or declare the field as bigint.")
}
