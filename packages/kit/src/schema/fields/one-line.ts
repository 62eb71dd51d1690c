import type { CheckedFormat } from "./text.ts"

// Matches control characters, line and paragraph separators, and bidirectional overrides. A string with such characters
// could look different in a mail, a header or a log than in its field.
const CHARACTERS = "\\p{Cc}\\p{Zl}\\p{Zp}\\u202a-\\u202e\\u2066-\\u2069"
const NOT_IN_LINE = new RegExp(`[${CHARACTERS}]+`, "u")
const ALL_NOT_IN_LINE = new RegExp(NOT_IN_LINE, "gu")

export const ONE_LINE_FORMAT: CheckedFormat = Object.freeze({
  pattern: `[^${CHARACTERS}]*`,
  findProblem: findLineProblem,
})

/** Returns an error message if the text is not a single line, otherwise undefined. */
export function findLineProblem(text: string): string | undefined {
  return NOT_IN_LINE.test(text) ? "Must be one line, without control characters." : undefined
}

/** Returns the text as a single line. Each run of line breaks or other control characters becomes a space. */
export function toOneLine(text: string): string {
  return text.replace(ALL_NOT_IN_LINE, " ").trim()
}
