import { expect, test } from "vitest"
import { preparePastedHtml } from "../src/fields/rich-text/editing/pasted-html.ts"
import { editorSchemaFor } from "../src/fields/rich-text/schema/editor-schema.ts"
import { isLossy, prepareText } from "../src/fields/rich-text/schema/prepare-text.ts"
import type { TextNode } from "../src/fields/rich-text/schema/rich-text-json.ts"
import { completedAddress, isSafeAddress } from "../src/fields/rich-text/schema/safe-address.ts"
import { countWords, documentOf, textOf } from "../src/fields/rich-text/schema/text-values.ts"
import { part } from "./part-schemas.ts"

const NODES =
  "doc text paragraph heading blockquote bullet_list ordered_list list_item code_block horizontal_rule image table table_row table_cell table_header hard_break".split(
    " ",
  )
const MARKS = ["strong", "em", "code", "link", "strike"]
const whole = { nodes: NODES, marks: MARKS }
const richText = part("richText", { vocabulary: whole })
const wider = part("richText", {
  vocabulary: { nodes: [...NODES, "call-out", "mention"], marks: [...MARKS, "comment"] },
})

const everything = doc(
  { type: "heading", attrs: { level: 4 }, content: [text("A heading")] },
  paragraph(
    text("Plain, "),
    text("strong", { type: "strong" }),
    { type: "hard_break" },
    text("linked", link("/about")),
  ),
  { type: "bullet_list", content: [{ type: "list_item", content: [paragraph(text("one"))] }] },
  { type: "ordered_list", attrs: { order: 3 }, content: [{ type: "list_item", content: [paragraph()] }] },
  { type: "blockquote", content: [paragraph({ type: "image", attrs: { src: "/a.png" } })] },
  { type: "code_block", content: [text("const a = 1")] },
  { type: "horizontal_rule" },
  { type: "table", content: [{ type: "table_row", content: [cell("table_header", "A"), cell("table_cell", "B")] }] },
)

test.each([
  ["every name of the default vocabulary", richText, everything],
  ["an empty text", richText, { type: "doc", content: [] }],
  ["no text", richText, null],
  [
    "nodes and marks without an editor, with their attributes and content",
    wider,
    doc(
      { type: "call-out", attrs: { tone: "warm", at: { x: 1 } }, content: [paragraph(text("inside"))] },
      { type: "call-out" },
      paragraph({ type: "mention", attrs: { user: "u" } }, text("two", comment("1"), comment("2"))),
    ),
  ],
  [
    "a vocabulary of paragraphs alone",
    part("richText", { vocabulary: { nodes: ["doc", "text", "paragraph"], marks: [] } }),
    doc(paragraph()),
  ],
])("The editor holds %s, and writes it as it was read", (_, described, value) => {
  const prepared = prepareText(described, value)

  if (isLossy(prepared)) throw new Error(JSON.stringify(prepared.loss))
  const written = textOf(prepared.document, prepared.editorSchema)
  const isEmpty = !value?.content?.some(({ content }) => content)
  expect(written).toEqual(isEmpty ? null : value)
})

test.each([
  ["a node that it does not know", doc({ type: "video" }), { kind: "node", name: "video" }],
  ["a mark that it does not know", doc(paragraph(text("x", { type: "blink" }))), { kind: "mark", name: "blink" }],
  [
    "an attribute that it does not know",
    doc({ type: "paragraph", attrs: { align: "center" } }),
    { kind: "attribute", name: "align" },
  ],
  [
    "content that is not allowed",
    doc({ type: "bullet_list", content: [paragraph()] }),
    { kind: "content", name: "bullet_list" },
  ],
])("The editor refuses a text with %s", (_, value, loss) => {
  expect(prepareText(richText, value)).toEqual({ loss })
})

test("Blocks that nobody touches are written with exactly what was stored", () => {
  const stored = doc(
    { type: "table", content: [{ type: "table_row", content: [cell("table_cell", "x")] }] },
    paragraph(),
  )
  const editor = editorSchemaFor(whole, stored)
  const document = documentOf(editor.schema, stored)

  const changed = document.replace(document.content.size, document.content.size, document.slice(0, 0))

  expect(textOf(changed, editor)?.content?.[0]).toBe(stored.content?.[0])
})

test("Words are counted across marks and lines", () => {
  const { schema } = editorSchemaFor(whole, null)
  const value = doc(
    paragraph(text("It’s o"), text("ne", { type: "em" }), { type: "hard_break" }, text("next-door")),
    paragraph(text("42 — x")),
  )

  expect(countWords(documentOf(schema, value))).toBe(5)
})

test.each([
  ["https://example.com/a?b#c", "https://example.com/a?b#c"],
  ["example.com/a", "https://example.com/a"],
  [" ana@example.com ", "mailto:ana@example.com"],
  ["tel:+421900000000", "tel:+421900000000"],
  ["javascript:alert(1)", undefined],
  ["JavaScript:alert(1)", undefined],
  ["data:text/html,x", undefined],
  ["//example.com", undefined],
  ["two words", undefined],
])("The address %j is completed to %j", (typed, completed) => {
  expect(completedAddress(typed)).toBe(completed)
})

test.each([
  "javascript:alert(1)",
  " javascript:alert(1)",
  "java\nscript:alert(1)",
  "vbscript:x",
  "file:///etc",
  "/path",
])("No link leads to %j", (address) => {
  expect(isSafeAddress(address)).toBe(false)
})

test("Pasted HTML loses its handlers, and keeps its styles where the schema reads them", () => {
  const html = `<p style="color: red" onclick='a()' class=x>a < b onclick="kept"</p><img src=x ONERROR=b()>`

  expect(preparePastedHtml(html)).toBe(`<p data-style="color:red" class=x>a < b onclick="kept"</p><img src=x>`)
})

function doc(...content: TextNode[]): TextNode {
  return { type: "doc", content }
}

function paragraph(...content: TextNode[]): TextNode {
  return content.length > 0 ? { type: "paragraph", content } : { type: "paragraph" }
}

function text(words: string, ...marks: NonNullable<TextNode["marks"]>): TextNode {
  return marks.length > 0 ? { type: "text", text: words, marks } : { type: "text", text: words }
}

function cell(type: string, words: string): TextNode {
  return { type, content: [paragraph(text(words))] }
}

function link(href: string) {
  return { type: "link", attrs: { href } }
}

function comment(id: string) {
  return { type: "comment", attrs: { id } }
}
