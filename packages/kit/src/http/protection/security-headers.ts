import type { OutgoingAnswer } from "../../ports/http.ts"

const ONE_YEAR_SECONDS = 31_536_000
const HSTS_VALUE = `max-age=${ONE_YEAR_SECONDS}`

type SecurityHeaders = (answer: OutgoingAnswer) => void

/** Adds the security headers to an answer. Headers that the answer already has stay. */
export function securityHeaders(appUrl: string | undefined): SecurityHeaders {
  const isOnlyByTls = appUrl !== undefined && new URL(appUrl).protocol === "https:"
  // Runs for every answer. Written out rather than looped over a table, it takes a third of the time.
  return ({ headers }) => {
    headers["x-content-type-options"] ??= "nosniff"
    headers["cross-origin-resource-policy"] ??= "same-origin"
    if (isOnlyByTls) headers["strict-transport-security"] ??= HSTS_VALUE
    if (isData(headers["content-type"])) headers["content-security-policy"] ??= JSON_SECURITY_POLICY
    else headers["referrer-policy"] ??= "no-referrer"
  }
}

// JSON is not a page. If a browser shows it as a page, it loads nothing, cannot be framed, and so sends no referrer.
export const JSON_SECURITY_POLICY = "default-src 'none'; frame-ancestors 'none'"

function isData(type: string | string[] | undefined): boolean {
  return typeof type === "string" && type.startsWith("application/json")
}
