import type { FieldSchema, RelationSchema } from "kit/client"

/** The kind of the value with which a field is compared: what the editor of the value has to offer. */
export type Operand =
  | "none"
  | "text"
  | "number"
  | "numbers"
  | "date"
  | "dates"
  | "days"
  | "options"
  | "records"
  | "item"

/** A way to compare a field, as people say it. */
export interface Comparison {
  /** The name in the address, and of its words. */
  readonly name: ComparisonName
  readonly operand: Operand
  /** The operator of the API that the field has to have. */
  readonly needs: string
  /** Returns the condition on the field. */
  readonly where: (operand: never) => unknown
}

export type ComparisonName =
  | "is"
  | "isNot"
  | "isAnyOf"
  | "isNoneOf"
  | "contains"
  | "startsWith"
  | "endsWith"
  | "isEmpty"
  | "isNotEmpty"
  | "isYes"
  | "isNo"
  | "above"
  | "atLeast"
  | "below"
  | "atMost"
  | "between"
  | "inTheLast"
  | "before"
  | "after"
  | "onDay"
  | "includesAnyOf"
  | "includesNoneOf"
  | "includesAllOf"
  | "includes"
  | "includesSome"
  | "includesNone"

const EMPTY: readonly Comparison[] = [
  { name: "isEmpty", operand: "none", needs: "isNull", where: () => ({ isNull: true }) },
  { name: "isNotEmpty", operand: "none", needs: "isNotNull", where: () => ({ isNotNull: true }) },
]

const TEXT: readonly Comparison[] = [
  { name: "contains", operand: "text", needs: "contains", where: (text: string) => ({ contains: text }) },
  { name: "is", operand: "text", needs: "eq", where: (text: string) => ({ eq: text }) },
  { name: "isNot", operand: "text", needs: "ne", where: (text: string) => ({ ne: text }) },
  { name: "startsWith", operand: "text", needs: "startsWith", where: (text: string) => ({ startsWith: text }) },
  { name: "endsWith", operand: "text", needs: "endsWith", where: (text: string) => ({ endsWith: text }) },
  ...EMPTY,
]

type Amount = number | string

const NUMBER: readonly Comparison[] = [
  { name: "is", operand: "number", needs: "eq", where: (number: Amount) => ({ eq: number }) },
  { name: "isNot", operand: "number", needs: "ne", where: (number: Amount) => ({ ne: number }) },
  { name: "above", operand: "number", needs: "gt", where: (number: Amount) => ({ gt: number }) },
  { name: "atLeast", operand: "number", needs: "gte", where: (number: Amount) => ({ gte: number }) },
  { name: "below", operand: "number", needs: "lt", where: (number: Amount) => ({ lt: number }) },
  { name: "atMost", operand: "number", needs: "lte", where: (number: Amount) => ({ lte: number }) },
  { name: "between", operand: "numbers", needs: "between", where: (ends: readonly Amount[]) => ({ between: ends }) },
  ...EMPTY,
]

const BOOLEAN: readonly Comparison[] = [
  { name: "isYes", operand: "none", needs: "eq", where: () => ({ eq: true }) },
  { name: "isNo", operand: "none", needs: "eq", where: () => ({ eq: false }) },
  ...EMPTY,
]

const CHOICE: readonly Comparison[] = [
  { name: "isAnyOf", operand: "options", needs: "in", where: (values: readonly string[]) => ({ in: values }) },
  { name: "isNoneOf", operand: "options", needs: "notIn", where: (values: readonly string[]) => ({ notIn: values }) },
  ...EMPTY,
]

const DAY_MS = 86_400_000

const DATETIME: readonly Comparison[] = [
  {
    name: "inTheLast",
    operand: "days",
    needs: "gte",
    // The beginning of a day, so that the filter and its topic stay the same until tomorrow.
    where: (days: number) => ({ gte: startOfDay(new Date(Date.now() - days * DAY_MS)) }),
  },
  {
    name: "onDay",
    operand: "date",
    needs: "between",
    where: (day: string) => ({ between: [dayStart(day), dayEnd(day)] }),
  },
  { name: "before", operand: "date", needs: "lt", where: (day: string) => ({ lt: dayStart(day) }) },
  { name: "after", operand: "date", needs: "gt", where: (day: string) => ({ gt: dayEnd(day) }) },
  {
    name: "between",
    operand: "dates",
    needs: "between",
    where: ([from, to]: readonly [string, string]) => ({ between: [dayStart(from), dayEnd(to)] }),
  },
  ...EMPTY,
]

const DATE: readonly Comparison[] = [
  { name: "is", operand: "date", needs: "eq", where: (day: string) => ({ eq: day }) },
  { name: "before", operand: "date", needs: "lt", where: (day: string) => ({ lt: day }) },
  { name: "after", operand: "date", needs: "gt", where: (day: string) => ({ gt: day }) },
  { name: "between", operand: "dates", needs: "between", where: (days: readonly string[]) => ({ between: days }) },
  ...EMPTY,
]

const LIST: readonly Comparison[] = [
  { name: "includes", operand: "item", needs: "contains", where: (item: unknown) => ({ contains: item }) },
  { name: "isEmpty", operand: "none", needs: "isEmpty", where: () => ({ isEmpty: true }) },
  { name: "isNotEmpty", operand: "none", needs: "isNotEmpty", where: () => ({ isNotEmpty: true }) },
]

const OPTIONS_LIST: readonly Comparison[] = [
  {
    name: "includesAnyOf",
    operand: "options",
    needs: "containsAny",
    where: (values: readonly string[]) => ({ containsAny: values }),
  },
  {
    name: "includesAllOf",
    operand: "options",
    needs: "containsAll",
    where: (values: readonly string[]) => ({ containsAll: values }),
  },
  ...LIST.slice(1),
]

const TO_ONE: readonly Comparison[] = [
  { name: "isAnyOf", operand: "records", needs: "in", where: (ids: readonly string[]) => ({ in: ids }) },
  { name: "isNoneOf", operand: "records", needs: "notIn", where: (ids: readonly string[]) => ({ notIn: ids }) },
  ...EMPTY,
]

const TO_MANY: readonly Comparison[] = [
  {
    name: "includesAnyOf",
    operand: "records",
    needs: "some",
    where: (ids: readonly string[]) => ({ some: { id: { in: ids } } }),
  },
  {
    name: "includesNoneOf",
    operand: "records",
    needs: "none",
    where: (ids: readonly string[]) => ({ none: { id: { in: ids } } }),
  },
  { name: "includesNone", operand: "none", needs: "none", where: () => ({ none: {} }) },
  { name: "includesSome", operand: "none", needs: "some", where: () => ({ some: {} }) },
]

const BY_TYPE: Readonly<Record<string, readonly Comparison[]>> = {
  text: TEXT,
  textarea: TEXT,
  email: TEXT,
  url: TEXT,
  id: TEXT.filter(({ name }) => name === "is" || name === "isNot"),
  number: NUMBER,
  boolean: BOOLEAN,
  select: CHOICE,
  visibility: CHOICE,
  datetime: DATETIME,
  date: DATE,
  time: TEXT.filter(({ name }) => name === "is" || name === "isNot"),
  multiple: OPTIONS_LIST,
  array: LIST,
  blocks: LIST.slice(1),
  json: EMPTY,
  object: EMPTY,
  richText: EMPTY,
}

/** Returns the ways in which a field can be compared, which are those of its type that its description allows. */
export function comparisonsOf(field: FieldSchema, relation: RelationSchema | undefined): readonly Comparison[] {
  const { operators } = field
  const possible = relation ? (relation.type === "belongsTo" ? TO_ONE : TO_MANY) : ownComparisons(field)
  return possible.filter(({ needs }) => operators.includes(needs))
}

// The items of a list of objects have no editor of one line.
function ownComparisons(field: FieldSchema): readonly Comparison[] {
  const comparisons = BY_TYPE[field.valueType ?? field.type] ?? []
  const isPlainList =
    field.items === undefined || ["text", "email", "url", "number", "select"].includes(field.items.type)
  return isPlainList ? comparisons : comparisons.filter(({ operand }) => operand !== "item")
}

function startOfDay(moment: Date): string {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).toISOString()
}

function dayStart(day: string): string {
  return startOfDay(new Date(`${day}T00:00:00`))
}

function dayEnd(day: string): string {
  const start = new Date(`${day}T00:00:00`)
  // Not every day has 24 hours.
  return new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1, 0, 0, 0, -1).toISOString()
}
