import { Field } from "../builders/field.ts"
import type { FieldType, Parsed } from "../compile/field-type.ts"
import { isLongerThan, isShorterThan } from "../json-schema/characters.ts"
import { portablePattern } from "../json-schema/portable-pattern.ts"
import { describeText, type TextFormat } from "../json-schema/text-schemas.ts"

interface TextRules {
  readonly name: "text" | "textarea" | "email" | "url"
  readonly min?: number
  readonly max?: number
  readonly pattern?: RegExp
  readonly format?: CheckedFormat
  readonly trim?: boolean
  readonly lowercase?: boolean
}

/** A format, with the check of it. */
export interface CheckedFormat extends TextFormat {
  /** Returns a sentence that says why the text does not have the format, or undefined if it has. */
  findProblem(text: string): string | undefined
}

const NO_RULES: TextRules = { name: "text" }

export class TextField extends Field<string, TextRules> {
  /** Requires at least this many characters in the text. */
  min(length: number): this {
    return this.withRules({ min: length })
  }

  /** Allows at most this many characters in the text. */
  max(length: number): this {
    return this.withRules({ max: length })
  }

  pattern(pattern: RegExp): this {
    return this.withRules({ pattern })
  }

  /** Removes white space at both ends of the text before any check. */
  trim(): this {
    return this.withRules({ trim: true })
  }

  lowercase(): this {
    return this.withRules({ lowercase: true })
  }

  override compile(): FieldType {
    const rules = withUnicodePattern(this.rules)
    return {
      ...describeText(this.rules),
      name: rules.name,
      sqlType: "text",
      operators: "text",
      typescript: { output: "string", input: "string" },
      parse: (value) => parseText(rules, value),
      parseOperand: (value) => parseText(NO_RULES, value),
      parseText: (text) => parseText(NO_RULES, text),
    }
  }

  override mistakes(): readonly string[] {
    const { min, max, pattern } = this.rules
    const mistakes: string[] = []
    for (const [name, length] of [
      ["min", min],
      ["max", max],
    ] as const) {
      if (length !== undefined && !(Number.isInteger(length) && length >= 0)) {
        mistakes.push(`${name}(${length}) is not a length. Give a whole number of characters.`)
      }
    }
    if (min !== undefined && max !== undefined && min > max)
      mistakes.push(`min(${min}) is above max(${max}). Swap them.`)
    if (pattern?.global || pattern?.sticky)
      mistakes.push("its pattern has the flag g or y, which remembers its last match. Remove it.")
    return mistakes
  }
}

/** A field for a text of several lines. */
export class TextareaField extends TextField {
  /**
   * Lets several people edit the field's value at the same time, each with an editor that supports Yjs. The record has
   * the value of the shared document.
   */
  collaborative(): this {
    return this.withTraits({ collaborative: true })
  }
}

// Reads the pattern with the flag `u`, as JSON Schema does, if it can be read so. A character is then a code point.
function withUnicodePattern(rules: TextRules): CompiledRules {
  const unicode = rules.pattern && portablePattern(rules.pattern)
  return { ...rules, test: unicode === undefined ? rules.pattern : new RegExp(unicode, "u") }
}

interface CompiledRules extends TextRules {
  readonly test?: RegExp | undefined
}

function parseText(rules: CompiledRules, value: unknown): Parsed {
  if (typeof value !== "string") return { problem: "Expected text." }
  if (value.includes("\0")) return { problem: "Must not contain the character U+0000." }
  if (!value.isWellFormed()) return { problem: "Must be well-formed Unicode." }
  const trimmed = rules.trim ? value.trim() : value
  if (rules.max !== undefined && isLongerThan(trimmed, rules.max))
    return { problem: `Must have at most ${rules.max} characters.` }
  if (rules.min !== undefined && isShorterThan(trimmed, rules.min))
    return { problem: rules.min === 1 ? "Must not be empty." : `Must have at least ${rules.min} characters.` }
  // Lower case comes after the limits, because the letter \u0130 becomes two characters.
  const text = rules.lowercase ? trimmed.toLowerCase() : trimmed
  const problem = rules.format?.findProblem(text)
  if (problem !== undefined) return { problem }
  if (rules.test && !rules.test.test(text)) return { problem: `Must match ${rules.pattern}.` }
  return { value: text }
}
