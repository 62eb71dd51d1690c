/** A part of a regular expression. */
export interface PatternToken {
  /**
   * `literal`: one character; `class`: one of several characters; `any`: the point; `anchor`: the start or the end of
   * the text, or a boundary of a word; `reference`: a reference to a group; `look`: the start of an assertion about the
   * text before or after; `syntax`: all else, such as groups and quantifiers.
   */
  readonly kind: "literal" | "class" | "any" | "anchor" | "reference" | "look" | "syntax"
  readonly text: string
  /** The number of groups around the part. */
  readonly depth: number
}

const CLASS = /\[(?:\\[\s\S]|[^\]\\])*\]/y
const ESCAPE = /\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]*\}|c[a-zA-Z]|k<[^>]*>|[0-9]+|[\s\S])/y
const GROUP = /\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/y
const QUANTIFIER = /(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??/y

/** Splits the source of a regular expression into its parts. Returns undefined if it has a part that kit does not know. */
export function readPattern(source: string): readonly PatternToken[] | undefined {
  const tokens: PatternToken[] = []
  let depth = 0
  for (let at = 0; at < source.length; ) {
    const { kind, text } = readToken(source, at)
    if (text === undefined) return undefined
    if (kind === "syntax" && text === ")") depth -= 1
    tokens.push({ kind, text, depth })
    if (text.startsWith("(") && kind !== "literal") depth += 1
    at += text.length
  }
  return tokens
}

function readToken(source: string, at: number): { kind: PatternToken["kind"]; text: string | undefined } {
  const rest = (pattern: RegExp) => matchAt(pattern, source, at)
  const character = String.fromCodePoint(source.codePointAt(at) ?? 0)
  switch (character) {
    case "[":
      return { kind: "class", text: rest(CLASS) }
    case "\\":
      return escapeToken(rest(ESCAPE))
    case "(": {
      const text = rest(GROUP)
      return { kind: /^\(\?<?[=!]/.test(text ?? "") ? "look" : "syntax", text }
    }
    case ".":
      return { kind: "any", text: character }
    case "^":
    case "$":
      return { kind: "anchor", text: character }
    case ")":
    case "|":
      return { kind: "syntax", text: character }
    case "*":
    case "+":
    case "?":
    case "{":
      return { kind: "syntax", text: rest(QUANTIFIER) }
    default:
      return { kind: "literal", text: character }
  }
}

function escapeToken(text: string | undefined): { kind: PatternToken["kind"]; text: string | undefined } {
  if (text === undefined) return { kind: "literal", text }
  if (/^\\[dDsSwWpP]/.test(text)) return { kind: "class", text }
  if (/^\\[bB]$/.test(text)) return { kind: "anchor", text }
  if (/^\\(?:[1-9]|k<)/.test(text)) return { kind: "reference", text }
  return { kind: "literal", text }
}

function matchAt(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(source)?.[0]
}
