import type { OperationContext } from "../../engine/context/operation-context.ts"
import type { Session } from "../../ports/session-provider.ts"
import type { HandlerContext } from "../../schema/context/handler-context.ts"
import { ApiError } from "../../wire/errors/api-error.ts"

/** The setting `developer`: the rule for the calls that only developers of the app may use. Only `true` allows them. */
export type DeveloperRule = boolean | ((context: HandlerContext) => unknown)

interface DeveloperDependencies {
  /** The author's rule. Users with the role `admin` are developers unless it is set. */
  readonly developer: DeveloperRule | undefined
  /** True if kit's own users sign in, so that a session without its own id belongs to a caller with an API key. */
  readonly hasIdentity: boolean
}

/**
 * Throws NOT_FOUND unless the caller is a developer of the app, so that nobody else learns that the call exists. An API
 * key never suffices, because programs keep keys in many places.
 */
export async function requireDeveloper(parts: DeveloperDependencies, ctx: OperationContext): Promise<void> {
  if (!(await isDeveloper(parts, ctx))) throw new ApiError("NOT_FOUND")
}

async function isDeveloper({ developer, hasIdentity }: DeveloperDependencies, ctx: OperationContext): Promise<boolean> {
  const { session } = ctx
  if (hasIdentity && session !== null && session.session === undefined) return false
  if (developer === undefined) return session !== null && isAdmin(session)
  if (typeof developer === "boolean") return developer
  try {
    return (await developer(ctx.handlerFor(ctx))) === true
  } catch (error) {
    if (error instanceof ApiError && error.code === "SERVICE_UNAVAILABLE") throw error
    ctx.logger.error('The rule in the setting "developer" failed; access is denied.', { error })
    return false
  }
}

/** True if one of the user's roles is `admin`. */
export function isAdmin({ user }: Session): boolean {
  return String(user.role ?? "")
    .split(",")
    .includes("admin")
}
