import fc from "fast-check"
import * as Y from "yjs"
import { createDocument, editDocument } from "../../../src/drivers/yjs/documents.ts"
import type { DocumentRoot } from "../../../src/ports/document-codec.ts"

export const TEXT_ROOT: DocumentRoot = { name: "field", shape: "text" }
export const RICH_TEXT_ROOT: DocumentRoot = { name: "field", shape: "richText" }
export const JSON_ROOT: DocumentRoot = { name: "field", shape: "json" }
export const ROOTS = [TEXT_ROOT, RICH_TEXT_ROOT, JSON_ROOT]

const WORDS = ["one", "two", "three", " ", " ", "\n", "🙂", "👩‍🚀", "漢字", "é", ".", "a", "b"]

export const anyText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...WORDS) },
      { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
    ),
  )
  .map((words) => words.join(""))

const anyKey = fc.oneof(
  fc.constantFrom("a", "b", "c", "$value", "__proto__", "constructor", "toString", ""),
  fc.string(),
)

export const anyJson: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, 1, -1.5, "", "text"),
    anyText,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.uniqueArray(fc.tuple(anyKey, tie("value")), { maxLength: 4, selector: ([key]) => key }).map(Object.fromEntries),
  ),
})).value

const anyMark = fc.oneof(
  fc.constantFrom({ type: "strong" }, { type: "em" }, { type: "code" }),
  fc.constantFrom("/a", "/b").map((href) => ({ type: "link", attrs: { href, title: null } })),
  fc.nat(2).map((id) => ({ type: "comment", attrs: { id } })),
)

const anyTextNode = fc.record({
  type: fc.constant("text"),
  text: anyText.filter((text) => text !== ""),
  marks: fc.uniqueArray(anyMark, {
    maxLength: 3,
    // A text can have several comments, and one mark of each other type.
    selector: (mark) => (mark.type === "comment" ? JSON.stringify(mark) : mark.type),
  }),
})

interface Block {
  readonly node: unknown
}

const anyBlock: fc.Arbitrary<unknown> = fc.letrec<Block>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom({ type: "horizontal_rule" }, { type: "paragraph" }),
    fc.record({
      type: fc.constantFrom("paragraph", "heading"),
      attrs: fc.constantFrom(undefined, { level: 1 }, { level: 2, id: { a: [1] } }),
      content: fc.array(fc.oneof(anyTextNode, fc.constant({ type: "hard_break" })), { maxLength: 4 }),
    }),
    fc.record({ type: fc.constant("blockquote"), content: fc.array(tie("node"), { maxLength: 3 }) }),
  ),
})).node

/** Any rich text, in the form in which a document gives it back. */
export const anyRichText: fc.Arbitrary<unknown> = fc
  .array(anyBlock, { maxLength: 6 })
  .map((content) => ({ type: "doc", content: canonicalContent(content) }))

/** Any value of a field, with the root of its document. */
export const anyValues = (count: number): fc.Arbitrary<{ root: DocumentRoot; values: unknown[] }> =>
  fc.oneof(
    ...(
      [
        [TEXT_ROOT, anyText],
        [RICH_TEXT_ROOT, anyRichText],
        [JSON_ROOT, anyJson],
      ] as const
    ).map(([root, value]) =>
      fc.array(value, { minLength: count, maxLength: count }).map((values) => ({ root, values })),
    ),
  )

/** Any document that several editors have made at the same time: the updates of its first value and of their edits. */
export function anyDocument(): fc.Arbitrary<{ root: DocumentRoot; updates: Uint8Array[] }> {
  return anyValues(4).map(({ root, values: [first, ...others] }) => {
    const base = createDocument(root, first)
    const edits = others.flatMap((value) => editDocument(root, [base], value) ?? [])
    const last = editDocument(root, [base, ...edits], first)
    return { root, updates: [base, ...edits, ...(last === undefined ? [] : [last])] }
  })
}

/** Returns nodes without empty members, with neighbouring texts of the same marks as one. */
export function canonicalContent(nodes: readonly unknown[]): unknown[] {
  const result: Record<string, unknown>[] = []
  // The cast is safe: the nodes are made by this file or read from a document.
  for (const node of nodes as Record<string, unknown>[]) {
    const canonical = canonicalNode(node)
    const last = result.at(-1)
    if (last?.["type"] === "text" && canonical["type"] === "text" && sameMarks(last, canonical)) {
      last["text"] = `${last["text"]}${canonical["text"]}`
    } else result.push(canonical)
  }
  return result
}

function canonicalNode(node: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const content = Array.isArray(node["content"]) ? canonicalContent(node["content"]) : []
  const attrs = Object.entries(node["attrs"] ?? {}).filter(([, value]) => value !== null)
  const marks = (Array.isArray(node["marks"]) ? node["marks"] : []).map(canonicalMark)
  return {
    type: node["type"],
    ...(attrs.length === 0 ? {} : { attrs: Object.fromEntries(attrs) }),
    ...(content.length === 0 ? {} : { content }),
    ...(node["text"] === undefined ? {} : { text: node["text"] }),
    ...(marks.length === 0 ? {} : { marks: marks.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) }),
  }
}

function canonicalMark({ type, attrs = {} }: { type: string; attrs?: object }): object {
  return { type, ...(Object.keys(attrs).length === 0 ? {} : { attrs }) }
}

function sameMarks(first: Readonly<Record<string, unknown>>, second: Readonly<Record<string, unknown>>): boolean {
  return JSON.stringify(first["marks"]) === JSON.stringify(second["marks"])
}

/** Returns a document that is loaded from these updates. */
export function loaded(updates: readonly Uint8Array[]): Y.Doc {
  const doc = new Y.Doc()
  for (const update of updates) Y.applyUpdate(doc, update)
  return doc
}
