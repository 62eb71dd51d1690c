import type { Session } from "../ports/session-provider.ts"
import type { AccessContext, AccessOperation, AccessRule, FieldRule } from "../schema/access.ts"
import type { Resource, ResourceField } from "../schema/resource.ts"
import { parseWhere } from "../sql/parse-where.ts"
import { type Access, ALLOW, activeOnly, DENY, EVERYTHING } from "../sql/predicate.ts"
import { typedReading } from "../sql/reading.ts"
import { ApiError } from "../wire/api-error.ts"
import type { OperationContext } from "./operation-context.ts"

/** What a rule may want to know about the call, besides who makes it. */
export interface CallFacts {
  readonly operation: AccessOperation
  readonly id?: string | undefined
  readonly input?: Readonly<Record<string, unknown>> | undefined
}

/** What the caller may do with the rows of a resource, or an error when that is nothing. */
export async function authorize(ctx: OperationContext, resource: Resource, facts: CallFacts): Promise<Access> {
  const access = await judgeRows(ctx, resource, facts)
  if (access.kind === "deny") throw denied(ctx.session, `${facts.operation} ${resource.name}`)
  return access
}

export function denied(session: Session | null, what: string): ApiError {
  if (session === null) return new ApiError("UNAUTHORIZED", { message: `Sign in to ${what}.` })
  return new ApiError("FORBIDDEN", { message: `You may not ${what}.` })
}

/** What the rule allows; to a read, records that are deleted and kept do not exist. */
export function judgeRows(ctx: OperationContext, resource: Resource, facts: CallFacts): Access | Promise<Access> {
  const access = judgeByRule(ctx, resource, facts)
  if (facts.operation !== "read" || resource.deletedAt === undefined) return access
  if (!(access instanceof Promise)) return activeOnly(resource, access)
  return access.then((judged) => activeOnly(resource, judged))
}

/** Evaluates the resource's rule. No rule, a throw, and anything but `true` or a valid `where` deny. */
export function judgeByRule(ctx: OperationContext, resource: Resource, facts: CallFacts): Access | Promise<Access> {
  const rule = ruleOf(resource, facts.operation)
  if (ctx.isSystem || rule === true) return ALLOW
  if (typeof rule !== "function") return DENY
  return judgeByFunction(ctx, resource, facts)
}

// Who may change a record may bring it back, unless there is a rule for that.
function ruleOf({ access }: Resource, operation: AccessOperation): AccessRule | undefined {
  return operation === "restore" ? (access.restore ?? access.update) : access[operation]
}

async function judgeByFunction(ctx: OperationContext, resource: Resource, facts: CallFacts): Promise<Access> {
  const name = `${facts.operation} rule of "${resource.name}"`
  try {
    const rule = ruleOf(resource, facts.operation)
    const verdict: unknown = typeof rule === "function" ? await rule(ruleContext(ctx, name, facts)) : false
    if (verdict === true) return ALLOW
    if (!isWhere(verdict)) return DENY
    return { kind: "where", predicate: parseWhere(resource, verdict, typedReading(EVERYTHING)) }
  } catch (error) {
    if (isUnavailable(error)) throw error
    ctx.logger.error(`The ${name} failed; access is denied.`, { error })
    return DENY
  }
}

// A rule that could not ask the database has not decided anything.
function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && error.code === "SERVICE_UNAVAILABLE"
}

function isWhere(verdict: unknown): boolean {
  return typeof verdict === "object" && verdict !== null && !Array.isArray(verdict)
}

/** Whether the caller may do this with the field. Hidden fields are the system's alone. */
export function judgeField(ctx: OperationContext, field: ResourceField, facts: CallFacts): boolean | Promise<boolean> {
  if (ctx.isSystem) return true
  if (field.hidden) return false
  const rule = fieldRule(field, facts.operation)
  if (rule === undefined || typeof rule === "boolean") return rule ?? true
  return judgeFieldByFunction(ctx, { field, rule }, facts)
}

function fieldRule(field: ResourceField, operation: AccessOperation): FieldRule | undefined {
  const isOfFields = operation === "read" || operation === "create" || operation === "update"
  return isOfFields ? field.access[operation] : undefined
}

async function judgeFieldByFunction(
  ctx: OperationContext,
  { field, rule }: { field: ResourceField; rule: Exclude<FieldRule, boolean> },
  facts: CallFacts,
): Promise<boolean> {
  const name = `${facts.operation} rule of the field "${field.name}"`
  try {
    return (await rule(ruleContext(ctx, name, facts))) === true
  } catch (error) {
    if (isUnavailable(error)) throw error
    ctx.logger.error(`The ${name} failed; access is denied.`, { error })
    return false
  }
}

function ruleContext(ctx: OperationContext, name: string, facts: CallFacts): AccessContext {
  if (ctx.judging.includes(name)) {
    throw new Error(`The ${name} reads what it protects. Decide by the session, or by another collection.`)
  }
  const derive = () => ({ ...ctx, judging: [...ctx.judging, name], isNested: false })
  return Object.assign(ctx.handlerFor(ctx, derive), facts)
}
