import { decodeEntities } from "./html-entities.ts"
import { attributeOf, type HtmlToken, htmlTokens } from "./html-tokens.ts"
import { TextWriter } from "./text-writer.ts"

/** Converts HTML to plain text for a mail. Paragraphs, lists and links get their usual plain-text form. */
export function htmlToText(html: string): string {
  const writer = new TextWriter()
  for (const token of htmlTokens(html)) write(writer, token)
  return writer.finish()
}

const PARAGRAPHS: ReadonlySet<string> = new Set(
  "p h1 h2 h3 h4 h5 h6 table blockquote pre article section header footer address figure hr dl form".split(" "),
)
const LINES: ReadonlySet<string> = new Set("div tr dt dd center caption figcaption main li".split(" "))
const CELLS: ReadonlySet<string> = new Set(["td", "th"])

const OPENED: ReadonlyMap<string, (writer: TextWriter, attributes: string) => void> = new Map([
  ["ul", (writer) => writer.openList("bullets")],
  ["ol", (writer) => writer.openList("numbers")],
  ["li", (writer) => writer.item()],
  ["a", (writer, attributes: string) => writer.openLink(linkTarget(attributes))],
  ["img", (writer, attributes: string) => writer.text(attributeOf(attributes, "alt") ?? "")],
  ["br", (writer) => writer.lineBreak()],
  ["hr", (writer) => writer.rule()],
  ["pre", (writer) => writer.openVerbatim()],
])

const CLOSED: ReadonlyMap<string, (writer: TextWriter) => void> = new Map([
  ["ul", (writer) => writer.closeList()],
  ["ol", (writer) => writer.closeList()],
  ["a", (writer) => writer.closeLink()],
  ["pre", (writer) => writer.closeVerbatim()],
])

function write(writer: TextWriter, token: HtmlToken): void {
  if (token.kind === "text") {
    writer.text(token.text)
    return
  }
  const { name } = token
  if (PARAGRAPHS.has(name)) writer.paragraph()
  else if (LINES.has(name)) writer.line()
  else if (CELLS.has(name)) writer.space()
  if (token.kind === "open") OPENED.get(name)?.(writer, token.attributes)
  else CLOSED.get(name)?.(writer)
}

// The link schemes that work in a mail. Other links, such as relative paths, are left out.
const FOLLOWED = /^(?:https?|mailto|tel):/i

function linkTarget(attributes: string): string | undefined {
  const target = decodeEntities(attributeOf(attributes, "href") ?? "").trim()
  return FOLLOWED.test(target) && !/\s/.test(target) ? target : undefined
}
