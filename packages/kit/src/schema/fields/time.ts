import { Field } from "../builders/field.ts"
import { type FieldType, NO_LIMITS, type Parsed } from "../compile/field-type.ts"
import { TIME_PATTERN } from "../json-schema/day-patterns.ts"

const TIME = new RegExp(TIME_PATTERN, "u")
const WITHOUT_SECONDS = "10:30".length
const JSON_SCHEMA = Object.freeze({
  input: Object.freeze({ type: "string", pattern: TIME_PATTERN }),
  output: Object.freeze({ type: "string", pattern: "^[0-9]{2}:[0-9]{2}:[0-9]{2}$" }),
})

/** A field for a time of day without a date or time zone: `10:30` or `10:30:15`. Reads always include the seconds. */
export class TimeField extends Field<string, object> {
  override compile(): FieldType {
    return {
      name: "time",
      sqlType: "time(0)",
      operators: "ordered",
      typescript: { output: "string", input: "string" },
      jsonSchema: JSON_SCHEMA,
      limits: NO_LIMITS,
      parse: parseTime,
      parseOperand: parseTime,
      parseText: parseTime,
    }
  }
}

function parseTime(value: unknown): Parsed {
  if (typeof value !== "string" || !TIME.test(value)) return { problem: "Expected a time such as 10:30 or 10:30:15." }
  return { value: value.length === WITHOUT_SECONDS ? `${value}:00` : value }
}
