import type { IncomingCall, OutgoingAnswer } from "../../ports/http.ts"
import type { OriginSettings, TrustedOrigins } from "./trusted-origins.ts"

const PREFLIGHT_SECONDS = 600
const REQUEST_HEADERS = [
  "content-type",
  "x-extendedjson",
  "authorization",
  "x-api-key",
  "accept-language",
  "if-match",
  "x-request-id",
  "x-kit-version",
].join(", ")
const EXPOSED_HEADERS = [
  "x-request-id",
  "x-revision",
  "x-extendedjson",
  "x-kit-version",
  "allow",
  "retry-after",
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "set-auth-token",
].join(", ")

type CorsHeaders = (call: IncomingCall, answer: OutgoingAnswer) => void

/** Lets the allowed origins read answers. Undefined if no other origin is allowed: answers then need no headers. */
export function corsHeaders(settings: OriginSettings, { isAllowedOrigin }: TrustedOrigins): CorsHeaders | undefined {
  if (!settings.isDevelopment && (settings.origins ?? []).length === 0) return undefined
  return (call, { status, headers }) => {
    headers["vary"] = varyWithOrigin(headers["vary"])
    const origin = call.headers.get("origin")
    if (origin === null || !isAllowedOrigin(origin)) return
    headers["access-control-allow-origin"] ??= origin
    headers["access-control-allow-credentials"] ??= "true"
    headers["access-control-expose-headers"] ??= EXPOSED_HEADERS
    headers["cross-origin-resource-policy"] ??= "cross-origin"
    if (call.method === "OPTIONS" && status === 204) allowRequest(headers)
  }
}

// Without `Vary: Origin`, a cache would serve the answer for one origin to all others.
function varyWithOrigin(vary: string | string[] | undefined): string {
  if (vary === undefined) return "Origin"
  const names = Array.isArray(vary) ? vary.join(", ") : vary
  return /(?:^|,)\s*(?:origin|\*)\s*(?:,|$)/i.test(names) ? names : `${names}, Origin`
}

// The request's own Access-Control-Request-* headers are not read: the browser compares them with the answer.
function allowRequest(headers: OutgoingAnswer["headers"]): void {
  headers["access-control-allow-methods"] = headers["allow"] ?? ""
  headers["access-control-allow-headers"] = REQUEST_HEADERS
  headers["access-control-max-age"] = String(PREFLIGHT_SECONDS)
}
