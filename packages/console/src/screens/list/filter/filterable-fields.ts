import type { CollectionSchema, FieldSchema } from "kit/client"
import { comparisonsOf } from "./comparisons.ts"

const LAST = ["id", "revision", "createdAt", "updatedAt", "deletedAt"]

/** Returns the fields of a filter: those that the author offers first, and those of kit last. */
export function filterableFields({ fields, relations, list }: CollectionSchema): readonly FieldSchema[] {
  const possible = Object.values(fields).filter((field) => {
    const relation = relations[field.name]
    // Related records of which the person may not even know the kind have nothing to be chosen by.
    return relation?.targetCollection !== null && comparisonsOf(field, relation).length > 0
  })
  const rank = ({ name }: FieldSchema) => {
    if (list.filters.includes(name)) return list.filters.indexOf(name) - list.filters.length
    return LAST.includes(name) ? 1 + LAST.indexOf(name) : 0
  }
  return possible.toSorted((one, other) => rank(one) - rank(other))
}
