import type { FieldRule } from "../access/access.ts"
import type { Field } from "./field.ts"

/**
 * The user fields that only admins may read once the author sets a `read` rule. `.privateAccess()` can allow others.
 */
export const PRIVATE_FIELDS = ["email", "emailVerified", "banned", "banReason", "banExpires"] as const

export type PrivateRules = { readonly [Name in (typeof PRIVATE_FIELDS)[number]]?: FieldRule }

/** The part of a resource definition that only the users collection has. */
export interface IdentityDefinition {
  /** The fields that the author adds to the identity fields. */
  readonly authorFields: Readonly<Record<string, Field>>
  readonly privateReadRules: PrivateRules
}
