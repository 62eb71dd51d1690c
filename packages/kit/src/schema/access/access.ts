import type { WhereInput } from "../../wire/options/query-options.ts"
import type { HandlerContext } from "../context/handler-context.ts"
import type { RegisteredResource } from "../context/register.ts"

/** The operations of this version that a rule can be written for. */
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

/** What a rule of the named collection or global knows about the call it judges. */
export interface AccessContext<Name extends string = string> extends HandlerContext {
  readonly operation: AccessOperation
  /** The record's id, for an operation on one record. */
  readonly id?: string | undefined
  /** The stage that a transition leads to, whose drafts are asked for, or that a create or update is to write. */
  readonly stage?: string | undefined
  /** The body of a write, of which nothing is checked yet. */
  readonly input?: Readonly<RegisteredResource<Name>["input"]> | undefined
}

/** What else than `true` and a `where` a rule may give, all of which denies. */
export type Denied = false | null | undefined | "" | 0

/** A rule of the named collection or global: `true` allows, a `where` restricts to the rows it matches, all else denies. */
export type AccessRule<Name extends string = string> = boolean | RuleFunction<Name>

type RuleFunction<Name extends string> = (context: AccessContext<Name>) => Verdict<RegisteredResource<Name>["where"]>

type Verdict<Where> = true | Where | Denied | Promise<true | Where | Denied>

/** Who may do what with the named collection or global. */
export type AccessRules<Name extends string = string> = RulesOf<AccessRule<Name>>

type RulesOf<Rule> = { readonly [Operation in AccessOperation]?: Rule }

/** As a collection's rule; a `where` names the records in which the caller may read, create or update the field. */
export type FieldRule = boolean | ((context: AccessContext) => FieldVerdict | Promise<FieldVerdict>)

type FieldVerdict = true | WhereInput | Denied

export interface FieldAccess {
  readonly read?: FieldRule
  readonly create?: FieldRule
  readonly update?: FieldRule
}
