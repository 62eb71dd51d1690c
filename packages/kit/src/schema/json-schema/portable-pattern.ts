import { type PatternToken, readPattern } from "./pattern-tokens.ts"

/**
 * Returns the source of an equal pattern for the flag `u`, with which JSON Schema reads patterns and characters are code
 * points. Returns undefined if kit cannot express the pattern without its flags.
 */
export function portablePattern({ source, flags, ignoreCase, dotAll, multiline }: RegExp): string | undefined {
  if (flags.includes("v")) return undefined
  const rules = { ignoreCase, dotAll, multiline, isUnicode: flags.includes("u") }
  return rewritten(source, (token) => withoutFlags(token, rules))
}

/** Returns a pattern for the texts of which the pattern matches the lower case, or undefined if there is none. */
export function beforeLowercase(source: string): string | undefined {
  // The letter \u0130 becomes two characters, of which no set of ASCII characters contains the second. Only a pattern
  // for the whole text then rejects the letter, too.
  return isWhole(source) ? rewritten(source, upperCaseToo) : undefined
}

/** Returns a pattern for the texts that match after white space is removed at both ends, or undefined if there is none. */
export function beforeTrim(source: string): string | undefined {
  return isWhole(source) ? withSpaceAround(source.slice(1, -1)) : undefined
}

/**
 * Returns a pattern for a text that the pattern without anchors matches, with any white space at its ends. No character
 * can belong to both, because otherwise the time to reject a text with much white space would grow with its cube.
 */
export function withSpaceAround(source: string): string {
  const body = `(?:${source})`
  const empty = new RegExp(`^${body}$`, "u").test("") ? "|\\s*" : ""
  return `^(?:\\s*(?!\\s)${body}(?<!\\s)\\s*${empty})$`
}

// True if the pattern is about the text between two anchors: it has no other anchor, no assertion about the text before
// or after a place, and no alternatives outside of groups.
function isWhole(source: string): boolean {
  const tokens = readPattern(source)
  if (tokens === undefined || tokens.length < 2) return false
  const [first, last] = [tokens[0], tokens.at(-1)]
  const inner = tokens.slice(1, -1)
  const isAnchored = first?.text === "^" && last?.text === "$"
  return isAnchored && inner.every(({ kind, text, depth }) => !ABOUT_PLACES.has(kind) && !(text === "|" && depth === 0))
}

const ABOUT_PLACES: ReadonlySet<PatternToken["kind"]> = new Set(["anchor", "look"])

type Rewrite = (token: PatternToken) => string | undefined

// Rewrites the tokens of a pattern. Returns undefined if one of them cannot be rewritten.
function rewritten(source: string, rewrite: Rewrite): string | undefined {
  const parts = readPattern(source)?.map(rewrite)
  if (parts === undefined || parts.includes(undefined)) return undefined
  const text = parts.join("")
  return isPattern(text) ? text : undefined
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, "u") instanceof RegExp
  } catch {
    return false
  }
}

interface FlagRules {
  readonly ignoreCase: boolean
  readonly dotAll: boolean
  readonly multiline: boolean
  readonly isUnicode: boolean
}

const LINE_BREAK = "[\\n\\r\\u2028\\u2029]"

function withoutFlags(
  token: PatternToken,
  { ignoreCase, dotAll, multiline, isUnicode }: FlagRules,
): string | undefined {
  const { kind, text } = token
  if (text === "." && kind === "any") return dotAll ? "[\\s\\S]" : text
  if (multiline && text === "^") return `(?<=^|${LINE_BREAK})`
  if (multiline && text === "$") return `(?=$|${LINE_BREAK})`
  if (!ignoreCase) return plain(token, isUnicode)
  return isUnicode ? undefined : bothCases(token)
}

// Removes the backslash in front of characters that mean themselves, and adds it to brackets that do. With the flag `u`,
// both would be errors.
function plain({ kind, text }: PatternToken, isUnicode: boolean): string {
  if (isUnicode) return text
  if (kind === "class") return text.replace(/\\([^a-zA-Z0-9^$\\.*+?()[\]{}|/-])/g, "$1")
  if (kind !== "literal") return text
  return /^[\]}]$/.test(text) ? `\\${text}` : text.replace(/^\\([^a-zA-Z0-9^$\\.*+?()[\]{}|/])$/, "$1")
}

// Without the flag `u`, only the other case of an ASCII letter is an ASCII letter.
function bothCases(token: PatternToken): string | undefined {
  const { kind } = token
  const text = plain(token, false)
  if (kind === "reference") return undefined
  if (kind === "literal") return isPlainCharacter(text) ? caseless(text) : undefined
  if (kind !== "class" || /^\\[dDsSwW]$/.test(text)) return text
  const codes = asciiCodes(text)
  return codes && withCharacters(text, characters(codes).filter(isLetter).map(otherCase).join(""))
}

// Adds characters at the start of a class. A hyphen that was first there means itself, and no range.
function withCharacters(text: string, added: string): string {
  return text.replace(
    /^(\[\^?)(-?)/,
    (_start, opening: string, hyphen: string) => `${opening}${added}${hyphen && "\\-"}`,
  )
}

function caseless(text: string): string {
  return isLetter(text) ? `[${text}${otherCase(text)}]` : text
}

function isLetter(text: string): boolean {
  return /^[a-zA-Z]$/.test(text)
}

function otherCase(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
}

// The Kelvin sign is the only character besides an ASCII letter whose lower case is an ASCII letter.
const KELVIN_SIGN = "\\u212A"

function upperCaseToo({ kind, text }: PatternToken): string | undefined {
  switch (kind) {
    case "literal":
      return isPlainCharacter(text) ? literalBeforeLowercase(text) : undefined
    case "class":
      return classBeforeLowercase(text)
    case "anchor":
    case "syntax":
      return text
    default:
      return undefined
  }
}

function literalBeforeLowercase(text: string): string {
  if (!isLetter(text)) return text
  if (text === text.toUpperCase()) return NO_CHARACTER
  return `[${text}${otherCase(text)}${text === "k" ? KELVIN_SIGN : ""}]`
}

// A class without characters. It is no assertion, which other patterns may contain only at their own risk.
const NO_CHARACTER = "[^\\s\\S]"

// A class that excludes characters would have to exclude characters of all scripts in both cases.
function classBeforeLowercase(text: string): string | undefined {
  if (/^\\[ds]$/.test(text)) return text
  const codes = /^\[\^|\\[DSWpP]/.test(text) ? undefined : asciiCodes(text)
  if (codes === undefined) return undefined
  const lowered = characters(ALL_CODES).filter((character) => codes.has(character.toLowerCase().charCodeAt(0)))
  const others = `${codes.has("k".charCodeAt(0)) ? KELVIN_SIGN : ""}${text.includes("\\s") ? "\\s" : ""}`
  return lowered.length === 0 ? NO_CHARACTER : `[${lowered.map(inClass).join("")}${others}]`
}

const ALL_CODES: ReadonlySet<number> = new Set(Array.from({ length: 128 }, (_, code) => code))

function characters(codes: ReadonlySet<number>): string[] {
  return [...codes].map((code) => String.fromCharCode(code))
}

function inClass(character: string): string {
  if (/\w/.test(character)) return character
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`
}

// True for one ASCII character, or an escape that means one and has no letter of its own.
function isPlainCharacter(text: string): boolean {
  return /^(?:[\x20-\x7E]|\\[^\w]|\\[nrtfv0])$/.test(text)
}

// Returns the ASCII characters in a class, or undefined if the class names other characters, too. A class that excludes
// characters is read as if it contained them.
function asciiCodes(text: string): ReadonlySet<number> | undefined {
  if (!/^[\x20-\x7E]*$/.test(text) || /\\[uxpPcDSW]/.test(text)) return undefined
  const pattern = new RegExp(text.replace(/^\[\^/, "["))
  return new Set([...ALL_CODES].filter((code) => pattern.test(String.fromCharCode(code))))
}
