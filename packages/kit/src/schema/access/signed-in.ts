import type { HandlerContext, SignedInContext } from "../context/handler-context.ts"

/**
 * An access rule that allows every caller who is signed in. After it, `session` is not null in the handler of a route.
 *
 * route().access(signedIn).handler(({ session }) => session.user.id)
 */
export function signedIn(context: HandlerContext): context is SignedInContext {
  return context.session !== null
}
