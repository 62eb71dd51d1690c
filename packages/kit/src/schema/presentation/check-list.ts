import type { KnownLocales } from "../compile/locales.ts"
import { isSortable } from "../compile/resource.ts"
import { checkMembers, checkText, checkWord, isObject, unreadable } from "./check-text.ts"
import { Unreadable } from "./inert-copy.ts"
import type { NamedFields } from "./named-fields.ts"

const LIST_MEMBERS = ["columns", "orderBy", "filters", "views"]
const VIEW_MEMBERS = ["label", "where", "orderBy", "columns"]

const FILTERABLE = {
  test: ({ type }: { type: { operators: string } }) => type.operators !== "none",
  otherwise: "which is computed, so that no filter can use it. Remove it.",
}
const SORTABLE: Parameters<NamedFields["check"]>[1] = {
  test: isSortable,
  otherwise: "by which records cannot be sorted. Name another field.",
}

interface ListChecks {
  readonly fields: NamedFields
  readonly locales: KnownLocales
}

/** Returns the mistakes in the argument of `.list()`, except for those in the filters of its views. */
export function checkList(list: unknown, checks: ListChecks): string[] {
  if (list === undefined) return []
  if (list instanceof Unreadable) return [unreadable(".list()", list)]
  if (!isObject(list)) return ['.list() takes an object, such as .list({ columns: ["title"] }).']
  const { columns, orderBy, filters, views } = list
  return [
    ...checkMembers({ place: ".list()", value: list }, LIST_MEMBERS),
    ...checks.fields.checkList("columns of .list()", columns),
    ...checkOrder("orderBy of .list()", orderBy, checks),
    ...checks.fields.checkList("filters of .list()", filters, FILTERABLE),
    ...checkViews(views, checks),
  ]
}

function checkOrder(place: string, orderBy: unknown, { fields }: ListChecks): string[] {
  if (orderBy === undefined) return []
  if (!isObject(orderBy)) return [`${place} is not an object. Write one such as { createdAt: "desc" }.`]
  return Object.entries(orderBy).flatMap(([name, direction]) => [
    ...fields.check({ place, name }, SORTABLE),
    ...(direction === undefined ? [`${place} gives no direction for "${name}". Write "asc" or "desc".`] : []),
    ...checkWord({ place: `the direction of "${name}" in ${place}`, value: direction }, ["asc", "desc"]),
  ])
}

function checkViews(views: unknown, checks: ListChecks): string[] {
  if (views === undefined) return []
  if (!Array.isArray(views))
    return ['views of .list() is not a list. Write one such as [{ label: "Mine", where: { … } }].']
  return views.flatMap((view, index) => checkView(view, index, checks))
}

function checkView(view: unknown, index: number, checks: ListChecks): string[] {
  const place = viewPlace(view, index)
  if (!isObject(view)) return [`${place} is not an object. Write one such as { label: "Open", where: { … } }.`]
  const { label, orderBy, columns } = view
  return [
    ...checkMembers({ place, value: view }, VIEW_MEMBERS),
    ...(label === undefined ? [`${place} has no label. Write one, such as label: "Open".`] : []),
    ...checkText({ place: `the label of ${place}`, value: label }, checks.locales),
    ...checkOrder(`orderBy of ${place}`, orderBy, checks),
    ...checks.fields.checkList(`columns of ${place}`, columns),
  ]
}

/** Returns the phrase for a view in messages: by its label, if it has one that is a string. */
export function viewPlace(view: unknown, index: number): string {
  const label = isObject(view) ? view["label"] : undefined
  return typeof label === "string" && label !== "" ? `the view "${label}" of .list()` : `view ${index + 1} of .list()`
}
