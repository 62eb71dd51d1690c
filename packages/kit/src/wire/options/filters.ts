/**
 * A filter on text. `contains`, `startsWith` and `endsWith` ignore case. `%` and `_` are wildcards only in `like`,
 * `ilike`, `notLike` and `notIlike`.
 */
export type TextFilter = string | null | TextOperators

/** A filter on numbers, dates and times. */
export type OrderedFilter<Value> = Value | null | OrderedOperators<Value>

/** A filter on boolean fields and select fields. */
export type ChoiceFilter<Value> = Value | null | EqualityOperators<Value>

export type IdFilter = ChoiceFilter<string>

export type JsonFilter = null | JsonOperators

/** A filter on a list field: on the items that the list contains, or on their number. */
export type ListFilter<Item> = null | ListOperators<Item>

/**
 * A filter on a list field whose items are objects. An object in the filter matches every item that has at least the
 * same members.
 */
export type JsonListFilter = ListFilter<JsonOperand>

/**
 * A filter on a list of blocks: on its items, or on their number. `Item` is a filter on one item. A filter with
 * conditions on the members of a block names the block: `{ some: { type: "quote", text: { contains: "x" } } }`.
 */
export type BlocksFilter<Item> = null | BlocksOperators<Item>

/** A filter on an item of a list of blocks that names no block. */
export interface AnyBlockFilter<Type, Item> {
  type?: BlockTypeOperators<Type>
  AND?: readonly Item[]
  OR?: readonly Item[]
  NOT?: Item
}

/** A filter on an item of a list of blocks whose members the types do not have. */
export interface LooseBlockFilter {
  readonly [condition: string]: unknown
}

/**
 * A filter on a relation to one record: the record's id, a filter on the record, or `is` and `isNot` with such a
 * filter.
 */
export type RelationFilter<Where> = string | null | RelationOperators<Where> | Where

/** A filter on a relation to many records. A filter without `some`, `none` or `every` means `some`. */
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

/** The operators for equality. `ne` and `notIn` also match records whose value is null. */
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
  /** True matches an empty list, and also null. */
  isEmpty?: boolean
  isNotEmpty?: boolean
  length?: number
  // Rejects strings and arrays, which would otherwise be accepted as filters because they have a `length` too.
  [Symbol.iterator]?: never
}

interface BlocksOperators<Item> extends NullOperators {
  some?: Item
  none?: Item
  every?: Item
  /** True matches an empty list, and also null. */
  isEmpty?: boolean
  isNotEmpty?: boolean
  length?: number
  // Rejects strings and arrays, which would otherwise be accepted as filters because they have a `length` too.
  [Symbol.iterator]?: never
}

interface BlockTypeOperators<Type> {
  eq?: Type
  ne?: Type
  in?: readonly Type[]
  notIn?: readonly Type[]
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
  /** A comparison of a value inside the JSON value: `{ at: "seo.title", eq: "Hello" }`. */
  path?: JsonPathFilter
}

// A JSON value to compare with. Strings are excluded: in a query string, a string cannot be distinguished from the JSON
// text of another value.
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
