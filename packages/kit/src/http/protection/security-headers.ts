import type { OutgoingAnswer } from "../../ports/http.ts"

const ONE_YEAR_SECONDS = 31_536_000
const EVERY_ANSWER = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
} as const
// Data is no page: shown as one all the same, it loads nothing and sits in no frame.
const DATA = {
  "x-frame-options": "DENY",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
} as const

export type SecurityHeaders = (answer: OutgoingAnswer) => void

/** Tells browsers what an answer may be used for. What the answer says itself stays. */
export function securityHeaders(appUrl: string | undefined): SecurityHeaders {
  const onlyByTls = appUrl !== undefined && new URL(appUrl).protocol === "https:"
  const always = Object.entries({
    ...EVERY_ANSWER,
    ...(onlyByTls && { "strict-transport-security": `max-age=${ONE_YEAR_SECONDS}` }),
  })
  const ofData = [...always, ...Object.entries(DATA)]
  return ({ headers }) => {
    for (const [name, value] of isData(headers["content-type"]) ? ofData : always) headers[name] ??= value
  }
}

function isData(type: string | string[] | undefined): boolean {
  return typeof type === "string" && type.startsWith("application/json")
}
