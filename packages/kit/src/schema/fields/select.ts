import { Field } from "../field.ts"
import type { FieldType, Parsed } from "../field-type.ts"

interface SelectRules {
  readonly options: readonly string[]
}

export class SelectField<Option extends string = string> extends Field<Option, SelectRules> {
  override compile(): FieldType {
    const { options } = this.rules
    const known = new Set(options)
    const union = options.map((option) => JSON.stringify(option)).join(" | ")
    const parse = (value: unknown): Parsed =>
      typeof value === "string" && known.has(value) ? { value } : { problem: `Expected one of: ${options.join(", ")}.` }
    return {
      name: "select",
      sqlType: "text",
      operators: "choice",
      typescript: { output: union, input: union },
      parse,
      parseOperand: parse,
      parseText: parse,
    }
  }

  override mistakes(): readonly string[] {
    const { options } = this.rules
    if (options.length === 0) return ['has no options. Give at least one: f.select(["draft", "done"]).']
    const seen = new Set<string>()
    const twice = options.find((option) => seen.size === seen.add(option).size)
    if (twice !== undefined) return [`lists the option "${twice}" twice. Remove one.`]
    return options.includes("") ? ["has an empty option. Leave the field without a value instead."] : []
  }
}
