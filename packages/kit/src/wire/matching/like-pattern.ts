import { type Verdict, verdictOf } from "./verdict.ts"

/** Evaluates `like`, which compares texts character by character under any collation. */
export function likeVerdict(text: string, pattern: string): Verdict {
  return verdictOf(matchesPattern(text, pattern))
}

/**
 * Evaluates `ilike`. The verdict is unknown for texts beyond ASCII, because the database's collation decides which
 * letters differ only in case.
 */
export function ilikeVerdict(text: string, pattern: string): Verdict {
  return isAscii(text) && isAscii(pattern) ? foldedVerdict(text, pattern) : "unknown"
}

/** Escapes `%`, `_` and the backslash, so that a `like` pattern matches these characters literally. */
export function escapePattern(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&")
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false
  return true
}

// Matches a text without regard to case. Turkish collations do not treat I and i as the same letter; if the match
// depends on these letters, the result is unknown.
function foldedVerdict(text: string, pattern: string): Verdict {
  const isMatch = matchesPattern(text.toLowerCase(), pattern.toLowerCase())
  if (!isMatch) return "no"
  return matchesPattern(lowerExceptI(text), lowerExceptI(pattern)) ? "yes" : "unknown"
}

function lowerExceptI(text: string): string {
  return text.replace(/[A-HJ-Z]/g, (letter) => letter.toLowerCase())
}

// Objects and not symbols, whose calls a bundler would keep in a page that matches nothing.
const ANY_TEXT = { wildcard: "%" } as const
const ANY_CHARACTER = { wildcard: "_" } as const

type Part = string | typeof ANY_TEXT | typeof ANY_CHARACTER

function partsOf(pattern: string): Part[] {
  const parts: Part[] = []
  const characters = [...pattern]
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ""
    if (character === "\\") parts.push(characters[++at] ?? "\\")
    else parts.push(character === "%" ? ANY_TEXT : character === "_" ? ANY_CHARACTER : character)
  }
  return parts
}

// True if the text matches the `like` pattern. It backtracks only to the last %, because an earlier % cannot do better.
// So the number of steps is at most the length of the text times the length of the pattern.
function matchesPattern(text: string, pattern: string): boolean {
  const characters = [...text]
  const parts = partsOf(pattern)
  let [at, part] = [0, 0]
  let retry: { at: number; part: number } | undefined
  while (at < characters.length) {
    const expected = parts[part]
    if (expected === ANY_TEXT) {
      retry = { at, part }
      part += 1
    } else if (expected === ANY_CHARACTER || (expected !== undefined && expected === characters[at])) {
      at += 1
      part += 1
    } else if (retry) {
      retry = { at: retry.at + 1, part: retry.part }
      at = retry.at
      part = retry.part + 1
    } else return false
  }
  return parts.slice(part).every((rest) => rest === ANY_TEXT)
}
