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

/**
 * Returns a function that adds CORS headers to a response, so that pages of the allowed origins can read it. Returns
 * undefined if no other origin is allowed, because responses then need no CORS headers.
 */
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

// Adds `Origin` to the Vary header. Otherwise a cache would serve the response for one origin to all other origins.
function varyWithOrigin(vary: string | string[] | undefined): string {
  if (vary === undefined) return "Origin"
  const names = Array.isArray(vary) ? vary.join(", ") : vary
  return /(?:^|,)\s*(?:origin|\*)\s*(?:,|$)/i.test(names) ? names : `${names}, Origin`
}

// Adds the headers of a CORS preflight response. The request's Access-Control-Request-* headers are not read, because
// the browser compares them with the response itself.
function allowRequest(headers: OutgoingAnswer["headers"]): void {
  headers["access-control-allow-methods"] = headers["allow"] ?? ""
  headers["access-control-allow-headers"] = REQUEST_HEADERS
  headers["access-control-max-age"] = String(PREFLIGHT_SECONDS)
}
