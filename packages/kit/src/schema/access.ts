import type { WhereInput } from "../wire/query-options.ts"
import type { HandlerContext } from "./handler-context.ts"

/** The operations of this version that a rule can be written for. */
export const ACCESS_OPERATIONS = ["read", "create", "update", "delete", "restore", "purge"] as const

export type AccessOperation = (typeof ACCESS_OPERATIONS)[number]

/** What a rule knows about the call it judges. */
export interface AccessContext extends HandlerContext {
  readonly operation: AccessOperation
  /** The record's id, for an operation on one record. */
  readonly id?: string | undefined
  /** The body of a write. */
  readonly input?: Readonly<Record<string, unknown>> | undefined
}

/** `true` allows, a `where` restricts to the rows it matches, anything else denies. */
export type AccessVerdict<Where = WhereInput> = boolean | Where | null | undefined | "" | 0

export type AccessRule<Where = WhereInput> =
  | boolean
  | ((context: AccessContext) => AccessVerdict<Where> | Promise<AccessVerdict<Where>>)

export type AccessRules<Where = WhereInput> = { readonly [Operation in AccessOperation]?: AccessRule<Where> }

/** As a collection's rule; a `where` names the records in which the caller may read, create or update the field. */
export type FieldRule = AccessRule

export interface FieldAccess {
  readonly read?: FieldRule
  readonly create?: FieldRule
  readonly update?: FieldRule
}
