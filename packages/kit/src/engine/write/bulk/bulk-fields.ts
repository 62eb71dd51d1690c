import type { Resource } from "../../../schema/compile/resource.ts"
import type { Predicate } from "../../../sql/filter/predicate.ts"
import { predicateKey } from "../../../sql/write/write-many.ts"
import { type FieldCondition, refusedField } from "../../access/field-rights.ts"
import { prefixErrorPaths } from "../../context/error-path.ts"
import type { WriteContext } from "../../context/hook-context.ts"
import { matchingIds } from "./bulk-rows.ts"

/** A row of a bulk write, with those input fields whose rules depend on the row. */
interface RuledRow {
  readonly id: string
  readonly fields: readonly FieldCondition[]
  /** The JSON path of the row's data in the request body, if the body has data for several rows. */
  readonly path?: string | undefined
}

/** Throws if a field rule does not allow the caller to write an input field in one of the rows. */
export async function checkFieldsOfRows(
  ctx: WriteContext,
  { resource, rows }: { resource: Resource; rows: readonly RuledRow[] },
  what: string,
): Promise<void> {
  for (const { field, predicate, rows: rowsOfRule } of byRuledField(rows)) {
    const ids = rowsOfRule.map(({ id }) => id)
    const allowed = new Set(await matchingIds(ctx, { resource, ids }, predicate))
    const refused = rowsOfRule.find(({ id }) => !allowed.has(id))
    if (refused === undefined) continue
    const refusal = refusedField(field, what)
    throw refused.path === undefined ? refusal : prefixErrorPaths(refused.path, refusal)
  }
}

// Groups the rows by field and filter. A field rule is evaluated for each row, but mostly returns the same filter for
// all rows. Rows with equal filters share one statement.
function byRuledField(rows: readonly RuledRow[]): Iterable<FieldCondition & { readonly rows: readonly RuledRow[] }> {
  const groups = new Map<string, FieldCondition & { rows: RuledRow[] }>()
  const keys = new Map<Predicate, string>()
  for (const row of rows) {
    for (const { field, predicate } of row.fields) {
      const filterKey = keys.get(predicate) ?? predicateKey(predicate)
      keys.set(predicate, filterKey)
      const key = `${field.name} ${filterKey}`
      const group = groups.get(key) ?? { field, predicate, rows: [] }
      group.rows.push(row)
      groups.set(key, group)
    }
  }
  return groups.values()
}
