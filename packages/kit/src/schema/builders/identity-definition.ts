import type { FieldRule } from "../access/access.ts"
import type { Field } from "./field.ts"

/** What stays with admins once an author lets others read users. */
export const PRIVATE_FIELDS = ["email", "emailVerified", "banned", "banReason", "banExpires"] as const

export type PrivateRules = { readonly [Name in (typeof PRIVATE_FIELDS)[number]]?: FieldRule }

/** What makes a definition that of the users. */
export interface IdentityDefinition {
  /** The author's own fields. */
  readonly authored: Readonly<Record<string, Field>>
  readonly reads: PrivateRules
}
