import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import { type DefaultFunction, Field } from "../builders/field.ts"
import { type FieldType, NO_LIMITS, type Parsed, sameJsonSchemas } from "../compile/field-type.ts"
import type { Validation } from "../compile/validation.ts"
import { listType } from "./array.ts"

interface SelectRules {
  readonly options: readonly string[]
  readonly replaced?: ReplacedOptions
}

type ReplacedOptions<Option extends string = string> = Readonly<Record<string, Option | null>>

export class SelectField<Option extends string = string> extends Field<unknown, SelectRules> {
  declare readonly value: Option

  override default(value: Option | DefaultFunction<Option>): this {
    return super.default(value)
  }

  override validate(validation: Validation<Option>): this {
    // The cast is safe: the check is called only with values that this field's type has parsed.
    return super.validate(validation as Validation)
  }

  /**
   * Says what becomes of the values in existing records whose options the field no longer has. The next change of the
   * tables replaces each by another option, or empties the field if it is replaced by null.
   *
   * f.select(["idea", "done"]).replacedOptions({ draft: "idea", spam: null })
   */
  replacedOptions(replaced: ReplacedOptions<Option>): this {
    return this.withRules({ replaced: Object.freeze({ ...replaced }) })
  }

  /** Makes the value a list of any number of the options, each at most once. */
  multiple(): MultipleField<Option> {
    return new MultipleField<Option>(this.rules, this.traits)
  }

  override compile(): FieldType {
    return { ...selectType(this.rules.options), ...optionsOf(this.rules) }
  }

  override mistakes(): readonly string[] {
    return [...mistakesIn(this.rules), ...(this.traits.required ? findEmptied(this.rules) : [])]
  }
}

/** A field whose value is a list of options, stored in the order in which the caller sent them. */
class MultipleField<Option extends string = string> extends Field<readonly Option[], SelectRules> {
  /** The same as for a field with one option, but an option that is replaced by null is removed from the list. */
  replacedOptions(replaced: ReplacedOptions<Option>): this {
    return this.withRules({ replaced: Object.freeze({ ...replaced }) })
  }

  override compile(): FieldType {
    const list = listType(selectType(this.rules.options), { isDistinct: true })
    return { ...list, ...optionsOf(this.rules), name: "multiple" }
  }

  override mistakes(): readonly string[] {
    return mistakesIn(this.rules)
  }
}

function optionsOf({ options, replaced }: SelectRules): Pick<FieldType, "options" | "replacedOptions"> {
  return replaced ? { options, replacedOptions: replaced } : { options }
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
    jsonSchema: sameJsonSchemas({ type: "string", enum: options }),
    limits: NO_LIMITS,
    parse,
    parseOperand: parse,
    parseText: parse,
  }
}

function mistakesIn(rules: SelectRules): readonly string[] {
  const { options } = rules
  if (options.length === 0) return ['has no options. Give at least one: f.select(["draft", "done"]).']
  const seen = new Set<string>()
  const twice = options.find((option) => seen.size === seen.add(option).size)
  if (twice !== undefined) return [`lists the option "${twice}" twice. Remove one.`]
  if (options.includes("")) return ["has an empty option. Leave the field without a value instead."]
  return findWrongReplacements(rules)
}

function findWrongReplacements({ options, replaced = {} }: SelectRules): readonly string[] {
  return Object.entries(replaced).flatMap(([old, option]) => {
    if (options.includes(old)) return [`replaces the option "${old}", which it still has. Remove one of the two.`]
    if (option === null || options.includes(option)) return []
    return [`replaces "${old}" by "${option}", which is not one of its options.${didYouMean(option, options)}`]
  })
}

function findEmptied({ replaced = {} }: SelectRules): readonly string[] {
  const emptied = Object.entries(replaced).filter(([, option]) => option === null)
  return emptied.map(([old]) => `replaces "${old}" by null, but is required. Replace it by one of its options.`)
}
