import { POSITION } from "../../schema/compile/resource.ts"
import { column } from "./fragment.ts"

/**
 * Returns the sort keys of the links that one record has in an ordered relation. `other` is the column with the ids of
 * the related records.
 */
export function linkOrder(alias: string, other: string): string {
  return `${column(alias, POSITION)} nulls first, ${column(alias, other)} desc`
}
