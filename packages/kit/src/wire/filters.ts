/** A filter on text. `contains`, `startsWith` and `endsWith` ignore case; `%` and `_` are wildcards in the `like` family only. */
export type TextFilter = string | null | TextOperators

/** A filter on numbers and moments. */
export type OrderedFilter<Value> = Value | null | OrderedOperators<Value>

/** A filter on booleans and selects. */
export type ChoiceFilter<Value> = Value | null | EqualityOperators<Value>

export type IdFilter = ChoiceFilter<string>

export type JsonFilter = null | JsonOperators

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

// Bare text is left out: in a query string it cannot be told from the JSON text of another value.
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
