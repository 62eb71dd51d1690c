import type { Session } from "../../ports/session-provider.ts"
import type { AccessContext, AccessOperation, AccessRule } from "../../schema/access/access.ts"
import { ALL_LOCALES } from "../../schema/compile/locales.ts"
import { type Resource, type ResourceField, WORKING_RECORDS } from "../../schema/compile/resource.ts"
import type { HandlerContext } from "../../schema/context/handler-context.ts"
import { isPromise, type MaybePromise, whenReady } from "../../schema/context/when-ready.ts"
import { guardedFilter } from "../../sql/filter/guarded-filter.ts"
import {
  type Access,
  ALLOW,
  activeOnly,
  activeRows,
  both,
  DENY,
  EVERYTHING,
  isAlways,
  onWorkingCopy,
  type Predicate,
  predicateOf,
} from "../../sql/filter/predicate.ts"
import { typedParseContext } from "../../sql/parse/parse-context.ts"
import { parseWhere } from "../../sql/parse/parse-where.ts"
import { predicateKey } from "../../sql/write/write-many.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import { resourceIn } from "../context/locale.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { type NamedRule, ruleCost } from "./rule-cost.ts"

/** The facts about an operation that an access rule receives in addition to the session. */
export interface CallFacts {
  readonly operation: AccessOperation
  readonly id?: string | undefined
  readonly input?: Readonly<Record<string, unknown>> | undefined
  /** The workflow stage in which the operation reads or writes records, or to which it transitions a record. */
  readonly stage?: string | undefined
}

/**
 * Evaluates the access rule for the operation, and returns the rows that the rule allows. Throws if the rule denies the
 * operation.
 */
export function authorize(ctx: OperationContext, resource: Resource, facts: CallFacts): MaybePromise<Access> {
  return whenReady(evaluateActiveAccess(ctx, resource, facts), (access) => {
    if (access.kind === "deny") throw deniedOperation(ctx, resource, facts)
    return access
  })
}

function deniedOperation(ctx: OperationContext, resource: Resource, facts: CallFacts): ApiError {
  // In a nested write the caller has named only a relation. The error message does not name the related collection,
  // because that name may be hidden from the caller.
  const what = ctx.isNested ? "this related record" : resource.name
  return denied(ctx.session, `${facts.operation} ${what}`)
}

/**
 * Throws if the operation's access rule is neither `true` nor a function. Such a rule denies the operation for every
 * input.
 */
export function requireRule(ctx: OperationContext, resource: Resource, operation: AccessOperation): void {
  ctx.tables.requireUsable(resource)
  const rule = ruleOf(resource, operation)
  if (ctx.isSystem || rule === true || typeof rule === "function") return
  throw denied(ctx.session, `${operation} ${resource.name}`)
}

export function denied(session: Session | null, what: string): ApiError {
  if (session === null) return new ApiError("UNAUTHORIZED", { message: `Sign in to ${what}.` })
  return new ApiError("FORBIDDEN", { message: `You may not ${what}.` })
}

/** Evaluates the access rule for the operation. For reads, the allowed rows exclude soft-deleted records. */
export function evaluateActiveAccess(
  ctx: OperationContext,
  resource: Resource,
  facts: CallFacts,
): MaybePromise<Access> {
  const access = evaluateAccess(ctx, resource, facts)
  const isReading = facts.operation === "read" || facts.operation === "serve"
  if (!isReading || !resource.deletedAt) return access
  return whenReady(access, (allowed) => restrictToActive(resource, allowed))
}

function restrictToActive(resource: Resource, access: Access): Access {
  if (access.kind !== "where") return activeOnly(resource, access)
  return { kind: "where", predicate: guardedFilter(activeRows(resource), access.predicate) }
}

/**
 * Evaluates the access rule for the operation. If a read includes drafts, the `drafts` rule restricts its rows as well.
 * Returns a promise only if the rule does.
 */
export function evaluateAccess(ctx: OperationContext, resource: Resource, facts: CallFacts): MaybePromise<Access> {
  ctx.tables.requireUsable(resource)
  const access = evaluateRule(ctx, resource, facts)
  const drafts = facts.operation === "read" ? ctx.drafts?.get(resource.table) : undefined
  return drafts ? whenReady(access, (allowed) => restricted(allowed, onWorkingCopy(resource, drafts))) : access
}

function restricted(access: Access, rows: Predicate): Access {
  return access.kind === "deny" ? access : { kind: "where", predicate: both(predicateOf(access), rows) }
}

/**
 * Evaluates the resource's rule for the operation. Access is denied if the rule is missing, fails with an error, or
 * returns anything but `true` or a valid filter.
 */
function evaluateRule(ctx: OperationContext, resource: Resource, facts: CallFacts): MaybePromise<Access> {
  const rule = ruleOf(resource, facts.operation)
  if (ctx.isSystem || rule === true) return ALLOW
  if (typeof rule !== "function") return DENY
  return evaluateRuleFunction(ctx, resource, { rule, facts, name: `${facts.operation} rule of "${resource.name}"` })
}

// For an operation without a rule of its own, the operation whose rule is used instead. For example, `restore` uses the
// `update` rule.
const FALLBACKS: Readonly<Partial<Record<AccessOperation, AccessOperation>>> = {
  restore: "update",
  versions: "read",
  transition: "update",
  drafts: "update",
  upload: "create",
  serve: "read",
}

/** Returns the rule that decides about the operation: the operation's own rule, or the one that is used instead. */
export function ruleOf({ access }: Resource, operation: AccessOperation): AccessRule | undefined {
  const fallback = FALLBACKS[operation]
  return access[operation] ?? (fallback && access[fallback])
}

interface RuleCall extends NamedRule {
  readonly facts: CallFacts
}

function evaluateRuleFunction(
  ctx: OperationContext,
  resource: Resource,
  { rule, name, facts }: RuleCall,
): MaybePromise<Access> {
  const accept = (verdict: unknown) => accessBy(verdict, { ctx, resource, rule: { rule, name } })
  const refuse = (error: unknown) => denyAfter(error, ctx, name)
  try {
    const verdict: unknown = rule(ruleContext(ctx, { name, table: resource.table }, facts))
    return isPromise(verdict) ? Promise.resolve(verdict).then(accept).catch(refuse) : accept(verdict)
  } catch (error) {
    return refuse(error)
  }
}

function denyAfter(error: unknown, ctx: OperationContext, name: string): Access {
  if (isUnavailable(error)) throw error
  logFailedRule(ctx, name, error)
  return DENY
}

/** Returns the rows that a rule allows by its return value. Throws if that is a filter that is not valid. */
export function accessBy(
  verdict: unknown,
  { ctx, resource, rule }: { readonly ctx: OperationContext; readonly resource: Resource; readonly rule: NamedRule },
): Access {
  if (verdict === true) return ALLOW
  if (!isWhere(verdict)) return DENY
  const predicate = parseRuleFilter(ctx, resource, { where: verdict, rule })
  return isAlways(predicate) ? ALLOW : { kind: "where", predicate }
}

export function logFailedRule(ctx: OperationContext, name: string, error: unknown): void {
  ctx.logger.error(`The ${name} failed; access is denied.`, { error })
}

/** A filter that an access rule has returned, and the rule itself. */
interface RuleFilter {
  readonly where: unknown
  readonly rule: NamedRule
}

// Parses the filter that an access rule has returned. The filter applies to the working copy of each record, even if
// the resource holds the copies of records in a stage.
function parseRuleFilter(ctx: OperationContext, resource: Resource, ruled: RuleFilter): Predicate {
  return onWorkingCopy(resource, parseForAllLocales(ctx, resource, ruled))
}

// Parses a rule's filter. A request for all locales returns the values of every locale, so for such a request the
// filter has to match in every locale.
function parseForAllLocales(ctx: OperationContext, resource: Resource, ruled: RuleFilter): Predicate {
  if (ctx.locale !== ALL_LOCALES) return parseForLocale(ctx, resource, { ...ruled, locale: ctx.locale })
  const predicates = ctx.schema.locales.all.map((locale) => parseForLocale(ctx, resource, { ...ruled, locale }))
  // Removes duplicate predicates: most filters use no localized field, and their predicates are equal for all locales.
  return [...new Map(predicates.map((predicate) => [predicateKey(predicate), predicate])).values()].reduce(both)
}

// Parses a rule's filter for one locale. Where a field has no value in this locale, the filter uses the fallback value,
// even if the caller's options turn the fallback off.
function parseForLocale(
  ctx: OperationContext,
  resource: Resource,
  { where, rule, locale }: RuleFilter & { readonly locale: string },
): Predicate {
  const schema = ctx.schema.inLocale({ locale, hasFallback: true }).inStages(WORKING_RECORDS)
  return parseWhere(resourceIn({ schema }, resource), where, typedParseContext(EVERYTHING, ruleCost(ctx, rule)))
}

/** True if the error means that the rule could not query the database, and so has neither allowed nor denied access. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && error.code === "SERVICE_UNAVAILABLE"
}

function isWhere(verdict: unknown): boolean {
  return typeof verdict === "object" && verdict !== null && !Array.isArray(verdict)
}

/**
 * Evaluates a field's rule, and returns the rows in which the rule allows the operation. A field that is declared as
 * `hidden` is denied to every caller except system code.
 */
export function evaluateFieldRule(
  ctx: OperationContext,
  { resource, field }: { resource: Resource; field: ResourceField },
  facts: CallFacts,
): MaybePromise<Access> {
  if (ctx.isSystem) return ALLOW
  if (field.hidden) return DENY
  const rule = fieldRule(field, facts.operation) ?? true
  if (typeof rule === "boolean") return rule ? ALLOW : DENY
  const name = `${facts.operation} rule of the field "${field.name}" of "${resource.name}"`
  return evaluateRuleFunction(ctx, resource, { rule, facts, name })
}

/** Returns the rule of a field for the operation. Without a rule, callers with the right to the record may do it. */
export function fieldRule(field: ResourceField, operation: AccessOperation): AccessRule | undefined {
  const isOfFields = operation === "read" || operation === "create" || operation === "update"
  return isOfFields ? field.access[operation] : undefined
}

function ruleContext(ctx: OperationContext, place: RulePlace, facts: CallFacts): AccessContext {
  return Object.assign(handlerOfRule(ctx, place), facts)
}

/** The name of a rule, and the table of the resource that it protects. */
interface RulePlace {
  readonly name: string
  readonly table: string
}

/**
 * Builds the argument of an access rule, without the facts about the call. Throws if the rule is already being
 * evaluated, because it then reads the data that it protects. A rule is identified by its table and name: a collection
 * and a global may have the same name, but never the same table. `onDatabase` is called when the rule uses the
 * database.
 */
export function handlerOfRule(
  ctx: OperationContext,
  { name, table }: RulePlace,
  onDatabase?: () => void,
): HandlerContext {
  const ruleKey = `${table}: ${name}`
  if (ctx.evaluatingRules.includes(ruleKey)) {
    throw new Error(`The ${name} reads the data that it protects. Decide by the session, or by another collection.`)
  }
  return ctx.handlerFor(ctx, () => {
    onDatabase?.()
    return { ...ctx, evaluatingRules: [...ctx.evaluatingRules, ruleKey], isNested: false }
  })
}
