import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import type { MaskedField } from "../filter/masked-field.ts"
import type { Predicate } from "../filter/predicate.ts"
import type { HydratedMany } from "./parse-many.ts"

/** What of a record is answered: its fields, and the records it points to. */
export interface Selection {
  readonly resource: Resource
  /** What the statement reads, in the order of the answer. */
  readonly fields: readonly ResourceField[]
  readonly relations: readonly HydratedRelation[]
  /** What is made of the fields that were read; absent where nothing is. */
  readonly computed?: ComputedPart
  /** What some rows hide; the statement reads a flag for each after the fields. Absent where nothing is hidden. */
  readonly masked?: readonly MaskedField[]
}

export interface ComputedPart {
  readonly fields: readonly ResourceField[]
  /** Of the fields that are read, those that only the computed ones need. */
  readonly inputs: readonly ResourceField[]
}

export interface HydratedRelation {
  readonly field: ResourceField
  readonly selection: Selection
  /** A row of the target that does not satisfy it is answered as null, or is not among the many. */
  readonly predicate: Predicate
  /** Set where the relation leads to many records. */
  readonly many?: HydratedMany
}
