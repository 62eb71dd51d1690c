import type { OutgoingAnswer } from "../../ports/http.ts"

const ONE_YEAR_SECONDS = 31_536_000
const HSTS_VALUE = `max-age=${ONE_YEAR_SECONDS}`

type SecurityHeaders = (answer: OutgoingAnswer) => void

/** Returns a function that adds the security headers to a response. Headers that the response already has are kept. */
export function securityHeaders(appUrl: string | undefined): SecurityHeaders {
  const isOnlyByTls = appUrl !== undefined && new URL(appUrl).protocol === "https:"
  return ({ headers }) => {
    headers["x-content-type-options"] ??= "nosniff"
    headers["cross-origin-resource-policy"] ??= "same-origin"
    if (isOnlyByTls) headers["strict-transport-security"] ??= HSTS_VALUE
    if (isData(headers["content-type"])) headers["content-security-policy"] ??= JSON_SECURITY_POLICY
    else headers["referrer-policy"] ??= "no-referrer"
  }
}

// The content security policy of JSON responses. If a browser shows the JSON as a page, that page loads nothing, so it
// sends no referrer, and it cannot be framed.
export const JSON_SECURITY_POLICY = "default-src 'none'; frame-ancestors 'none'"

function isData(type: string | string[] | undefined): boolean {
  return typeof type === "string" && type.startsWith("application/json")
}
