import type { FieldType, OperatorFamily } from "../../schema/compile/field-type.ts"
import { toJsonText } from "../../schema/fields/json.ts"
import { QUERY_LIMITS } from "../../wire/options/query-options.ts"
import type { Parameters } from "../text/fragment.ts"
import { PATH_OPERATORS, type PathOperand } from "../text/json-path.ts"
import { jsonListSql } from "../text/json-value.ts"
import { isInList } from "../text/list-sql.ts"
import { isBetween, isNoneOf, isOneOf, isOther, isSame, nullness, ordered } from "./compare-in-memory.ts"
import type { ItemFilter } from "./item-filter.ts"
import { everyItemSql, someItemSql } from "./item-sql.ts"
import { containsJson, hasJsonKey, isOtherJson, isSameJson, matchesJsonPath } from "./json-in-memory.ts"
import {
  containsAllItems,
  containsAllJsonItems,
  containsAnyItem,
  containsAnyJsonItem,
  containsItem,
  containsJsonItem,
  emptyList,
  hasLength,
  noItem,
} from "./list-in-memory.ts"
import { isLike, isLikeIgnoringCase, isNotLike, isNotLikeIgnoringCase } from "./match-in-memory.ts"
import type { Comparison, Operator } from "./operator.ts"

/** Returns the operators for a family of field types, by name. */
export function operatorsOf(family: OperatorFamily): ReadonlyMap<string, Operator> {
  return families[family]
}

const EQUALITY: readonly Operator[] = [
  { name: "eq", operand: "value", sql: (c) => `${c.column} = ${bind(c)}`, test: isSame },
  { name: "ne", operand: "value", sql: (c) => `${c.column} is distinct from ${bind(c)}`, test: isOther },
  { name: "in", operand: "list", sql: inListSql, test: isOneOf },
  { name: "notIn", operand: "list", sql: (c) => `(${inListSql(c)}) is not true`, test: isNoneOf },
]

const NULLNESS: readonly Operator[] = [
  { name: "isNull", operand: "flag", sql: (c) => nullSql(c, true), test: nullness(true) },
  { name: "isNotNull", operand: "flag", sql: (c) => nullSql(c, false), test: nullness(false) },
]

const ORDERING: readonly Operator[] = [
  { name: "gt", operand: "value", sql: (c) => `${c.column} > ${bind(c)}`, test: ordered((order) => order > 0) },
  { name: "gte", operand: "value", sql: (c) => `${c.column} >= ${bind(c)}`, test: ordered((order) => order >= 0) },
  { name: "lt", operand: "value", sql: (c) => `${c.column} < ${bind(c)}`, test: ordered((order) => order < 0) },
  { name: "lte", operand: "value", sql: (c) => `${c.column} <= ${bind(c)}`, test: ordered((order) => order <= 0) },
  { name: "between", operand: "pair", sql: (c) => `${c.column} between ${bindPair(c)}`, test: isBetween },
]

const MATCHING: readonly Operator[] = [
  { name: "like", operand: "pattern", sql: (c) => `${c.column} like ${bind(c)}`, test: isLike },
  { name: "ilike", operand: "pattern", sql: (c) => `${c.column} ilike ${bind(c)}`, test: isLikeIgnoringCase },
  { name: "notLike", operand: "pattern", sql: (c) => `(${c.column} like ${bind(c)}) is not true`, test: isNotLike },
  {
    name: "notIlike",
    operand: "pattern",
    sql: (c) => `(${c.column} ilike ${bind(c)}) is not true`,
    test: isNotLikeIgnoringCase,
  },
  { name: "contains", operand: "text", ...matching((literal) => `%${literal}%`) },
  { name: "startsWith", operand: "text", ...matching((literal) => `${literal}%`) },
  { name: "endsWith", operand: "text", ...matching((literal) => `%${literal}`) },
]

const JSON_SHAPE: readonly Operator[] = [
  { name: "eq", operand: "value", sql: (c) => `${c.column} = ${bind(c)}::jsonb`, test: isSameJson },
  { name: "ne", operand: "value", sql: (c) => `${c.column} is distinct from ${bind(c)}::jsonb`, test: isOtherJson },
  { name: "contains", operand: "value", sql: (c) => `${c.column} @> ${bind(c)}::jsonb`, test: containsJson },
  { name: "hasKey", operand: "text", sql: hasKeySql, test: hasJsonKey },
  { name: "path", operand: "path", sql: pathSql, test: matchesJsonPath },
]

// The operators for list fields. A null list counts as empty.
const ITEMS: readonly Operator[] = [
  { name: "contains", operand: "item", sql: (c) => `${c.column} @> ${bindItems(c, [c.operand])}`, test: containsItem },
  {
    name: "containsAll",
    operand: "items",
    sql: (c) => `${c.column} @> ${bindItems(c, c.operand)}`,
    test: containsAllItems,
  },
  {
    name: "containsAny",
    operand: "items",
    sql: (c) => `${c.column} && ${bindItems(c, c.operand)}`,
    test: containsAnyItem,
  },
  ...counting((column) => `cardinality(${column})`),
]

// The operators for lists of JSON objects. A list contains an item if one of the list's objects has at least the
// properties of the item.
const JSON_ITEMS: readonly Operator[] = [
  {
    name: "contains",
    operand: "item",
    sql: (c) => `${c.column} @> ${bindJson(c, [c.operand])}::jsonb`,
    test: containsJsonItem,
  },
  {
    name: "containsAll",
    operand: "items",
    sql: (c) => `${c.column} @> ${bindJson(c, c.operand)}::jsonb`,
    test: containsAllJsonItems,
  },
  {
    name: "containsAny",
    operand: "items",
    sql: (c) => `${c.column} @> any(${bindEachAsList(c)}::jsonb[])`,
    test: containsAnyJsonItem,
  },
  ...counting((column) => `jsonb_array_length(${column})`),
]

// The operators for lists of blocks. A filter on the items of a null list has no item to match.
const BLOCK_ITEMS: readonly Operator[] = [
  {
    name: "some",
    operand: "itemFilter",
    sql: (c) => someItemSql(c.column, filterOf(c), c.parameters),
    test: noItem("no"),
  },
  {
    name: "none",
    operand: "itemFilter",
    sql: (c) => `not ${someItemSql(c.column, filterOf(c), c.parameters)}`,
    test: noItem("yes"),
  },
  {
    name: "every",
    operand: "itemFilter",
    sql: (c) => everyItemSql(c.column, filterOf(c), c.parameters),
    test: noItem("yes"),
  },
  ...counting((column) => `jsonb_array_length(${jsonListSql(column)})`),
]

const families: Record<OperatorFamily, ReadonlyMap<string, Operator>> = {
  text: table(EQUALITY, NULLNESS, MATCHING),
  ordered: table(EQUALITY, NULLNESS, ORDERING),
  choice: table(EQUALITY, NULLNESS),
  id: table(EQUALITY, NULLNESS),
  json: table(JSON_SHAPE, NULLNESS),
  list: table(ITEMS, NULLNESS),
  jsonList: table(JSON_ITEMS, NULLNESS),
  blocks: table(BLOCK_ITEMS, NULLNESS),
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
  // The cast is safe: operands of the kinds "list" and "pair" are parsed as arrays.
  const values = operand as readonly unknown[]
  return `${parameters.add(type.toSql ? values.map((value) => type.toSql?.(value)) : values)}::${type.sqlType}[]`
}

function inListSql(comparison: Comparison): string {
  const items = (comparison.operand as readonly unknown[]).length
  return isInList({ column: comparison.column, list: bindList(comparison), items })
}

function bindPair(comparison: Comparison): string {
  const [low, high] = comparison.operand as readonly unknown[]
  return `${bind({ ...comparison, operand: low })} and ${bind({ ...comparison, operand: high })}`
}

function nullSql({ column, operand }: Comparison, flag: boolean): string {
  return operand === flag ? `${column} is null` : `${column} is not null`
}

function bindItems(comparison: Comparison, operand: unknown): string {
  const { element } = comparison.type
  if (element === undefined) throw new Error(`The type "${comparison.type.name}" is not a list type.`)
  return bindList({ ...comparison, type: element, operand })
}

function bindJson({ parameters }: Comparison, operand: unknown): string {
  return parameters.add(toJsonText(operand))
}

function bindEachAsList({ operand, parameters }: Comparison): string {
  // The cast is safe: operands of the kind "items" are parsed as arrays.
  return parameters.add((operand as readonly unknown[]).map((item) => toJsonText([item])))
}

// Returns the operators that look only at the number of items. A null list counts as empty.
function counting(lengthOf: (column: string) => string): readonly Operator[] {
  return [
    {
      name: "isEmpty",
      operand: "flag",
      sql: (c) => emptiness(lengthOf(c.column), c.operand === true),
      test: emptyList(true),
    },
    {
      name: "isNotEmpty",
      operand: "flag",
      sql: (c) => emptiness(lengthOf(c.column), c.operand === false),
      test: emptyList(false),
    },
    {
      name: "length",
      operand: "count",
      sql: (c) => `${lengthOf(c.column)} = ${c.parameters.add(c.operand)}`,
      test: hasLength,
    },
  ]
}

function filterOf({ operand }: Comparison): ItemFilter {
  // The cast is safe: operands of the kind "itemFilter" are parsed as an `ItemFilter`.
  return operand as ItemFilter
}

function emptiness(length: string, isEmpty: boolean): string {
  return `coalesce(${length}, 0) ${isEmpty ? "=" : ">"} 0`
}

function matching(pattern: (literal: string) => string): Pick<Operator, "sql" | "test"> {
  // The cast is safe: operands of the kind "text" are parsed as strings.
  const patternOf = (operand: unknown) => pattern(escapePattern(operand as string))
  return {
    sql: ({ column, operand, parameters }) => `${column} ilike ${parameters.add(patternOf(operand))}`,
    test: (comparison) => isLikeIgnoringCase({ ...comparison, operand: patternOf(comparison.operand) }),
  }
}

function hasKeySql({ column, operand, parameters }: Comparison): string {
  return `jsonb_exists(${column}, ${bind({ type: PLAIN_TEXT, operand, parameters })})`
}

/** Escapes `%`, `_` and the backslash, so that a `like` pattern matches these characters literally. */
function escapePattern(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&")
}

// Returns the SQL of a comparison inside a JSON value. If two values have different JSON types, a comparison by order,
// such as `gt`, is false. Without this rule, every number would be "greater" than every string.
function pathSql({ column, operand, parameters }: Comparison): string {
  // The cast is safe: operands of the kind "path" are parsed as a `PathOperand`.
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

/**
 * Returns the reason why a `like` pattern is invalid or would take too long to match, or undefined if the pattern is
 * valid.
 */
export function findPatternProblem(pattern: string): string | undefined {
  const { maxPatternLength, maxPatternWildcards } = QUERY_LIMITS
  if (pattern.length > maxPatternLength) return `A pattern has at most ${maxPatternLength} characters.`
  const wildcards = pattern.split("%").length - 1
  if (wildcards > maxPatternWildcards) return `A pattern has at most ${maxPatternWildcards} wildcards.`
  return /(?<!\\)(\\\\)*\\$/.test(pattern) ? "A pattern must not end with a single backslash." : undefined
}
