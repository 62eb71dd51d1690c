import type { WhereInput } from "../../wire/options/query-options.ts"
import type { HandlerContext } from "../context/handler-context.ts"
import type { RegisteredResource } from "../context/register.ts"

/** The operations that can have a rule. */
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
] as const

export type AccessOperation = (typeof ACCESS_OPERATIONS)[number]

/** The argument of a rule of the named collection or global: the operation that it allows or denies. */
export interface AccessContext<Name extends string = string> extends HandlerContext {
  readonly operation: AccessOperation
  /** The record's id, for an operation on one record. */
  readonly id?: string | undefined
  /** The target of a transition, the stage whose drafts are requested, or the stage that a create or update writes. */
  readonly stage?: string | undefined
  /** The input of a write, not validated yet. */
  readonly input?: Readonly<RegisteredResource<Name>["input"]> | undefined
}

/** The values by which a rule denies. */
export type Denied = false | null | undefined | "" | 0

/** A rule of the named collection or global: `true` allows, a `where` allows matching rows, anything else denies. */
export type AccessRule<Name extends string = string> = boolean | RuleFunction<Name>

type RuleFunction<Name extends string> = (context: AccessContext<Name>) => RuleResult<RegisteredResource<Name>["where"]>

type RuleResult<Where> = true | Where | Denied | Promise<true | Where | Denied>

/** The rules of the named collection or global by operation. */
export type AccessRules<Name extends string = string> = RulesOf<AccessRule<Name>>

type RulesOf<Rule> = { readonly [Operation in AccessOperation]?: Rule }

/** Like a rule of a collection; a `where` selects the records whose field the caller may read, create or update. */
export type FieldRule = boolean | ((context: AccessContext) => FieldRuleResult | Promise<FieldRuleResult>)

type FieldRuleResult = true | WhereInput | Denied

export interface FieldAccess {
  readonly read?: FieldRule
  readonly create?: FieldRule
  readonly update?: FieldRule
}
