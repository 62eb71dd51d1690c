import type { Formats } from "../../../kit/formats.ts"
import type { TitlePlace } from "../../../kit/titles.ts"
import type { Words } from "../../../words/words.ts"
import type { ComparisonName } from "./comparisons.ts"
import type { ResolvedCondition } from "./resolve-condition.ts"

/** A condition as people say it: "Team is any of Science, Culture". */
export interface Sentence {
  readonly subject: string
  readonly verb: string
  /** An empty text if the verb says everything. */
  readonly object: string
}

interface SentenceContext {
  readonly words: Pick<Words["list"], "comparisons" | "and" | "andMore" | "between" | "lastDays">
  readonly formats: Formats
  readonly titleOf: (place: TitlePlace) => string | undefined
}

const MAX_NAMED = 3

export function sentenceOf(condition: ResolvedCondition, context: SentenceContext): Sentence {
  const { relations, field, comparison } = condition
  const subject = [...relations.map((step) => step.field.label), field.label].join(" › ")
  return {
    subject,
    verb: verbOf(condition, context),
    object: comparison.operand === "none" ? "" : objectOf(condition, context),
  }
}

export function sentenceText({ subject, verb, object }: Sentence): string {
  return [subject, verb, object].filter((part) => part !== "").join(" ")
}

// Nobody says "any of" about a single value.
const OF_ONE: Partial<Readonly<Record<ComparisonName, ComparisonName>>> = {
  isAnyOf: "is",
  isNoneOf: "isNot",
  includesAnyOf: "includes",
  includesAllOf: "includes",
}

function verbOf({ comparison, operand }: ResolvedCondition, { words }: SentenceContext): string {
  const isOne = Array.isArray(operand) && operand.length === 1
  return words.comparisons[(isOne ? OF_ONE[comparison.name] : undefined) ?? comparison.name]
}

function objectOf({ field, relation, comparison, operand }: ResolvedCondition, context: SentenceContext): string {
  const { words, formats, titleOf } = context
  switch (comparison.operand) {
    case "days":
      return words.lastDays(Number(operand))
    case "date":
      return dayText(operand, formats)
    case "dates":
      return pairText(operand, (day) => dayText(day, formats), context)
    case "number":
      return numberText(operand, formats)
    case "numbers":
      return pairText(operand, (number) => numberText(number, formats), context)
    case "options":
      return listText(
        operand,
        (value) => field.options?.find((option) => option.value === value)?.label ?? value,
        context,
      )
    case "records": {
      const { targetCollection: collection, titleField } = relation ?? {}
      if (!collection || !titleField) return listText(operand, (id) => id, context)
      return listText(operand, (id) => titleOf({ collection, titleField, id }) ?? "…", context)
    }
    default:
      return String(operand)
  }
}

function listText(operand: unknown, nameOf: (value: string) => string, { words }: SentenceContext): string {
  const values = Array.isArray(operand) ? operand.map(String) : []
  const named = values.slice(0, MAX_NAMED).map(nameOf).join(words.and)
  const others = values.length - MAX_NAMED
  return others > 0 ? `${named} ${words.andMore(others)}` : named
}

function pairText(operand: unknown, textOf: (value: unknown) => string, { words }: SentenceContext): string {
  const [from, to] = Array.isArray(operand) ? operand : []
  return words.between(textOf(from), textOf(to))
}

function dayText(day: unknown, { day: format }: Formats): string {
  return format.format(new Date(`${String(day)}T00:00:00`))
}

function numberText(number: unknown, { number: format }: Formats): string {
  // A decimal is a text, which the format takes with all its digits.
  return format.format(number as Intl.StringNumericLiteral)
}
