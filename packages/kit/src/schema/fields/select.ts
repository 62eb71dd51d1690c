import { type DefaultFunction, Field } from "../builders/field.ts"
import type { FieldType, Parsed } from "../compile/field-type.ts"
import type { Validation } from "../compile/validation.ts"
import { listType } from "./array.ts"

interface SelectRules {
  readonly options: readonly string[]
}

export class SelectField<Option extends string = string> extends Field<unknown, SelectRules> {
  declare readonly value: Option

  override default(value: Option | DefaultFunction<Option>): this {
    return super.default(value)
  }

  override validate(validation: Validation<Option>): this {
    // The cast is safe: the check is called only with values that this field's type has parsed.
    return super.validate(validation as Validation)
  }

  /** Makes the value a list of any number of the options, each at most once. */
  multiple(): MultipleField<Option> {
    return new MultipleField<Option>(this.rules, this.traits)
  }

  override compile(): FieldType {
    return selectType(this.rules.options)
  }

  override mistakes(): readonly string[] {
    return mistakesIn(this.rules.options)
  }
}

/** A field whose value is a list of options, stored in the order in which the caller sent them. */
class MultipleField<Option extends string = string> extends Field<readonly Option[], SelectRules> {
  override compile(): FieldType {
    return { ...listType(selectType(this.rules.options), { isDistinct: true }), name: "multiple" }
  }

  override mistakes(): readonly string[] {
    return mistakesIn(this.rules.options)
  }
}

function selectType(options: readonly string[]): FieldType {
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

function mistakesIn(options: readonly string[]): readonly string[] {
  if (options.length === 0) return ['has no options. Give at least one: f.select(["draft", "done"]).']
  const seen = new Set<string>()
  const twice = options.find((option) => seen.size === seen.add(option).size)
  if (twice !== undefined) return [`lists the option "${twice}" twice. Remove one.`]
  return options.includes("") ? ["has an empty option. Leave the field without a value instead."] : []
}
