import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import type { Visibility } from "../../sql/filter/predicate.ts"
import { typedParseContext } from "../../sql/parse/parse-context.ts"
import { parseWhere } from "../../sql/parse/parse-where.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import type { WhereInput } from "../../wire/options/query-options.ts"
import { reachedResources } from "../access/reached-resources.ts"
import { visibilityOf } from "../access/visibility.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { FieldRights } from "./caller-rights.ts"

/** Which filters of the author's a caller may know. */
export interface FilterRights {
  /** True if the caller may know every field that the filter names. */
  mayKnowFilter(where: WhereInput): boolean
  /** True if the caller may read every field that the filter names, and so may filter a list by it. */
  mayFilterBy(where: WhereInput): boolean
}

/**
 * Evaluates which filters of the resource's list and form the caller may know. The parser of every other filter decides
 * this: fields that the caller may not know do not exist for it.
 */
export async function knownFilters(
  ctx: OperationContext,
  resource: Resource,
  known: ReadonlyMap<string, FieldRights>,
): Promise<FilterRights> {
  const filters = filtersOf(resource)
  if (filters.length === 0) return NO_FILTERS
  const related = await visibilityOf(ctx, resource, reachedResources(resource, { where: { AND: filters } }))
  const rows = related.rows
  const all = [...resource.fields]
  const named = new Map(all.filter(([name]) => known.has(name)))
  const readable = new Map(all.filter(([name]) => known.get(name)?.read))
  const fieldsWith = (own: ReadonlyMap<string, ResourceField>): Visibility["fields"] => {
    return (other) => (other === resource ? own : related.fields(other))
  }
  return {
    mayKnowFilter: (where) => isValid(where, resource, { fields: fieldsWith(named), rows }),
    mayFilterBy: (where) => isValid(where, resource, { fields: fieldsWith(readable), rows }),
  }
}

const NO_FILTERS: FilterRights = Object.freeze({ mayKnowFilter: () => true, mayFilterBy: () => true })

// Returns the filters that the author has declared for the list and for the form of the resource.
function filtersOf({ fields, presentation }: Resource): readonly WhereInput[] {
  const ofFields = [...fields.values()].map((field) => field.presentation.visible)
  const ofViews = (presentation.list?.views ?? []).map(({ where }) => where)
  return [...ofFields, ...ofViews].filter((where) => where !== undefined)
}

function isValid(where: WhereInput, resource: Resource, visibility: Visibility): boolean {
  try {
    parseWhere(resource, where, typedParseContext(visibility))
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
