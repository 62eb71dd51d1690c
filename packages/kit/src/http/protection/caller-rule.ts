import type { OperationContext } from "../../engine/context/operation-context.ts"
import type { Session } from "../../ports/session-provider.ts"
import type { HandlerContext } from "../../schema/context/handler-context.ts"
import { ApiError } from "../../wire/errors/api-error.ts"

/** A setting that says which callers may use a part of the app. Of the results of a function, only `true` allows. */
export type CallerRule = boolean | ((context: HandlerContext) => unknown)

interface SetRule {
  /** The name of the setting. */
  readonly setting: string
  /** The author's rule. Users with the role `admin` pass unless it is set. */
  readonly rule: CallerRule | undefined
  /** True if kit's own users sign in, so that a session without its own id belongs to a caller with an API key. */
  readonly hasIdentity: boolean
}

/** True if the caller passes the rule. An API key never suffices, because programs keep keys in many places. */
export async function passesRule({ setting, rule, hasIdentity }: SetRule, ctx: OperationContext): Promise<boolean> {
  const { session } = ctx
  if (hasIdentity && session !== null && session.session === undefined) return false
  if (rule === undefined) return session !== null && isAdmin(session)
  if (typeof rule === "boolean") return rule
  try {
    return (await rule(ctx.handlerFor(ctx))) === true
  } catch (error) {
    if (error instanceof ApiError && error.code === "SERVICE_UNAVAILABLE") throw error
    ctx.logger.error(`The rule in the setting "${setting}" failed; access is denied.`, { error })
    return false
  }
}

/** True if one of the user's roles is `admin`. */
export function isAdmin({ user }: Session): boolean {
  return String(user.role ?? "")
    .split(",")
    .includes("admin")
}
