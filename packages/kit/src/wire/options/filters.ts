/** A filter on text. `contains`, `startsWith` and `endsWith` ignore case; `%` and `_` are wildcards in the `like` family only. */
export type TextFilter = string | null | TextOperators

/** A filter on numbers, dates and times. */
export type OrderedFilter<Value> = Value | null | OrderedOperators<Value>

/** A filter on booleans and selects. */
export type ChoiceFilter<Value> = Value | null | EqualityOperators<Value>

export type IdFilter = ChoiceFilter<string>

export type JsonFilter = null | JsonOperators

/** A filter on a list of values: what it contains, and how many. */
export type ListFilter<Item> = null | ListOperators<Item>

/** A filter on a list of objects; an object in the filter matches an item that has at least its members. */
export type JsonListFilter = ListFilter<JsonOperand>

/** A filter on a relation: the id of its target, conditions on the target, or `is` and `isNot` with conditions. */
export type RelationFilter<Where> = string | null | RelationOperators<Where> | Where

/** A filter on a relation to many records; conditions without an operator stand for `some`. */
export type ManyFilter<Where> = ManyOperators<Where> | Where

interface ManyOperators<Where> {
  some?: Where
  none?: Where
  every?: Where
}

interface NullOperators {
  isNull?: boolean
  isNotNull?: boolean
}

/** `ne` and `notIn` also match records whose value is null. */
interface EqualityOperators<Value> extends NullOperators {
  eq?: Value | null
  ne?: Value | null
  in?: readonly Value[]
  notIn?: readonly Value[]
}

interface TextOperators extends EqualityOperators<string> {
  like?: string
  ilike?: string
  notLike?: string
  notIlike?: string
  contains?: string
  startsWith?: string
  endsWith?: string
}

interface OrderedOperators<Value> extends EqualityOperators<Value> {
  gt?: Value
  gte?: Value
  lt?: Value
  lte?: Value
  between?: readonly [from: Value, to: Value]
}

interface ListOperators<Item> extends NullOperators {
  contains?: Item
  containsAll?: readonly Item[]
  containsAny?: readonly Item[]
  /** Matches a list without items, or no value at all. */
  isEmpty?: boolean
  isNotEmpty?: boolean
  length?: number
  // Rejects strings and arrays: they have a length too, but are not filters.
  [Symbol.iterator]?: never
}

interface RelationOperators<Where> extends EqualityOperators<string> {
  is?: Where | null
  isNot?: Where | null
}

interface JsonOperators extends NullOperators {
  eq?: JsonOperand | null
  ne?: JsonOperand | null
  contains?: JsonOperand
  hasKey?: string
  /** A comparison inside the value: `{ at: "seo.title", eq: "Hello" }`. */
  path?: JsonPathFilter
}

// Excludes strings: in a query string, a string looks the same as the JSON text of another value.
type JsonOperand = object | number | boolean

interface JsonPathFilter {
  at: string | readonly string[]
  eq?: unknown
  ne?: unknown
  gt?: string | number
  gte?: string | number
  lt?: string | number
  lte?: string | number
}
