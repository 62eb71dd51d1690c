import type { ResourceField } from "../../schema/compile/resource.ts"
import { ALWAYS, type Predicate } from "./predicate.ts"

/** A field whose rule shows it to the caller in some rows only; in all others it is to them as if it had no value. */
export interface MaskedField extends ResourceField {
  /** Holds in the rows that show it. It is the author's, so it looks at the values themselves. */
  readonly mask: Predicate
}

export function maskedField(field: ResourceField, mask: Predicate): MaskedField {
  return Object.freeze({ ...field, mask })
}

export function isMasked(field: ResourceField): field is MaskedField {
  return "mask" in field
}

/** Holds in the rows in which the caller may know the field. */
export function maskOf(field: ResourceField): Predicate {
  return isMasked(field) ? field.mask : ALWAYS
}
