import { Field } from "../builders/field.ts"
import type { FieldType, Parsed } from "../compile/field-type.ts"
import { isRealDay } from "./datetime.ts"

const DAY = /^\d{4}-\d{2}-\d{2}$/
const EARLIEST = "0001-01-01"

/** A field for a calendar day without a time or time zone, such as `2026-05-04`. */
export class DateField extends Field<string, object> {
  override compile(): FieldType {
    return {
      name: "date",
      sqlType: "date",
      operators: "ordered",
      typescript: { output: "string", input: "string" },
      parse: parseDay,
      parseOperand: parseDay,
      parseText: parseDay,
    }
  }
}

function parseDay(value: unknown): Parsed {
  const isDay = typeof value === "string" && DAY.test(value) && value >= EARLIEST && isRealDay(value)
  return isDay ? { value } : { problem: "Expected a date such as 2026-05-04." }
}
