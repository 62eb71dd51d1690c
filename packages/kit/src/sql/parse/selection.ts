import type { FieldReference, Resource, ResourceField } from "../../schema/compile/resource.ts"
import type { MaskedField } from "../filter/masked-field.ts"
import type { Predicate } from "../filter/predicate.ts"
import type { ToManyOptions } from "./parse-to-many.ts"

/** The parts of a record that a response contains: its fields and its related records. */
export interface Selection {
  readonly resource: Resource
  /** The fields that the statement reads, in the order of the response. */
  readonly fields: readonly ResourceField[]
  readonly relations: readonly HydratedRelation[]
  /** The computed fields of the response; absent if there are none. */
  readonly computed?: ComputedSelection
  /**
   * The fields that are hidden from the caller in some rows. The statement reads a flag for each of them, after all
   * fields. Absent if there are no such fields.
   */
  readonly masked?: readonly MaskedField[]
  /** The parts of fields in whose places the response has the related records. Absent if there are none. */
  readonly parts?: readonly HydratedPart[]
}

export interface ComputedSelection {
  readonly fields: readonly ResourceField[]
  /** The fields that are read only because computed fields need them. */
  readonly inputs: readonly ResourceField[]
}

export interface HydratedRelation {
  readonly field: ResourceField
  readonly selection: Selection
  /**
   * The predicate that a related record must satisfy. A related record that does not is returned as null, or left out
   * of the list.
   */
  readonly predicate: Predicate
  /** The options of a to-many relation; absent for other relations. */
  readonly toMany?: ToManyOptions
}

/** A part of a field that is an id in the stored value, and the related record in the response. */
export interface HydratedPart {
  /** The field as the selection reads it. */
  readonly field: ResourceField
  readonly reference: FieldReference
  readonly selection: Selection
  /** The predicate that a related record must satisfy. One that does not counts as missing. */
  readonly predicate: Predicate
}
