import type { OutgoingAnswer } from "../../ports/http.ts"

const ONE_YEAR_SECONDS = 31_536_000
const ONLY_BY_TLS = `max-age=${ONE_YEAR_SECONDS}`

export type SecurityHeaders = (answer: OutgoingAnswer) => void

/** Tells browsers what an answer may be used for. What the answer says itself stays. */
export function securityHeaders(appUrl: string | undefined): SecurityHeaders {
  const isOnlyByTls = appUrl !== undefined && new URL(appUrl).protocol === "https:"
  // Each by its name rather than from a table: this happens for every answer, and takes a third of the time.
  return ({ headers }) => {
    headers["x-content-type-options"] ??= "nosniff"
    headers["referrer-policy"] ??= "no-referrer"
    headers["cross-origin-resource-policy"] ??= "same-origin"
    if (isOnlyByTls) headers["strict-transport-security"] ??= ONLY_BY_TLS
    if (isData(headers["content-type"])) forbidShowing(headers)
  }
}

function isData(type: string | string[] | undefined): boolean {
  return typeof type === "string" && type.startsWith("application/json")
}

// Data is no page: shown as one all the same, it loads nothing and sits in no frame.
function forbidShowing(headers: OutgoingAnswer["headers"]): void {
  headers["x-frame-options"] ??= "DENY"
  headers["content-security-policy"] ??= "default-src 'none'; frame-ancestors 'none'"
}
