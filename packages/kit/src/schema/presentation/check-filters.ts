import type { ResourceDefinition } from "../builders/definition.ts"
import { Field } from "../builders/field.ts"
import type { Resource } from "../compile/resource.ts"
import { viewPlace } from "./check-list.ts"
import { unreadable } from "./check-text.ts"
import { Unreadable } from "./inert-copy.ts"

/** A filter that an author has declared for people who see a resource's records. */
export interface DeclaredFilter {
  readonly where: unknown
  /** True if the filter may use fields of related records. */
  readonly mayFollowRelations: boolean
}

/** Returns why a filter on a resource is not valid, or undefined. The part of the framework that parses filters has it. */
export type FindFilterProblem = (resource: Resource, filter: DeclaredFilter) => string | undefined

interface Filtered {
  readonly definition: ResourceDefinition
  readonly resource: Resource
}

/** Returns the mistakes in the filters of `.visible()` and of the views of `.list()`. */
export function checkFilters({ definition, resource }: Filtered, findProblem: FindFilterProblem): readonly string[] {
  return [...filtersOfFields(definition), ...filtersOfViews(definition)].flatMap(({ place, ...filter }) => {
    if (filter.where instanceof Unreadable) return [unreadable(place, filter.where)]
    const problem = findProblem(resource, filter)
    return problem === undefined ? [] : [`${place} is not valid: ${problem}`]
  })
}

type PlacedFilter = DeclaredFilter & { readonly place: string }

// A form evaluates the filter of a field with the record that it edits, which has only the ids of related records.
function filtersOfFields({ fields }: ResourceDefinition): PlacedFilter[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const where = field instanceof Field ? field.traits.visible : undefined
    return where === undefined ? [] : [{ place: `.visible() of the field "${name}"`, where, mayFollowRelations: false }]
  })
}

function filtersOfViews({ presentation }: ResourceDefinition): PlacedFilter[] {
  const views: unknown = presentation.list?.views
  if (!Array.isArray(views)) return []
  return views.flatMap((view: { readonly where?: unknown } | null | undefined, index) =>
    view?.where === undefined
      ? []
      : [{ place: `the where of ${viewPlace(view, index)}`, where: view.where, mayFollowRelations: true }],
  )
}
