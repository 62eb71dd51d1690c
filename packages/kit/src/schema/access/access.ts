import type { WhereInput } from "../../wire/options/query-options.ts"
import type { HandlerContext } from "../context/handler-context.ts"
import type { RegisteredResource } from "../context/register.ts"

/** The operations for which an author can declare an access rule. */
export const ACCESS_OPERATIONS = [
  "read",
  "create",
  "update",
  "delete",
  "restore",
  "purge",
  "versions",
  "transition",
  "drafts",
  "upload",
  "serve",
  "introspect",
] as const

export type AccessOperation = (typeof ACCESS_OPERATIONS)[number]

/** The argument of an access rule on the named collection or global. It describes the operation to allow or deny. */
export interface AccessContext<Name extends string = string> extends HandlerContext {
  readonly operation: AccessOperation
  /** The record's id, if the operation is on one record. */
  readonly id?: string | undefined
  /**
   * The target stage of a transition, the stage whose drafts are requested, or the stage whose copy an update changes.
   */
  readonly stage?: string | undefined
  /** The input of a create or update, before validation. */
  readonly input?: Readonly<RegisteredResource<Name>["input"]> | undefined
}

/** The return values with which an access rule denies the operation. */
export type Denied = false | null | undefined | "" | 0

/** An access rule on the named collection or global. `true` allows, a `where` allows matching rows, all else denies. */
export type AccessRule<Name extends string = string> = boolean | RuleFunction<Name>

type RuleFunction<Name extends string> = (context: AccessContext<Name>) => RuleResult<RegisteredResource<Name>["where"]>

type RuleResult<Where> = true | Where | Denied | Promise<true | Where | Denied>

/** The access rules on the named collection or global, by operation. */
export type AccessRules<Name extends string = string> = RulesOf<AccessRule<Name>>

type RulesOf<Rule> = { readonly [Operation in AccessOperation]?: Rule }

/** An access rule on one field. A `where` selects the records in which the caller may read or write the field. */
export type FieldRule = boolean | ((context: AccessContext) => FieldRuleResult | Promise<FieldRuleResult>)

type FieldRuleResult = true | WhereInput | Denied

export interface FieldAccess {
  readonly read?: FieldRule
  readonly create?: FieldRule
  readonly update?: FieldRule
}
