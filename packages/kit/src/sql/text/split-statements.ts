/** One statement of an SQL script. */
interface ScriptStatement {
  readonly text: string
  /** The text without comments and without differences in white space. Equal statements have equal keys. */
  readonly key: string
}

/**
 * Splits an SQL script at the semicolons between its statements. Semicolons in quoted texts, in dollar quotes and in
 * comments do not count. A part that consists of comments only is left out.
 */
export function splitStatements(script: string): readonly ScriptStatement[] {
  const statements: ScriptStatement[] = []
  let tokens: string[] = []
  for (const token of [...tokensOf(script), ";"]) {
    if (token !== ";") tokens.push(token)
    else {
      statements.push({ text: tokens.join("").trim(), key: keyOf(tokens) })
      tokens = []
    }
  }
  return statements.filter(({ key }) => key !== "")
}

function keyOf(tokens: readonly string[]): string {
  const parts = tokens.map((token) => (/^(\s|--|\/\*)/.test(token) ? " " : token))
  return parts
    .filter((part, index) => part !== " " || parts[index - 1] !== " ")
    .join("")
    .trim()
}

function tokensOf(script: string): string[] {
  const tokens: string[] = []
  for (let start = 0; start < script.length; start += tokens.at(-1)?.length ?? 1) {
    tokens.push(script.startsWith("/*", start) ? blockCommentAt(script, start) : tokenAt(script, start))
  }
  return tokens
}

/**
 * A token as far as it matters here, tried in this order: white space, a line comment, a text with escapes (E'…'), a
 * text, a quoted name, a dollar quote, a word (which may contain a dollar sign), any other character.
 */
const TOKEN = new RegExp(
  [
    String.raw`\s+`,
    "--[^\\n]*",
    String.raw`e'(?:[^'\\]|\\.|'')*'`,
    "'(?:[^']|'')*'",
    '"(?:[^"]|"")*"',
    String.raw`\$([\p{L}_][\p{L}\p{N}_]*)?\$.*?\$\1\$`,
    String.raw`[\p{L}_][\p{L}\p{N}_$]*`,
    ".",
  ].join("|"),
  "isuy",
)

function tokenAt(script: string, start: number): string {
  TOKEN.lastIndex = start
  return TOKEN.exec(script)?.[0] ?? script.charAt(start)
}

// Returns the block comment that begins at `start`. In PostgreSQL, comments can be nested.
function blockCommentAt(script: string, start: number): string {
  let depth = 0
  const marks = /\/\*|\*\//g
  marks.lastIndex = start
  for (let mark = marks.exec(script); mark !== null; mark = marks.exec(script)) {
    depth += mark[0] === "/*" ? 1 : -1
    if (depth === 0) return script.slice(start, marks.lastIndex)
  }
  return script.slice(start)
}
