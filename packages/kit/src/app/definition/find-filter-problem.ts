import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import type { DeclaredFilter } from "../../schema/presentation/check-filters.ts"
import { FilterCost } from "../../sql/filter/filter-cost.ts"
import { EVERYTHING, type Visibility } from "../../sql/filter/predicate.ts"
import { typedParseContext } from "../../sql/parse/parse-context.ts"
import { parseWhere } from "../../sql/parse/parse-where.ts"
import { ApiError, invalid } from "../../wire/errors/api-error.ts"

/** Returns why no caller could use a filter that the author declares for a list or a form, or undefined. */
export function findFilterProblem(
  resource: Resource,
  { where, mayFollowRelations }: DeclaredFilter,
): string | undefined {
  const cost = mayFollowRelations ? undefined : new FilterCost(OWN_FIELDS_ONLY, refuseRelation)
  try {
    parseWhere(resource, where, typedParseContext(WITHOUT_HIDDEN_FIELDS, cost))
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
}

const WITHOUT_HIDDEN_FIELDS: Visibility = Object.freeze<Visibility>({
  fields: ({ fields }) => new Map([...fields].filter(([, field]) => isShown(field))),
  rows: EVERYTHING.rows,
})

function isShown({ hidden }: ResourceField): boolean {
  return !hidden
}

const OWN_FIELDS_ONLY = Object.freeze({
  hopsPerPath: 0,
  toManyHopsPerPath: 0,
  hopsPerRequest: 0,
  comparisonsPerRequest: Number.POSITIVE_INFINITY,
})

function refuseRelation(path: string): never {
  throw invalid(path, "A form knows only the record's own fields. Leave the fields of related records out.")
}
