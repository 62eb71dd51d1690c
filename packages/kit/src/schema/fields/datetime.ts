import { Field } from "../builders/field.ts"
import { type FieldType, NO_LIMITS, type Parsed } from "../compile/field-type.ts"
import { MOMENT_PATTERN } from "../json-schema/day-patterns.ts"

const ISO_MOMENT = new RegExp(MOMENT_PATTERN, "u")
const EARLIEST_MS = Date.parse("0001-01-01T00:00:00Z")
const LATEST_MS = Date.parse("9999-12-31T23:59:59.999Z")
const PROBLEM = "Expected a date and time such as 2026-05-04T10:30:00Z."

export class DatetimeField extends Field<Date | string, object> {
  override compile(): FieldType {
    return datetimeType
  }
}

/** The type of a timestamp with milliseconds. It is a `Date` in code and an ISO string in plain JSON. */
export const datetimeType: FieldType = Object.freeze<FieldType>({
  name: "datetime",
  sqlType: "timestamptz(3)",
  operators: "ordered",
  typescript: { output: "Date", input: "Date | string" },
  jsonSchema: Object.freeze({
    input: Object.freeze({ type: "string", pattern: MOMENT_PATTERN }),
    output: Object.freeze({ type: "string", format: "date-time" }),
  }),
  limits: NO_LIMITS,
  extended: "Date",
  parse: parseDate,
  parseOperand: parseDate,
  parseText: parseIso,
  // The cast is safe: parsed values are Dates. A Date is sent as an ISO string, because the driver would convert it to
  // local time.
  toSql: (value) => isoText(value as Date),
  // The cast is safe: in the JSON that kit stores, a date is an ISO string.
  fromJson: (json) => new Date(json as string),
})

let lastMs = Number.NaN
let lastText = ""

// Returns the ISO string of the moment. `toISOString` takes 1.4 µs (Node 20), and a create binds the same moment twice.
function isoText(date: Date): string {
  const ms = date.getTime()
  if (ms !== lastMs) {
    lastText = date.toISOString()
    lastMs = ms
  }
  return lastText
}

function parseDate(value: unknown): Parsed {
  return value instanceof Date ? parseMoment(value.getTime()) : parseIso(value)
}

function parseIso(value: unknown): Parsed {
  if (typeof value !== "string" || !ISO_MOMENT.test(value)) return { problem: PROBLEM }
  return parseMoment(Date.parse(value))
}

function parseMoment(moment: number): Parsed {
  return moment >= EARLIEST_MS && moment <= LATEST_MS ? { value: new Date(moment) } : { problem: PROBLEM }
}
