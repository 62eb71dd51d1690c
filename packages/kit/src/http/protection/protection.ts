import type { IncomingCall } from "../../ports/http.ts"
import type { Session } from "../../ports/session-provider.ts"
import { whenReady } from "../../schema/context/when-ready.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import { readReplyOptions } from "../handler.ts"
import type { LoggedAnswer, LoggedHandler } from "../request-log.ts"
import { answerError } from "../respond.ts"
import { corsHeaders } from "./cors.ts"
import { type RateLimitOptions, RateLimits } from "./rate-limits.ts"
import { securityHeaders } from "./security-headers.ts"
import { type OriginSettings, trustedOrigins } from "./trusted-origins.ts"

export interface ProtectionOptions extends OriginSettings, RateLimitOptions {}

export interface Protection {
  /** Counts a request from this user. Throws if the user has sent too many requests. */
  countUser(session: Session | null): void
  /** True if a page of another site may have sent the call: its response must not depend on what the page guesses. */
  isFromOtherSite(call: IncomingCall): boolean
  /** Returns the handler with the checks that apply to every path. */
  wrap(handle: LoggedHandler): LoggedHandler
}

/**
 * Keeps requests from other origins and floods of requests away from the handler, and adds CORS and security headers to
 * all responses.
 */
export function createProtection(parts: ProtectionOptions): Protection {
  const origins = trustedOrigins(parts)
  const limits = new RateLimits(parts)
  const addCors = corsHeaders(parts, origins)
  const addSecurity = securityHeaders(parts.appUrl)
  // Reads the body of sign-in attempts only. All other requests are admitted synchronously (see `whenReady`).
  const admit = (call: IncomingCall): IncomingCall | ApiError | Promise<IncomingCall | ApiError> => {
    const refusal = origins.refuse(call) ?? limits.refuseAddress(call)
    return refusal ?? (limits.isLimitedSignIn(call) ? limits.admitSignIn(call) : call)
  }
  const complete = (call: IncomingCall, given: LoggedAnswer) => {
    const answer = call.method === "OPTIONS" ? answerToOptions(given) : given
    addCors?.(call, answer)
    addSecurity(answer)
    return answer
  }
  return {
    countUser: (session) => limits.countUser(session),
    isFromOtherSite: origins.isFromOtherSite,
    wrap: (handle) => (call) => {
      const answered = whenReady(admit(call), (admitted) =>
        admitted instanceof ApiError ? answerError(admitted, readReplyOptions(call)) : handle(admitted),
      )
      return whenReady(answered, (given) => complete(call, given))
    },
  }
}

// Turns the router's 405 into the response to an OPTIONS request. No endpoint takes OPTIONS, so the router always
// refuses it with 405 and an Allow header.
function answerToOptions(answer: LoggedAnswer): LoggedAnswer {
  if (answer.status !== 405) return answer
  const { "content-type": _type, ...headers } = answer.headers
  return { ...answer, status: 204, headers, body: "" }
}
