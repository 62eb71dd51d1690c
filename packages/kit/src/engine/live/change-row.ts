import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import type { CommittedChange } from "../../sql/changes/read-changes.ts"
import type { RecordData } from "../../wire/results/operations.ts"

const knownRows = new WeakMap<CommittedChange, readonly RecordData[]>()

/**
 * Returns the changed row as it was before and after the change, for `matchesInMemory`. Returns undefined if the change
 * stores neither.
 */
export function rowsOfChange(resource: Resource, change: CommittedChange): readonly RecordData[] | undefined {
  if (change.before === null && change.after === null) return undefined
  const rows = knownRows.get(change) ?? readRows(resource, change)
  knownRows.set(change, rows)
  return rows
}

function readRows(resource: Resource, { before, after }: CommittedChange): readonly RecordData[] {
  const rows: RecordData[] = []
  if (after !== null) rows.push(rowOf(resource, after))
  // `before` holds only the values that the change replaced. All other values are in `after`.
  if (before !== null) rows.push(rowOf(resource, { ...after, ...before }))
  return rows
}

function rowOf(resource: Resource, image: Readonly<Record<string, unknown>>): RecordData {
  const row: Record<string, unknown> = {}
  for (const [name, json] of Object.entries(image)) {
    const field = resource.fields.get(name)
    if (field) row[name] = valueIn(field, json)
  }
  return row
}

// Returns the field's value from its JSON. Returns undefined if JSON cannot represent the value exactly.
function valueIn({ type, localized }: ResourceField, json: unknown): unknown {
  if (json === null) return null
  if (localized) return localizedValue(type.fromJson, json)
  const isExactNumber = /^(bigint|numeric)\b/.test(type.sqlType)
  if (isExactNumber && !(type.sqlType === "bigint" && Number.isSafeInteger(json))) return undefined
  return type.fromJson ? type.fromJson(json) : json
}

function localizedValue(fromJson: ((json: unknown) => unknown) | undefined, json: unknown): unknown {
  if (fromJson === undefined) return json
  // The cast is safe: the column of a localized field holds an object with one JSON value per locale.
  const entries = Object.entries(json as object)
  return Object.fromEntries(entries.map(([locale, value]) => [locale, value === null ? null : fromJson(value)]))
}
