import { quoteText } from "../text/literal.ts"
import { quoteAny } from "./ddl.ts"
import type { ColumnSnapshot } from "./snapshot.ts"

/** The values that replace options that a field no longer has. Null empties the field, or removes a list's element. */
export type ReplacedOptions = Readonly<Record<string, string | null>>

// The maximum number of different values that a message names.
const MAX_VALUES = 10

/** Returns the SQL condition that a row holds a value that is not one of the options. */
export function hasOtherValue(column: ColumnSnapshot, options: readonly string[]): string {
  return hasValue(column, isNoneOf(options))
}

/**
 * Returns the SQL of a sentence about the values that are not among the options, with the number of times that each
 * occurs; null if there are none.
 */
export function describeOtherValues(table: string, column: ColumnSnapshot, options: readonly string[]): string {
  const values = `${quoteAny(table)} cross join lateral (${valuesIn(column)}) _value(value)`
  const counts = `select value, count(*) as count from ${values} where ${isNoneOf(options)} group by value order by 2 desc, 1 limit ${MAX_VALUES}`
  const list = `string_agg(format('"%s" (%s×)', value, count), ', ' order by count desc, value)`
  return `select format('They hold %s.', ${list}) from (${counts}) _left having count(*) > 0`
}

/** Returns the SQL that replaces options in a table. */
export function replaceOptions(table: string, column: ColumnSnapshot, replaced: ReplacedOptions): string {
  const isOld = `value in (${Object.keys(replaced).map(quoteText).join(", ")})`
  const name = quoteAny(column.name)
  return `update ${quoteAny(table)} set ${name} = ${replacedColumn(name, column, replaced)} where ${hasValue(column, isOld)}`
}

/** Returns the SQL of a JSON value of the column's field in which options are replaced. */
export function replacedJson(json: string, column: ColumnSnapshot, replaced: ReplacedOptions): string {
  const replacedIn = (value: string) =>
    isList(column) ? replacedList(value, replaced) : `to_jsonb(${replacedText(`${value} #>> '{}'`, replaced)})`
  if (!column.localized) return replacedIn(json)
  const locales = `select locale, ${replacedIn("json")} as json from jsonb_each(${json}) _locale(locale, json)`
  return `(select coalesce(jsonb_object_agg(locale, json) filter (where json is not null), '{}'::jsonb) from (${locales}) _replaced)`
}

function replacedColumn(name: string, column: ColumnSnapshot, replaced: ReplacedOptions): string {
  if (column.localized) return `nullif(${replacedJson(name, column, replaced)}, '{}'::jsonb)`
  if (!isList(column)) return replacedText(name, replaced)
  return `array(select jsonb_array_elements_text(${replacedJson(`to_jsonb(${name})`, column, replaced)}))`
}

// Returns the SQL of a JSON list in which options are replaced. An option that occurs more than once afterwards stays in
// its first place.
function replacedList(list: string, replaced: ReplacedOptions): string {
  const items = `jsonb_array_elements_text(${list}) with ordinality _item(item, place)`
  const first = `select ${replacedText("item", replaced)} as item, min(place) as place from ${items} group by 1`
  return `(select coalesce(jsonb_agg(item order by place), '[]'::jsonb) from (${first}) _items where item is not null)`
}

function replacedText(text: string, replaced: ReplacedOptions): string {
  const cases = Object.entries(replaced).map(
    ([old, option]) => `when ${quoteText(old)} then ${option === null ? "null" : quoteText(option)}`,
  )
  return `case ${text} ${cases.join(" ")} else ${text} end`
}

function hasValue(column: ColumnSnapshot, condition: string): string {
  return `exists (select from (${valuesIn(column)}) _value(value) where ${condition})`
}

// Returns the SQL that selects the single options in a row: one per locale if the column is localized, and each element
// of a list.
function valuesIn(column: ColumnSnapshot): string {
  const name = quoteAny(column.name)
  if (!column.localized) return isList(column) ? `select unnest(${name})` : `select ${name}::text`
  if (!isList(column)) return `select value from jsonb_each_text(${name})`
  return `select item from jsonb_each(${name}) _locale cross join jsonb_array_elements_text(_locale.value) _item(item)`
}

function isNoneOf(options: readonly string[]): string {
  return `value <> all (array[${options.map(quoteText).join(", ")}])`
}

function isList({ type, localized }: ColumnSnapshot): boolean {
  return (localized?.type ?? type).endsWith("[]")
}
