/**
 * A token of HTML: text, an opening tag or a closing tag. Text and attributes are raw: their entities are not decoded.
 */
export type HtmlToken =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "open"; readonly name: string; readonly attributes: string }
  | { readonly kind: "close"; readonly name: string }

// The elements whose content is not displayed to readers.
const SILENT: ReadonlySet<string> = new Set(["script", "style", "title", "template"])

/**
 * Splits HTML into tokens, in linear time. This is not a full HTML parser: markup that it does not recognize becomes
 * text.
 */
export function* htmlTokens(html: string): Generator<HtmlToken> {
  const lower = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  let at = 0
  while (at < html.length) {
    const start = markupStart(html, at)
    if (start !== at) yield { kind: "text", text: html.slice(at, start < 0 ? html.length : start) }
    if (start < 0) return
    const { token, end } = readMarkup(html, start)
    if (token) yield token
    const isSilent = token?.kind === "open" && SILENT.has(token.name)
    at = isSilent ? closingTag(lower, token.name, end) : end
  }
}

const MARKUP_START = /<(?:[a-z!?]|\/[a-z])/gi

function markupStart(html: string, from: number): number {
  MARKUP_START.lastIndex = from
  return MARKUP_START.exec(html)?.index ?? -1
}

interface Markup {
  readonly token?: HtmlToken
  readonly end: number
}

function readMarkup(html: string, start: number): Markup {
  if (html.startsWith("<!--", start)) return { end: after(html, "-->", start + 4) }
  if (html.startsWith("<!", start) || html.startsWith("<?", start)) return { end: after(html, ">", start) }
  const name = tagName(html, start)
  const inside = start + name.length + 1
  const end = tagEnd(html, inside)
  // A tag without a closing ">" is returned as text, with everything after it: the "<" was probably meant literally.
  if (end < 0) return { token: { kind: "text", text: html.slice(start) }, end: html.length }
  const token: HtmlToken = name.startsWith("/")
    ? { kind: "close", name: name.slice(1).toLowerCase() }
    : { kind: "open", name: name.toLowerCase(), attributes: html.slice(inside, end) }
  return { token, end: end + 1 }
}

const TAG_NAME = /\/?[a-z][^\s/>]*/iy

function tagName(html: string, start: number): string {
  TAG_NAME.lastIndex = start + 1
  return TAG_NAME.exec(html)?.[0] ?? ""
}

const TAG_STOP = /["'>]/g

// Returns the index of the ">" that ends a tag, or -1. A quote without a closing quote is ignored. A document has at
// most one such quote of each kind (single and double), so scanning stays linear.
function tagEnd(html: string, from: number): number {
  for (let at = from; ; ) {
    TAG_STOP.lastIndex = at
    const stop = TAG_STOP.exec(html)
    if (stop === null) return -1
    if (stop[0] === ">") return stop.index
    const close = html.indexOf(stop[0], stop.index + 1)
    if (close < 0) return html.indexOf(">", stop.index)
    at = close + 1
  }
}

function closingTag(lower: string, name: string, from: number): number {
  const start = lower.indexOf(`</${name}`, from)
  return start < 0 ? lower.length : start
}

function after(html: string, mark: string, from: number): number {
  const start = html.indexOf(mark, from)
  return start < 0 ? html.length : start + mark.length
}

const ATTRIBUTE = /([^\s=/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?/g

/** Returns the raw value of an attribute, or undefined if the tag does not have the attribute. */
export function attributeOf(attributes: string, name: string): string | undefined {
  for (const [, found = "", ...values] of attributes.matchAll(ATTRIBUTE)) {
    if (found.toLowerCase() === name) return values.find((value) => value !== undefined)
  }
  return undefined
}
