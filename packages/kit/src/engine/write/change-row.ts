import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import type { CommittedChange } from "../../sql/changes/read-changes.ts"
import type { RecordData } from "../../wire/results/operations.ts"

const knownRows = new WeakMap<CommittedChange, readonly RecordData[]>()

/** Returns the row of a change before and after it, for `matchesInMemory`; undefined if the change stores neither. */
export function rowsOfChange(resource: Resource, change: CommittedChange): readonly RecordData[] | undefined {
  if (change.before === null && change.after === null) return undefined
  const rows = knownRows.get(change) ?? readRows(resource, change)
  knownRows.set(change, rows)
  return rows
}

function readRows(resource: Resource, { before, after }: CommittedChange): readonly RecordData[] {
  const rows: RecordData[] = []
  if (after !== null) rows.push(rowOf(resource, after))
  // `before` has only the values that changed; the others are in `after`.
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

// Returns undefined for a value that JSON does not represent exactly.
function valueIn({ type, localized }: ResourceField, json: unknown): unknown {
  if (json === null) return null
  if (localized) return localizedValue(type.fromJson, json)
  const isExactNumber = /^(bigint|numeric)\b/.test(type.sqlType)
  if (isExactNumber && !(type.sqlType === "bigint" && Number.isSafeInteger(json))) return undefined
  return type.fromJson ? type.fromJson(json) : json
}

function localizedValue(fromJson: ((json: unknown) => unknown) | undefined, json: unknown): unknown {
  if (fromJson === undefined) return json
  // The column holds an object with a JSON value per locale.
  const entries = Object.entries(json as object)
  return Object.fromEntries(entries.map(([locale, value]) => [locale, value === null ? null : fromJson(value)]))
}
