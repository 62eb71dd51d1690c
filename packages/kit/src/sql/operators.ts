import type { FieldType, OperatorFamily } from "../schema/field-type.ts"
import { QUERY_LIMITS } from "../wire/query-options.ts"
import type { Parameters } from "./fragment.ts"

/** What stands on the right of an operator. */
type OperandKind = "value" | "list" | "pair" | "flag" | "text" | "pattern" | "path" | "item" | "items" | "count"

/** A comparison as SQL writes it: the column and the operand, already checked. */
interface Comparison {
  readonly column: string
  readonly type: FieldType
  readonly operand: unknown
  readonly parameters: Parameters
}

export interface Operator {
  readonly name: string
  readonly operand: OperandKind
  sql(comparison: Comparison): string
}

/** The operators of a family of types, by name. */
export function operatorsOf(family: OperatorFamily): ReadonlyMap<string, Operator> {
  return families[family]
}

const EQUALITY: readonly Operator[] = [
  { name: "eq", operand: "value", sql: (c) => `${c.column} = ${bind(c)}` },
  { name: "ne", operand: "value", sql: (c) => `${c.column} is distinct from ${bind(c)}` },
  { name: "in", operand: "list", sql: (c) => `${c.column} = any(${bindList(c)})` },
  { name: "notIn", operand: "list", sql: (c) => `(${c.column} = any(${bindList(c)})) is not true` },
]

const NULLNESS: readonly Operator[] = [
  { name: "isNull", operand: "flag", sql: (c) => (c.operand ? `${c.column} is null` : `${c.column} is not null`) },
  { name: "isNotNull", operand: "flag", sql: (c) => (c.operand ? `${c.column} is not null` : `${c.column} is null`) },
]

const ORDERING: readonly Operator[] = [
  { name: "gt", operand: "value", sql: (c) => `${c.column} > ${bind(c)}` },
  { name: "gte", operand: "value", sql: (c) => `${c.column} >= ${bind(c)}` },
  { name: "lt", operand: "value", sql: (c) => `${c.column} < ${bind(c)}` },
  { name: "lte", operand: "value", sql: (c) => `${c.column} <= ${bind(c)}` },
  { name: "between", operand: "pair", sql: (c) => `${c.column} between ${bindPair(c)}` },
]

const MATCHING: readonly Operator[] = [
  { name: "like", operand: "pattern", sql: (c) => `${c.column} like ${bind(c)}` },
  { name: "ilike", operand: "pattern", sql: (c) => `${c.column} ilike ${bind(c)}` },
  { name: "notLike", operand: "pattern", sql: (c) => `(${c.column} like ${bind(c)}) is not true` },
  { name: "notIlike", operand: "pattern", sql: (c) => `(${c.column} ilike ${bind(c)}) is not true` },
  { name: "contains", operand: "text", sql: (c) => matches(c, (literal) => `%${literal}%`) },
  { name: "startsWith", operand: "text", sql: (c) => matches(c, (literal) => `${literal}%`) },
  { name: "endsWith", operand: "text", sql: (c) => matches(c, (literal) => `%${literal}`) },
]

const JSON_SHAPE: readonly Operator[] = [
  { name: "eq", operand: "value", sql: (c) => `${c.column} = ${bind(c)}::jsonb` },
  { name: "ne", operand: "value", sql: (c) => `${c.column} is distinct from ${bind(c)}::jsonb` },
  { name: "contains", operand: "value", sql: (c) => `${c.column} @> ${bind(c)}::jsonb` },
  { name: "hasKey", operand: "text", sql: (c) => `jsonb_exists(${c.column}, ${bind({ ...c, type: PLAIN_TEXT })})` },
  { name: "path", operand: "path", sql: pathSql },
]

// A record without a list has no items either.
const ITEMS: readonly Operator[] = [
  { name: "contains", operand: "item", sql: (c) => `${c.column} @> ${bindItems(c, [c.operand])}` },
  { name: "containsAll", operand: "items", sql: (c) => `${c.column} @> ${bindItems(c, c.operand)}` },
  { name: "containsAny", operand: "items", sql: (c) => `${c.column} && ${bindItems(c, c.operand)}` },
  { name: "isEmpty", operand: "flag", sql: (c) => emptiness(`cardinality(${c.column})`, c.operand === true) },
  { name: "isNotEmpty", operand: "flag", sql: (c) => emptiness(`cardinality(${c.column})`, c.operand === false) },
  { name: "length", operand: "count", sql: (c) => `cardinality(${c.column}) = ${c.parameters.add(c.operand)}` },
]

// An item is contained if the list has one with at least the parts that are given.
const JSON_ITEMS: readonly Operator[] = [
  { name: "contains", operand: "item", sql: (c) => `${c.column} @> ${bindJson(c, [c.operand])}::jsonb` },
  { name: "containsAll", operand: "items", sql: (c) => `${c.column} @> ${bindJson(c, c.operand)}::jsonb` },
  { name: "containsAny", operand: "items", sql: (c) => `${c.column} @> any(${bindEachAsList(c)}::jsonb[])` },
  { name: "isEmpty", operand: "flag", sql: (c) => emptiness(`jsonb_array_length(${c.column})`, c.operand === true) },
  {
    name: "isNotEmpty",
    operand: "flag",
    sql: (c) => emptiness(`jsonb_array_length(${c.column})`, c.operand === false),
  },
  { name: "length", operand: "count", sql: (c) => `jsonb_array_length(${c.column}) = ${c.parameters.add(c.operand)}` },
]

/** `{ at: "seo.title", eq: "Hello" }`: a comparison inside a JSON value. */
export interface PathOperand {
  readonly at: readonly string[]
  readonly comparisons: readonly { readonly operator: PathOperatorName; readonly value: unknown }[]
}

export const PATH_OPERATORS = { eq: "=", ne: "is distinct from", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const

export type PathOperatorName = keyof typeof PATH_OPERATORS

const families: Record<OperatorFamily, ReadonlyMap<string, Operator>> = {
  text: table(EQUALITY, NULLNESS, MATCHING),
  ordered: table(EQUALITY, NULLNESS, ORDERING),
  choice: table(EQUALITY, NULLNESS),
  id: table(EQUALITY, NULLNESS),
  json: table(JSON_SHAPE, NULLNESS),
  list: table(ITEMS, NULLNESS),
  jsonList: table(JSON_ITEMS, NULLNESS),
  none: table(),
}

function table(...groups: (readonly Operator[])[]): ReadonlyMap<string, Operator> {
  return new Map(groups.flat().map((operator) => [operator.name, Object.freeze(operator)]))
}

const PLAIN_TEXT: Pick<FieldType, "toSql"> = {}

function bind({
  type,
  operand,
  parameters,
}: {
  type: Pick<FieldType, "toSql">
  operand: unknown
  parameters: Parameters
}): string {
  return parameters.add(type.toSql ? type.toSql(operand) : operand)
}

function bindList({ type, operand, parameters }: Comparison): string {
  // The operand kinds "list" and "pair" are parsed as arrays.
  const values = operand as readonly unknown[]
  return `${parameters.add(type.toSql ? values.map((value) => type.toSql?.(value)) : values)}::${type.sqlType}[]`
}

function bindPair(comparison: Comparison): string {
  const [low, high] = comparison.operand as readonly unknown[]
  return `${bind({ ...comparison, operand: low })} and ${bind({ ...comparison, operand: high })}`
}

function bindItems(comparison: Comparison, operand: unknown): string {
  const { element } = comparison.type
  if (element === undefined) throw new Error(`The type "${comparison.type.name}" is no list.`)
  return bindList({ ...comparison, type: element, operand })
}

function bindJson({ parameters }: Comparison, operand: unknown): string {
  return parameters.add(JSON.stringify(operand))
}

function bindEachAsList({ operand, parameters }: Comparison): string {
  // The operand kind "items" is parsed as an array.
  return parameters.add((operand as readonly unknown[]).map((item) => JSON.stringify([item])))
}

function emptiness(length: string, isEmpty: boolean): string {
  return `coalesce(${length}, 0) ${isEmpty ? "=" : ">"} 0`
}

function matches(comparison: Comparison, pattern: (literal: string) => string): string {
  // The operand kind "text" is parsed as a string.
  const literal = escapePattern(comparison.operand as string)
  return `${comparison.column} ilike ${comparison.parameters.add(pattern(literal))}`
}

/** Makes `%`, `_` and the backslash of a text stand for themselves in a pattern. */
export function escapePattern(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&")
}

// Values of different JSON types never compare, or a number would be "less" than every text.
function pathSql({ column, operand, parameters }: Comparison): string {
  // The operand kind "path" is parsed into this form.
  const { at, comparisons } = operand as PathOperand
  const inner = `${column} #> ${parameters.add(at)}::text[]`
  const parts = comparisons.map(({ operator, value }) => {
    const bound = `${parameters.add(JSON.stringify(value))}::jsonb`
    const comparison = `(${inner}) ${PATH_OPERATORS[operator]} ${bound}`
    const isOrdering = operator !== "eq" && operator !== "ne"
    return isOrdering ? `(jsonb_typeof(${inner}) = jsonb_typeof(${bound}) and ${comparison})` : comparison
  })
  return parts.length === 1 ? (parts[0] ?? "true") : `(${parts.join(" and ")})`
}

/** Why a pattern would take too long to match, or undefined when it is fine. */
export function findPatternProblem(pattern: string): string | undefined {
  const { maxPatternLength, maxPatternWildcards } = QUERY_LIMITS
  if (pattern.length > maxPatternLength) return `A pattern has at most ${maxPatternLength} characters.`
  const wildcards = pattern.split("%").length - 1
  if (wildcards > maxPatternWildcards) return `A pattern has at most ${maxPatternWildcards} wildcards.`
  return /(?<!\\)(\\\\)*\\$/.test(pattern) ? "A pattern must not end with a single backslash." : undefined
}
