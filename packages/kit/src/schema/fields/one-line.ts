// Control characters, the separators of lines and paragraphs, and those that turn the direction of what follows: with them
// a text says something else in a mail, a header or a log than its field does.
const NOT_IN_LINE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/u
const ALL_NOT_IN_LINE = new RegExp(NOT_IN_LINE, "gu")

/** Why the text does not fit into one line. */
export function findLineProblem(text: string): string | undefined {
  return NOT_IN_LINE.test(text) ? "Must be one line, without control characters." : undefined
}

/** The text as one line: each run of what does not fit into a line becomes a space. */
export function toOneLine(text: string): string {
  return text.replace(ALL_NOT_IN_LINE, " ").trim()
}
