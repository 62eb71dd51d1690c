import type { ResourceField } from "../../schema/compile/resource.ts"
import { ALWAYS, type Predicate } from "./predicate.ts"

/** A field that a rule makes visible to the caller in some rows only; in all others it counts as null for them. */
export interface MaskedField extends ResourceField {
  /** Holds in the rows where the field is visible. The author wrote it, so it compares the real values. */
  readonly mask: Predicate
}

export function maskedField(field: ResourceField, mask: Predicate): MaskedField {
  return Object.freeze({ ...field, mask })
}

export function isMasked(field: ResourceField): field is MaskedField {
  return "mask" in field
}

/** Returns the predicate of the rows where the field is visible to the caller. */
export function maskOf(field: ResourceField): Predicate {
  return isMasked(field) ? field.mask : ALWAYS
}
