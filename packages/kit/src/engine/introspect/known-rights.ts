import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { partPath } from "../../schema/fields/members/part-tree.ts"
import type { Allowed, OperationAccess } from "../../wire/results/introspection.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { mapInParallel } from "../read/map-in-parallel.ts"
import type { CallerRights, FieldRights } from "./caller-rights.ts"
import { type FilterRights, knownFilters } from "./known-filters.ts"

/** The rights of a caller to a resource, as far as its description depends on them. */
export interface KnownRights extends KnownNames, FilterRights {
  readonly operations: OperationAccess
  /** By stage, whether the caller may move records to it. */
  readonly transitions: ReadonlyMap<string, Allowed>
  /**
   * The names of related collections that the caller may know, by the field of the relation, or by the path of a relation
   * inside of a field's value.
   */
  readonly relations: ReadonlyMap<string, KnownTarget>
}

/** The names of a resource that a caller may know. */
export interface KnownNames {
  /** The rights to the fields that the caller may read or write. */
  readonly fields: ReadonlyMap<string, FieldRights>
  readonly stages: ReadonlySet<string>
}

export interface KnownTarget {
  /** True if the caller may know the related collection. */
  readonly isKnown: boolean
  /** True if the caller may read some of the related records. */
  readonly isReadable: boolean
  /** True if the caller may read the field that represents a related record. */
  readonly hasTitle: boolean
  /** True if the caller may read the field of the related collection that refers to this record. */
  readonly hasVia: boolean
}

/** Evaluates which names of the resource the caller may know. */
export async function knownNames(rights: CallerRights, resource: Resource): Promise<KnownNames> {
  return { fields: await rights.fields(resource), stages: await rights.knownStages(resource) }
}

/** Evaluates all rights of the caller on which the description of the resource depends. */
export async function knownRights(
  ctx: OperationContext,
  rights: CallerRights,
  resource: Resource,
): Promise<KnownRights> {
  const names = await knownNames(rights, resource)
  return {
    ...names,
    operations: await rights.operations(resource),
    transitions: await rights.transitions(resource),
    relations: await knownTargets(rights, resource),
    ...(await knownFilters(ctx, resource, names.fields)),
  }
}

/** Evaluates what the caller may know of the collections to which the resource's relations lead. */
export async function knownTargets(
  rights: CallerRights,
  resource: Resource,
): Promise<ReadonlyMap<string, KnownTarget>> {
  const relations = [...resource.fields.values()].flatMap(relationsOf)
  const targets = await mapInParallel(relations, (relation) => knownTarget(rights, relation))
  return new Map(relations.map(({ path }, index) => [path, targets[index] ?? UNKNOWN_TARGET]))
}

interface NamedRelation {
  readonly path: string
  readonly target: Resource
  /** The field of the related collection that refers to this record. */
  readonly via?: ResourceField
}

function relationsOf({ name, relation, references }: ResourceField): readonly NamedRelation[] {
  const parts = references.map((reference) => ({ path: partPath(name, reference), target: reference.target }))
  if (relation === undefined) return parts
  return [{ path: name, target: relation.target, ...(relation.kind === "hasMany" && { via: relation.via }) }]
}

const UNKNOWN_TARGET: KnownTarget = Object.freeze({
  isKnown: false,
  isReadable: false,
  hasTitle: false,
  hasVia: false,
})

async function knownTarget(rights: CallerRights, { target, via }: NamedRelation): Promise<KnownTarget> {
  const isReadable = await rights.mayReadRecords(target)
  if (!(await rights.mayIntrospect(target))) return { ...UNKNOWN_TARGET, isReadable }
  const title = target.fields.get(target.title ?? "")
  return {
    isKnown: true,
    isReadable,
    hasTitle: title !== undefined && (await rights.mayRead(target, title)),
    hasVia: via !== undefined && (await rights.mayRead(target, via)),
  }
}
