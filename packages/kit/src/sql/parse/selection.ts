import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import type { MaskedField } from "../filter/masked-field.ts"
import type { Predicate } from "../filter/predicate.ts"
import type { ToManyOptions } from "./parse-to-many.ts"

/** The parts of a record in an answer: its fields and its related records. */
export interface Selection {
  readonly resource: Resource
  /** The fields that the statement reads, in the order of the answer. */
  readonly fields: readonly ResourceField[]
  readonly relations: readonly HydratedRelation[]
  /** The computed fields; absent if there are none. */
  readonly computed?: ComputedSelection
  /** The fields that some rows hide: the statement reads a flag for each, after the fields. Absent if empty. */
  readonly masked?: readonly MaskedField[]
}

export interface ComputedSelection {
  readonly fields: readonly ResourceField[]
  /** The fields that are read only because computed fields need them. */
  readonly inputs: readonly ResourceField[]
}

export interface HydratedRelation {
  readonly field: ResourceField
  readonly selection: Selection
  /** A target row that does not satisfy it is returned as null, or left out of the list. */
  readonly predicate: Predicate
  /** Set if the relation is to-many. */
  readonly toMany?: ToManyOptions
}
