import type { DocumentShape } from "../../ports/document-codec.ts"
import { Field } from "../builders/field.ts"
import type { FieldType } from "../compile/field-type.ts"

/** True if the value is a collaborative field. */
export function isCollaborative(field: unknown): boolean {
  return field instanceof Field && field.traits.collaborative
}

/** Returns the kind of the shared document in which the values of a field type are edited. */
export function documentShapeOf({ name }: FieldType): DocumentShape {
  if (name === "richText") return "richText"
  return name === "json" ? "json" : "text"
}
