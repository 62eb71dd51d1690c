import type { IncomingCall, OutgoingAnswer } from "../../ports/http.ts"
import { HASH_HEADER, WRITE_HEADER } from "../../wire/options/client-headers.ts"
import { WARNING_HEADER } from "./dropped-cookie.ts"
import type { OriginSettings, TrustedOrigins } from "./trusted-origins.ts"

const PREFLIGHT_SECONDS = 600
// The request headers that the API itself reads. They are always allowed, so that a preflight for one of them covers all
// of them while the browser remembers it.
const REQUEST_HEADERS = [
  "content-type",
  "x-extendedjson",
  "authorization",
  "x-api-key",
  "accept-language",
  "if-match",
  "x-request-id",
  "x-kit-version",
  HASH_HEADER,
  WRITE_HEADER,
]
// A longer list of requested headers is ignored, because it would be repeated in the response.
const MAX_REQUESTED_CHARACTERS = 4_096
// Matches a header name. `*` is left out, because in the response it would stand for every name.
const HEADER_NAME = /^[\w!#$%&'+.^`|~-]+$/
// Matches the headers that no page may send: those that change how kit handles a request, and those that decide who
// sends it to whom.
const REFUSED_HEADER = /^(?:x-kit-.*|host|cookie)$/
const EXPOSED_HEADERS = [
  "x-request-id",
  "x-revision",
  "x-extendedjson",
  "x-kit-version",
  HASH_HEADER,
  "allow",
  "retry-after",
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "set-auth-token",
  WARNING_HEADER,
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
    if (call.method === "OPTIONS" && status === 204) allowRequest(call, headers)
  }
}

// Adds `Origin` to the Vary header. Otherwise a cache would serve the response for one origin to all other origins.
function varyWithOrigin(vary: string | string[] | undefined): string {
  if (vary === undefined) return "Origin"
  const names = Array.isArray(vary) ? vary.join(", ") : vary
  return /(?:^|,)\s*(?:origin|\*)\s*(?:,|$)/i.test(names) ? names : `${names}, Origin`
}

// Adds the headers of a CORS preflight response. The requested method is not read, because the browser compares it with
// the response itself.
function allowRequest(call: IncomingCall, headers: OutgoingAnswer["headers"]): void {
  headers["vary"] = `${headers["vary"]}, Access-Control-Request-Headers`
  headers["access-control-allow-methods"] = headers["allow"] ?? ""
  headers["access-control-allow-headers"] = allowedHeaders(call.headers.get("access-control-request-headers") ?? "")
  headers["access-control-max-age"] = String(PREFLIGHT_SECONDS)
}

// Returns the API's own headers and those of the requested ones that a trusted page may send.
function allowedHeaders(requested: string): string {
  const names = requested.length > MAX_REQUESTED_CHARACTERS ? [] : requested.toLowerCase().split(",")
  const others = names.map((name) => name.trim()).filter((name) => HEADER_NAME.test(name) && !REFUSED_HEADER.test(name))
  return [...new Set([...REQUEST_HEADERS, ...others])].join(", ")
}
