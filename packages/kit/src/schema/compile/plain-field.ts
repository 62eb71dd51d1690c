import { PLAIN_FIELD_PRESENTATION } from "../presentation/presentation.ts"
import type { ResourceField } from "./resource.ts"

/** A stored field of which the author has said nothing but its name and type. */
export const PLAIN_FIELD: Omit<ResourceField, "name" | "type"> = Object.freeze({
  system: false,
  isStored: true,
  required: false,
  unique: false,
  index: false,
  localized: undefined,
  hidden: false,
  readOnly: false,
  collaborative: undefined,
  default: undefined,
  access: {},
  validations: [],
  presentation: PLAIN_FIELD_PRESENTATION,
  target: undefined,
  renamedFrom: undefined,
  relation: undefined,
})
