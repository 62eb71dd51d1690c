import { Field } from "../builders/field.ts"
import { type FieldType, NO_LIMITS, type Parsed, sameJsonSchemas } from "../compile/field-type.ts"

const JSON_SCHEMA = sameJsonSchemas({ type: "boolean" })

export class BooleanField extends Field<boolean, object> {
  override compile(): FieldType {
    const parse = (value: unknown): Parsed =>
      typeof value === "boolean" ? { value } : { problem: "Expected true or false." }
    return {
      name: "boolean",
      sqlType: "boolean",
      operators: "choice",
      typescript: { output: "boolean", input: "boolean" },
      jsonSchema: JSON_SCHEMA,
      limits: NO_LIMITS,
      parse,
      parseOperand: parse,
      parseText: (text) => parse(text === "true" ? true : text === "false" ? false : text),
    }
  }
}
