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

/** Lets invited origins read answers; undefined where none can be invited, so that answers need not say anything. */
export function corsHeaders(settings: OriginSettings, { isInvited }: TrustedOrigins): CorsHeaders | undefined {
  if (!settings.isDevelopment && (settings.origins ?? []).length === 0) return undefined
  return (call, { status, headers }) => {
    headers["vary"] = withOrigin(headers["vary"])
    const origin = call.headers.get("origin")
    if (origin === null || !isInvited(origin)) return
    headers["access-control-allow-origin"] ??= origin
    headers["access-control-allow-credentials"] ??= "true"
    headers["access-control-expose-headers"] ??= EXPOSED_HEADERS
    headers["cross-origin-resource-policy"] ??= "cross-origin"
    if (call.method === "OPTIONS" && status === 204) allowRequest(headers)
  }
}

// The answer is for every caller of the same address, unless caches are told what it depends on.
function withOrigin(vary: string | string[] | undefined): string {
  if (vary === undefined) return "Origin"
  const names = Array.isArray(vary) ? vary.join(", ") : vary
  return /(?:^|,)\s*(?:origin|\*)\s*(?:,|$)/i.test(names) ? names : `${names}, Origin`
}

// What the browser asked for is not looked at: it compares the answer itself.
function allowRequest(headers: OutgoingAnswer["headers"]): void {
  headers["access-control-allow-methods"] = headers["allow"] ?? ""
  headers["access-control-allow-headers"] = REQUEST_HEADERS
  headers["access-control-max-age"] = String(PREFLIGHT_SECONDS)
}
