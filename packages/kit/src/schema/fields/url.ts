import type { CheckedFormat } from "./text.ts"

export const URL_MAX_CHARACTERS = 2048

// Matches only http and https URLs. Other schemes, such as javascript:, can run code if a page shows the URL as a link.
const SCHEME = "[hH][tT][tT][pP][sS]?:\\/\\/"
const CREDENTIALS = "(?:[^\\s\\p{Cc}\\/?#\\\\]*@)?"
const OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
const IPV4 = `(?:${OCTET}\\.){3}${OCTET}`
const HEX = "[0-9a-fA-F]{1,4}"
const IPV6 = [
  `(?:${HEX}:){7}${HEX}`,
  `(?:${HEX}:){1,7}:`,
  ...[1, 2, 3, 4, 5, 6].map((after) => `(?:${HEX}:){1,${7 - after}}(?::${HEX}){1,${after}}`),
  `:(?::${HEX}){1,7}`,
  "::",
  `::(?:[fF]{4}:)?${IPV4}`,
].join("|")

// A name whose last label is a number would be read as an IPv4 address. Characters beyond ASCII belong to
// internationalized names, which only `URL.canParse` knows.
const AFTER_HOST = "\\.?(?:[:\\/?#\\\\\\s]|$)"
const LABEL = "(?:[a-zA-Z0-9_\\-]|[^\\u0000-\\u007F\\s\\p{C}])+"
const LAST_LABEL = `(?![0-9]+${AFTER_HOST})(?!0[xX][0-9a-fA-F]*${AFTER_HOST})${LABEL}`
const NAME = `(?:${LABEL}\\.)*${LAST_LABEL}\\.?`

const PORT = "(?::(?:0*(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?)?"
const REST = "(?:[\\/?#\\\\][^\\s\\p{Cc}]*)?"
const PATTERN = `${SCHEME}${CREDENTIALS}(?:${IPV4}|\\[(?:${IPV6})\\]|${NAME})${PORT}${REST}`

const WEB_ADDRESS = new RegExp(`^(?:${PATTERN})$`, "u")

export const URL_FORMAT: CheckedFormat = Object.freeze({
  pattern: PATTERN,
  checks: ["domain"] as const,
  findProblem: findUrlProblem,
})

function findUrlProblem(text: string): string | undefined {
  return WEB_ADDRESS.test(text) && URL.canParse(text) ? undefined : "Expected an address such as https://example.com."
}
