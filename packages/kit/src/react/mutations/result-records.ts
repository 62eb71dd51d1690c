import { isObject } from "../../wire/codecs/is-object.ts"
import type { Group } from "../../wire/results/results.ts"
import type { ResultFacts } from "../store/layer.ts"

export type RecordFields = Readonly<Record<string, unknown>>

type ChangeRecords = (records: readonly RecordFields[]) => readonly RecordFields[]

/** The lists of records in a page, or in a page of groups. */
interface Lists {
  readonly docs?: readonly RecordFields[]
  readonly groups?: readonly Group<RecordFields>[]
}

export function isRecord(data: unknown): data is RecordFields {
  return isObject(data) && !Array.isArray(data)
}

/** Returns the records that a result shows. */
export function recordsIn({ kind }: ResultFacts, data: unknown): readonly RecordFields[] {
  if (!isRecord(data) || kind === "total") return []
  if (kind !== "collection") return [data]
  const { docs, groups = [] }: Lists = data
  return docs ?? groups.flatMap((group) => group.docs)
}

/**
 * Returns the result with changed records, or the same value if `change` returns every list as it is. The record of a
 * result with one record is a list of one; without it, the result is null.
 */
export function changeRecords({ kind }: ResultFacts, data: unknown, change: ChangeRecords): unknown {
  if (!isRecord(data) || kind === "total") return data
  return kind === "collection" ? changeLists(data, change) : (change([data])[0] ?? null)
}

/** Returns the list with changed items, or the same list if no item is another one. */
export function mapped<Item>(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  const changed = items.map(change)
  return changed.some((item, index) => item !== items[index]) ? changed : items
}

function changeLists(page: RecordFields, change: ChangeRecords): RecordFields {
  const { docs, groups }: Lists = page
  if (docs) return replaced(page, "docs", change(docs))
  if (!groups) return page
  return replaced(
    page,
    "groups",
    mapped(groups, (group) => replaced(group, "docs", change(group.docs))),
  )
}

function replaced<Whole extends object, Name extends keyof Whole>(whole: Whole, name: Name, value: Whole[Name]): Whole {
  return whole[name] === value ? whole : { ...whole, [name]: value }
}
