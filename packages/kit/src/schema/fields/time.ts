import { Field } from "../builders/field.ts"
import type { FieldType, Parsed } from "../compile/field-type.ts"

const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/

/** A field for a time of day without a date or time zone: `10:30` or `10:30:15`. Reads always include the seconds. */
export class TimeField extends Field<string, object> {
  override compile(): FieldType {
    return {
      name: "time",
      sqlType: "time(0)",
      operators: "ordered",
      typescript: { output: "string", input: "string" },
      parse: parseTime,
      parseOperand: parseTime,
      parseText: parseTime,
    }
  }
}

function parseTime(value: unknown): Parsed {
  const match = typeof value === "string" ? TIME.exec(value) : null
  if (match === null) return { problem: "Expected a time such as 10:30 or 10:30:15." }
  return { value: match[2] === undefined ? `${match[0]}:00` : match[0] }
}
