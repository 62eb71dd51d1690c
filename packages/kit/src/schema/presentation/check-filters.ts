import type { ResourceDefinition } from "../builders/definition.ts"
import { Field } from "../builders/field.ts"
import { PLAIN_FIELD, type Resource } from "../compile/resource.ts"
import { ArrayField } from "../fields/array.ts"
import { asBlock } from "../fields/blocks/block.ts"
import { BlocksField } from "../fields/blocks/blocks.ts"
import { compileMembers, type Members } from "../fields/members/compile-members.ts"
import { ObjectField } from "../fields/object.ts"
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
  return [...filtersOfFields(definition, resource), ...filtersOfViews(definition, resource)].flatMap(
    ({ place, filtered, ...filter }) => {
      if (filter.where instanceof Unreadable) return [unreadable(place, filter.where)]
      const problem = findProblem(filtered, filter)
      return problem === undefined ? [] : [`${place} is not valid: ${problem}`]
    },
  )
}

interface PlacedFilter extends DeclaredFilter {
  readonly place: string
  /** The resource, or an object's members as if they were the fields of one. */
  readonly filtered: Resource
}

// A form evaluates the filter of a field with the record that it edits, which has only the ids of related records.
function filtersOfFields({ fields }: ResourceDefinition, resource: Resource): PlacedFilter[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const named = `the field "${name}"`
    return [...filtersOf(named, field, resource), ...filtersInside(named, field, resource)]
  })
}

function filtersOf(named: string, field: unknown, filtered: Resource): PlacedFilter[] {
  const where = field instanceof Field ? field.traits.visible : undefined
  return where === undefined ? [] : [{ place: `.visible() of ${named}`, where, filtered, mayFollowRelations: false }]
}

// The filter of a member compares the other members of the same object, or of the same block.
function filtersInside(named: string, field: unknown, resource: Resource): PlacedFilter[] {
  if (field instanceof ArrayField) return filtersInside(`the items of ${named}`, field.rules.element, resource)
  if (field instanceof ObjectField) return filtersOfMembers(named, field.rules.members, resource)
  if (!(field instanceof BlocksField)) return []
  return Object.entries(field.rules.blocks ?? {}).flatMap(([block, declared]) =>
    filtersOfMembers(`the block "${block}" of ${named}`, asBlock(declared).members, resource),
  )
}

function filtersOfMembers(named: string, members: Members, resource: Resource): PlacedFilter[] {
  const fields = compileMembers(members).map((member) => [member.name, { ...PLAIN_FIELD, ...member }] as const)
  const filtered = { ...resource, fields: new Map(fields) }
  return Object.entries<unknown>(members ?? {}).flatMap(([name, member]) => {
    const inner = `the part "${name}" of ${named}`
    return [...filtersOf(inner, member, filtered), ...filtersInside(inner, member, resource)]
  })
}

function filtersOfViews({ presentation }: ResourceDefinition, resource: Resource): PlacedFilter[] {
  const views: unknown = presentation.list?.views
  if (!Array.isArray(views)) return []
  return views.flatMap((view: { readonly where?: unknown } | null | undefined, index) =>
    view?.where === undefined
      ? []
      : [
          {
            place: `the where of ${viewPlace(view, index)}`,
            where: view.where,
            filtered: resource,
            mayFollowRelations: true,
          },
        ],
  )
}
