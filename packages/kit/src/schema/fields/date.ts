import { Field } from "../builders/field.ts"
import { type FieldType, NO_LIMITS, type Parsed } from "../compile/field-type.ts"
import { DAY_PATTERN } from "../json-schema/day-patterns.ts"

const DAY = new RegExp(DAY_PATTERN, "u")
const JSON_SCHEMA = Object.freeze({
  input: Object.freeze({ type: "string", pattern: DAY_PATTERN }),
  output: Object.freeze({ type: "string", format: "date" }),
})

/** A field for a calendar day without a time or time zone, such as `2026-05-04`. */
export class DateField extends Field<string, object> {
  override compile(): FieldType {
    return {
      name: "date",
      sqlType: "date",
      operators: "ordered",
      typescript: { output: "string", input: "string" },
      jsonSchema: JSON_SCHEMA,
      limits: NO_LIMITS,
      parse: parseDay,
      parseOperand: parseDay,
      parseText: parseDay,
    }
  }
}

function parseDay(value: unknown): Parsed {
  const isDay = typeof value === "string" && DAY.test(value)
  return isDay ? { value } : { problem: "Expected a date such as 2026-05-04." }
}
