import type { Mistake } from "../../schema/compile/compile.ts"

interface EnvFile {
  readonly variables: ReadonlyMap<string, string>
  /** The lines that cannot be read. Their messages do not repeat values, which may be secret. */
  readonly mistakes: readonly Mistake[]
}

/** A part of the file that was read, or the reason why it cannot be read. `end` is the position after it. */
type Parsed<Part> = { readonly part: Part; readonly end: number } | { readonly problem: string; readonly end: number }

const BLANK = /(?:[ \t]*(?:#[^\n]*)?(?:\n|$))/y
const NAME = /[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=/y
const SPACES = /[ \t]*/y
// An unquoted value ends at the end of its line, or at a `#` after a space.
const UNQUOTED = /((?:(?![ \t]+#)[^\n])*)[^\n]*(?:\n|$)/y
const SINGLE_QUOTED = /'([^']*)'/y
const DOUBLE_QUOTED = /"((?:[^"\\]|\\[\s\S])*)"/y
const REST_OF_LINE = /[^\n]*(?:\n|$)/y

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\", $: "$" }

/**
 * Parses a file of environment variables: a line for each, `NAME=value`, with comments after `#`. A value in single
 * quotes is taken literally, and in double quotes `\n` and the like are escapes; both may have several lines. Nothing is
 * expanded: a `$` is a `$`.
 */
export function parseEnvFile(file: string, content: string): EnvFile {
  const text = content.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n")
  const variables = new Map<string, string>()
  const lines = new Map<string, number>()
  const mistakes: Mistake[] = []
  for (let at = skipBlank(text, 0); at < text.length; ) {
    const line = text.slice(0, at).split("\n").length
    const parsed = parseVariable(text, at)
    const problem = "problem" in parsed ? parsed.problem : repetition(lines, parsed.part.name)
    if (problem !== undefined) mistakes.push({ file: `${file}:${line}`, message: problem })
    if ("part" in parsed) {
      variables.set(parsed.part.name, parsed.part.value)
      lines.set(parsed.part.name, line)
    }
    at = skipBlank(text, parsed.end)
  }
  return { variables, mistakes }
}

function repetition(lines: ReadonlyMap<string, number>, name: string): string | undefined {
  const first = lines.get(name)
  return first === undefined ? undefined : `sets ${name} again, after line ${first}. Remove one of them.`
}

function skipBlank(text: string, start: number): number {
  let at = start
  while (at < text.length) {
    const blank = matchAt(BLANK, text, at)
    if (blank === undefined) return at
    at = blank.end
  }
  return at
}

function parseVariable(text: string, start: number): Parsed<{ readonly name: string; readonly value: string }> {
  const name = matchAt(NAME, text, start)
  if (name === undefined) {
    const remedy = "Write NAME=value, with letters, digits and _ in the name; a comment starts with #."
    return { problem: `is not a variable. ${remedy}`, end: endOfLine(text, start) }
  }
  const value = parseValue(text, name.end)
  if ("problem" in value) return { ...value, problem: `${name.text}: ${value.problem}` }
  if (!value.part.includes("\0")) return { part: { name: name.text, value: value.part }, end: value.end }
  return { problem: `${name.text}: a value cannot contain a NUL character.`, end: value.end }
}

function parseValue(text: string, start: number): Parsed<string> {
  const first = matchAt(SPACES, text, start)?.end ?? start
  switch (text[first]) {
    case "'":
      return parseQuoted(text, first, matchAt(SINGLE_QUOTED, text, first))
    case '"':
      return withoutEscapes(parseQuoted(text, first, matchAt(DOUBLE_QUOTED, text, first)))
    case "`":
      return { problem: "a backtick is not a quotation mark here. Use ' or \".", end: endOfLine(text, first) }
    default: {
      const value = matchAt(UNQUOTED, text, start)
      return { part: value?.text.trim() ?? "", end: value?.end ?? text.length }
    }
  }
}

function parseQuoted(text: string, start: number, value: Match | undefined): Parsed<string> {
  const end = endOfLine(text, value?.end ?? start)
  if (value === undefined) return { problem: `the quotation mark ${text[start]} is not closed.`, end }
  if (matchAt(BLANK, text, value.end) !== undefined) return { part: value.text, end }
  return { problem: "there is more text after the closing quotation mark. Put all of the value into the quotes.", end }
}

function withoutEscapes(value: Parsed<string>): Parsed<string> {
  if ("problem" in value) return value
  const unknown = [...value.part.matchAll(/\\([\s\S])/g)].find(
    ([, character = ""]) => !Object.hasOwn(ESCAPES, character),
  )
  if (unknown !== undefined) {
    const remedy = 'Known are \\n, \\r, \\t, \\", \\$ and \\\\; in single quotes a backslash is a backslash.'
    return { problem: `${unknown[0]} is not an escape. ${remedy}`, end: value.end }
  }
  return { ...value, part: value.part.replace(/\\([\s\S])/g, (_, character: string) => ESCAPES[character] ?? "") }
}

function endOfLine(text: string, start: number): number {
  return matchAt(REST_OF_LINE, text, start)?.end ?? text.length
}

interface Match {
  /** The first group of the pattern, or an empty text. */
  readonly text: string
  readonly end: number
}

function matchAt(pattern: RegExp, text: string, start: number): Match | undefined {
  pattern.lastIndex = start
  const match = pattern.exec(text)
  return match === null ? undefined : { text: match[1] ?? "", end: start + match[0].length }
}
