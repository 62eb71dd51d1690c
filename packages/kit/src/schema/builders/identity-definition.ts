import type { FieldRule } from "../access/access.ts"
import type { Field } from "./field.ts"

/** The fields that only admins can read once an author's rule lets others read users. */
export const PRIVATE_FIELDS = ["email", "emailVerified", "banned", "banReason", "banExpires"] as const

export type PrivateRules = { readonly [Name in (typeof PRIVATE_FIELDS)[number]]?: FieldRule }

/** The part of a definition that only `users()` has. */
export interface IdentityDefinition {
  /** The author's own fields. */
  readonly authorFields: Readonly<Record<string, Field>>
  readonly privateReadRules: PrivateRules
}
