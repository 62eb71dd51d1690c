import type { CheckedFormat } from "./text.ts"

export const URL_MAX_CHARACTERS = 2048

// Matches only http and https URLs. Other schemes, such as javascript:, can run code if a page shows the URL as a link.
const PATTERN = "[hH][tT][tT][pP][sS]?:\\/\\/[^\\s\\p{Cc}]+"
const WEB_ADDRESS = new RegExp(`^${PATTERN}$`, "u")

export const URL_FORMAT: CheckedFormat = Object.freeze({
  pattern: PATTERN,
  checks: ["domain"] as const,
  findProblem: findUrlProblem,
})

function findUrlProblem(text: string): string | undefined {
  return WEB_ADDRESS.test(text) && URL.canParse(text) ? undefined : "Expected an address such as https://example.com."
}
