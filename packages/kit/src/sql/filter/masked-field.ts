import type { ResourceField } from "../../schema/compile/resource.ts"
import { ALWAYS, type Predicate } from "./predicate.ts"

/**
 * A field that a field rule makes visible to the caller in some rows only. In all other rows, the field counts as null
 * for the caller.
 */
export interface MaskedField extends ResourceField {
  /**
   * The predicate for the rows in which the field is visible. It was written by the author, so it compares the real
   * values, even of fields that are hidden from the caller.
   */
  readonly mask: Predicate
}

export function maskedField(field: ResourceField, mask: Predicate): MaskedField {
  return Object.freeze({ ...field, mask })
}

export function isMasked(field: ResourceField): field is MaskedField {
  return "mask" in field
}

/** Returns the masked fields that a field compares, if its value is a comparison with the public copy. */
export function maskedComparisons({ comparison }: ResourceField): readonly MaskedField[] {
  return comparison === undefined ? [] : comparison.fields.filter(isMasked)
}

/** Returns the predicate for the rows in which the field is visible to the caller. */
export function maskOf(field: ResourceField): Predicate {
  return isMasked(field) ? field.mask : ALWAYS
}
