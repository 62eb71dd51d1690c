import { Field } from "../builders/field.ts"
import type { FieldType, Parsed } from "../compile/field-type.ts"

export class BooleanField extends Field<boolean, object> {
  override compile(): FieldType {
    const parse = (value: unknown): Parsed =>
      typeof value === "boolean" ? { value } : { problem: "Expected true or false." }
    return {
      name: "boolean",
      sqlType: "boolean",
      operators: "choice",
      typescript: { output: "boolean", input: "boolean" },
      parse,
      parseOperand: parse,
      parseText: (text) => parse(text === "true" ? true : text === "false" ? false : text),
    }
  }
}
