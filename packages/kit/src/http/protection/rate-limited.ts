import { ApiError } from "../../wire/errors/api-error.ts"
import type { RateExcess } from "./rate-limiter.ts"

/** Returns the error for a request that exceeds a rate limit. The error message says when to try again. */
export function rateLimited(excess: RateExcess, message = tooManyRequests(excess)): ApiError {
  return new ApiError("RATE_LIMITED", { message, context: { ...excess } })
}

function tooManyRequests({ retryAfterSeconds }: RateExcess): string {
  return `Too many requests. Try again in ${retryAfterSeconds} s.`
}

/**
 * Returns the response headers for a RATE_LIMITED error. An error that the author's code throws may lack any of these
 * values.
 */
export function rateLimitHeaders(context: Readonly<Record<string, unknown>> = {}): Record<string, string> {
  const { limit, retryAfterSeconds, resetSeconds } = context
  return {
    ...(Number.isInteger(retryAfterSeconds) && { "retry-after": String(retryAfterSeconds) }),
    ...(Number.isInteger(limit) && { "ratelimit-limit": String(limit), "ratelimit-remaining": "0" }),
    ...(Number.isInteger(resetSeconds) && { "ratelimit-reset": String(resetSeconds) }),
  }
}
