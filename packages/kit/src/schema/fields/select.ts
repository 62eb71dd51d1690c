import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import { type DefaultFunction, Field } from "../builders/field.ts"
import { type FieldType, NO_LIMITS, type Parsed, sameJsonSchemas } from "../compile/field-type.ts"
import type { Validation } from "../compile/validation.ts"
import { inertCopy, Unreadable } from "../presentation/inert-copy.ts"
import { type AuthorText, type ChoicePresentation, type Color, PLAIN_CHOICE } from "../presentation/presentation.ts"
import { listType } from "./array.ts"

interface SelectRules {
  readonly options: readonly string[]
  /** The options that the author has given as objects, as far as they are not only a value. */
  readonly described?: readonly OptionDefinition[]
  /** The mistake in the list of options, if it is not a list of strings and of objects with a value. */
  readonly problem?: string
  readonly replaced?: ReplacedOptions
}

/** An option of a select, with its name and its colour for people. Only `value` is stored. */
export interface OptionDefinition<Option extends string = string> {
  readonly value: Option
  readonly label?: AuthorText
  readonly color?: Color
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

/** Returns the options of a select field that the author has given as objects; none for a field of another type. */
export function describedOptions(field: Field): readonly OptionDefinition[] {
  const isSelect = field instanceof SelectField || field instanceof MultipleField
  return (isSelect && field.rules.described) || []
}

/** Returns the rules of a select field whose options are strings, or objects with a value. */
export function selectRules(given: readonly (string | OptionDefinition)[]): SelectRules {
  const list: unknown = inertCopy(given)
  if (list instanceof Unreadable) return { options: [], problem: `has options that cannot be read: ${list.reason}.` }
  if (!Array.isArray(list)) return { options: [], problem: `has options that are not a list. ${OPTIONS_EXAMPLE}` }
  const options = list.map((option) => (isDescribed(option) ? option.value : option))
  const described = list.filter(isDescribed)
  if (options.some((option) => typeof option !== "string"))
    return {
      options: [],
      problem: `has an option that is neither a text nor an object with a value. ${OPTIONS_EXAMPLE}`,
    }
  return described.length === 0 ? { options } : { options, described }
}

const OPTIONS_EXAMPLE = 'Write f.select(["idea", { value: "done", label: "Done" }]).'

function isDescribed(option: unknown): option is OptionDefinition {
  return typeof option === "object" && option !== null && "value" in option
}

type CompiledOptions = Pick<FieldType, "options" | "optionPresentations" | "replacedOptions">

function optionsOf({ options, described, replaced }: SelectRules): CompiledOptions {
  return {
    options,
    ...(described && {
      optionPresentations: new Map(described.map((option) => [option.value, presentationOf(option)])),
    }),
    ...(replaced && { replacedOptions: replaced }),
  }
}

function presentationOf({ label, color }: OptionDefinition): ChoicePresentation {
  return Object.freeze({ ...PLAIN_CHOICE, label, color })
}

/** Returns the type of a text that is one of these options. */
export function selectType(options: readonly string[]): FieldType {
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
  const { options, problem } = rules
  if (problem !== undefined) return [problem]
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
