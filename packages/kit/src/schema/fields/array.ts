import type { FieldLimits } from "../../wire/results/introspection.ts"
import type { JsonSchema } from "../../wire/results/json-schema.ts"
import { Field } from "../builders/field.ts"
import {
  combinePartProblems,
  type FieldType,
  type IdTypeOf,
  isProblem,
  type OperatorFamily,
  type Parsed,
  type PartCheck,
  type PartProblem,
  type Problem,
  problemsAt,
  type ValueSource,
} from "../compile/field-type.ts"
import { jsonType, parseJsonText, toJsonText } from "./json.ts"
import { referencesOfItems } from "./members/part-references.ts"
import { compilePart, findPartMistakes, partPresentation } from "./part.ts"

interface ArrayRules extends ListRules {
  readonly element: Field
}

interface ListRules extends ItemCounts {
  readonly isDistinct?: boolean
}

/** The maximum number of problems that a response reports for one list. Further problems are left out. */
export const MAX_PROBLEMS = 100

// The operators of element types whose lists are stored as JSON.
const JSON_ELEMENTS: readonly OperatorFamily[] = ["json", "list", "jsonList", "blocks"]

/** A field whose value is a list. All items of the list have one type. */
export class ArrayField<Value = unknown> extends Field<readonly Value[], ArrayRules> {
  /** Requires at least this many items in the list. */
  min(items: number): this {
    return this.withRules({ min: items })
  }

  /** Allows at most this many items in the list. */
  max(items: number): this {
    return this.withRules({ max: items })
  }

  override compile(idTypeOf?: IdTypeOf): FieldType {
    const { element, ...rules } = this.rules
    // If the element is not a field, the check of the app's definition reports it before this compiled type is used.
    const isField = element instanceof Field
    const validations = isField ? element.traits.validations : []
    const list = listType(isField ? compilePart(element, idTypeOf) : jsonType, rules)
    const own = (value: unknown, index: number): PartCheck[] =>
      validations.map((validation) => ({ path: String(index), value, validation }))
    // The cast is safe: the function is called only with a list that this type has parsed.
    const ownChecks = (value: unknown) => (value as readonly unknown[]).flatMap(own)
    const presentation = isField && { elementPresentation: partPresentation(element) }
    return {
      ...list,
      ...presentation,
      checkParts: (value) => [...ownChecks(value), ...(list.checkParts?.(value) ?? [])],
    }
  }

  override mistakes(): readonly string[] {
    const { element, ...rules } = this.rules
    const mistakes = [...findPartMistakes("its items", element)]
    if (element instanceof Field && element.traits.default !== undefined)
      mistakes.push("gives its items a default, which is never used. Give the list a default instead.")
    if (element instanceof Field && element.traits.visible !== undefined)
      mistakes.push(
        "has .visible() on its items, beside which there are no other values. Use it on the list, or on the parts of an object.",
      )
    return [...mistakes, ...findCountMistakes(rules)]
  }
}

/** The limits on the number of items in a list. */
export interface ItemCounts {
  readonly min?: number
  readonly max?: number
}

/** Returns the mistakes in the limits on the number of items. */
export function findCountMistakes({ min, max }: ItemCounts): readonly string[] {
  const given = Object.entries({ min, max })
  const bad = given.filter(([, items]) => items !== undefined && !(Number.isInteger(items) && items >= 0))
  const mistakes = bad.map(([name, items]) => `${name}(${items}) is not a number of items. Give a whole number.`)
  const isCrossed = min !== undefined && max !== undefined && min > max
  return isCrossed ? [...mistakes, `min(${min}) is above max(${max}). Swap them.`] : mistakes
}

/** Returns the type of a list field: a PostgreSQL array if PostgreSQL can compare the elements, otherwise JSON. */
export function listType(element: FieldType, rules: ListRules): FieldType {
  const isJson = JSON_ELEMENTS.includes(element.operators)
  const { toSql, fromJson, checkParts, withIds } = element
  const parse = (value: unknown, source?: ValueSource): Parsed => parseList({ element, rules }, value, source)
  return {
    name: "array",
    sqlType: isJson ? "jsonb" : `${element.sqlType}[]`,
    operators: isJson ? "jsonList" : "list",
    typescript: {
      output: `${inBrackets(element.typescript.output)}[]`,
      input: `readonly ${inBrackets(element.typescript.input)}[]`,
    },
    jsonSchema: Object.freeze({
      input: Object.freeze({ type: "array", items: element.jsonSchema.input, ...itemKeywords(rules) }),
      output: Object.freeze({ type: "array", items: element.jsonSchema.output }),
    }),
    limits: Object.freeze(itemLimits(rules)),
    extendedParts: extendedItems(element),
    hasUnlistedParts: element.hasUnlistedParts === true,
    element,
    ...referencesOfItems(element),
    parse,
    // A filter may name everything that can be stored.
    parseOperand: (value) => parse(value, "stored"),
    // Parses an inner list of a list of lists, which is written as JSON in a query string.
    parseText: (text) => {
      const json = parseJsonText(text)
      return isProblem(json) ? json : parse(json.value, "stored")
    },
    // The casts below are safe: these functions are called only with lists that `parse` has returned.
    ...(isJson && { toSql: toJsonText }),
    ...(!isJson && toSql && { toSql: (value) => (value as readonly unknown[]).map((item) => toSql(item)) }),
    ...(fromJson && {
      // A part of an object or of a block may be left from an earlier declaration that was no list.
      fromJson: (json) => (Array.isArray(json) ? json.map((item) => (item === null ? null : fromJson(item))) : json),
    }),
    ...(withIds && {
      withIds: (value, newId) => (value as readonly unknown[]).map((item) => withIds(item, newId)),
    }),
    ...(checkParts && {
      checkParts: (value) =>
        (value as readonly unknown[]).flatMap((item, index) =>
          checkParts(item).map((check) => ({ ...check, path: `${index}.${check.path}` })),
        ),
    }),
  }
}

/** Returns the limits on the number of items, as a form and a JSON Schema have them. */
export function itemLimits({ min, max }: ItemCounts): FieldLimits {
  return { ...(min !== undefined && { minItems: min }), ...(max !== undefined && { maxItems: max }) }
}

function itemKeywords(rules: ListRules): JsonSchema {
  return { ...itemLimits(rules), ...(rules.isDistinct && { uniqueItems: true }) }
}

// Puts compound types in parentheses. Without them, a following [] would apply only to the last type in a union.
function inBrackets(type: string): string {
  return /^(\w+|\{.*\})$/.test(type) ? type : `(${type})`
}

function extendedItems({ extended, extendedParts }: FieldType): NonNullable<FieldType["extendedParts"]> {
  if (extended) return { "*": extended }
  return Object.fromEntries(Object.entries(extendedParts ?? {}).map(([path, tag]) => [`*.${path}`, tag]))
}

interface ListParts {
  readonly element: FieldType
  readonly rules: ListRules
}

function parseList({ element, rules }: ListParts, value: unknown, source: ValueSource | undefined): Parsed {
  const list = parseItems(value, rules, (item) => element.parse(item, source))
  if (isProblem(list)) return list
  return rules.isDistinct && new Set(list.value).size < list.value.length
    ? { problem: "Must not have an item twice." }
    : list
}

/** Parses a list with a function for its items. */
export function parseItems(
  value: unknown,
  { min, max }: ItemCounts,
  parseItem: (item: unknown) => Parsed,
): { readonly value: readonly unknown[] } | Problem {
  if (!Array.isArray(value)) return { problem: "Expected a list." }
  if (min !== undefined && value.length < min) return { problem: `Must have at least ${min} items.` }
  if (max !== undefined && value.length > max) return { problem: `Must have at most ${max} items.` }
  const items: unknown[] = []
  const problems: PartProblem[] = []
  for (const [index, item] of value.entries()) {
    const parsed = parseItem(item)
    if (!isProblem(parsed)) items.push(parsed.value)
    else problems.push(...problemsAt(String(index), parsed))
    if (problems.length >= MAX_PROBLEMS) break
  }
  const [first, ...others] = problems
  return first ? combinePartProblems([first, ...others]) : { value: items }
}
