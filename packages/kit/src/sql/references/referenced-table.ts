import type { FieldReference, Resource, ResourceField } from "../../schema/compile/resource.ts"
import { partPath } from "../text/part-path.ts"

/**
 * Returns the jsonpath that finds the parts in a field's column. The column of a localized field has a value for each
 * locale.
 */
export function columnPath({ localized }: ResourceField, { steps }: FieldReference): string {
  return partPath(steps, { ofEachLocale: localized !== undefined })
}

/** Returns the table of the records to which the parts refer. Parts of a stage copy refer to working copies, too. */
export function referencedTable({ kind, name, table, working }: Resource, { target }: FieldReference): string {
  const isOwn = kind === target.kind && name === target.name
  return isOwn ? (working?.table ?? table) : target.table
}
