// @module-tag full-count

import { deepStrictEqual } from "node:assert"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import * as Y from "yjs"
import { count } from "../../../../../test/support/count.ts"
import { createDocument, editDocument, readDocument } from "../../../src/drivers/yjs/documents.ts"
import type { DocumentRoot } from "../../../src/ports/document-codec.ts"
import { anyValues, canonicalContent, JSON_ROOT, loaded, RICH_TEXT_ROOT, TEXT_ROOT } from "./any-document.ts"

test("a document has exactly the value with which it was made, and then the value of each edit", () => {
  fc.assert(
    fc.property(anyValues(3), ({ root, values }) => {
      const updates = [createDocument(root, values[0])]
      deepStrictEqual(valueIn(root, updates), values[0])

      for (const value of values) {
        const edit = editDocument(root, updates, value)
        if (edit !== undefined) updates.push(edit)
        deepStrictEqual(valueIn(root, updates), value)
        expect(editDocument(root, updates, value)).toBeUndefined()
      }
    }),
    { numRuns: count({ short: 60, long: 200 }) },
  )
})

// The order of a text's marks is not part of the value.
function valueIn(root: DocumentRoot, updates: readonly Uint8Array[]): unknown {
  const value = readDocument(root, updates)
  if (root !== RICH_TEXT_ROOT) return value
  // The cast is safe: this is the form of a rich text.
  return { type: "doc", content: canonicalContent((value as { content: unknown[] }).content) }
}

// 50 KB of text in 400 lines, with one word that appears once, in the middle of a line in the middle.
const LINES = Array.from(
  { length: 400 },
  (_, line) => `${line}: ${"the quick brown fox jumps over the lazy dog ".repeat(3)}`,
)
LINES[200] = "200: all the quick brown foxes and an elephant jump over the lazy dogs of the farm "

describe("a change of one word in 50 KB", () => {
  test("of text is a small edit that moves no cursor outside of the word", () => {
    const before = LINES.join("\n")
    const update = createDocument(TEXT_ROOT, before)
    const doc = loaded([update])
    const text = doc.getText("field")
    const word = { start: before.indexOf("elephant"), end: before.indexOf("elephant") + "elephant".length }
    const places = [0, 7, word.start - 1, word.start, word.end, word.end + 1, before.length - 5, before.length]
    const cursors = places.map((place) =>
      Y.createRelativePositionFromTypeIndex(text, place, place > word.start ? 0 : -1),
    )

    const edit = editDocument(TEXT_ROOT, [update], before.replace("elephant", "hippopotamus")) ?? new Uint8Array()
    Y.applyUpdate(doc, edit)

    const shift = "hippopotamus".length - "elephant".length
    expect(edit.length).toBeLessThanOrEqual(500)
    expect(before.length).toBeGreaterThan(50_000)
    expect(text.toString()).toBe(before.replace("elephant", "hippopotamus"))
    expect(cursors.map((cursor) => indexOf(doc, cursor))).toEqual(
      places.map((place) => (place <= word.start ? place : place + shift)),
    )
  })

  test("of rich text is a small edit that keeps all nodes and moves no cursor", () => {
    const value = { type: "doc", content: LINES.map((line, number) => paragraph(line, number)) }
    const changed = JSON.parse(JSON.stringify(value).replace("elephant", "hippopotamus"))
    const update = createDocument(RICH_TEXT_ROOT, value)
    const doc = loaded([update])
    const texts = doc.getXmlFragment("field").toArray().map(textOf)
    const middle = texts[200]
    const start = middle?.toString().indexOf("elephant") ?? 0
    const cursors = texts.map((text) => Y.createRelativePositionFromTypeIndex(text, 4))
    const before = middle && Y.createRelativePositionFromTypeIndex(middle, start, -1)
    const after = middle && Y.createRelativePositionFromTypeIndex(middle, start + "elephant".length)

    const edit = editDocument(RICH_TEXT_ROOT, [update], changed) ?? new Uint8Array()
    Y.applyUpdate(doc, edit)

    expect(edit.length).toBeLessThanOrEqual(500)
    expect(readDocument(RICH_TEXT_ROOT, [update, edit])).toEqual(changed)
    expect(doc.getXmlFragment("field").toArray().map(textOf)).toEqual(texts)
    expect(cursors.map((cursor) => indexOf(doc, cursor))).toEqual(texts.map(() => 4))
    expect(before && indexOf(doc, before)).toBe(start)
    expect(after && indexOf(doc, after)).toBe(start + "hippopotamus".length)
  })

  test("of a list of texts is a small edit", () => {
    const update = createDocument(JSON_ROOT, { lines: LINES.map((text) => ({ text })) })
    const changed = { lines: LINES.map((line) => ({ text: line.replace("elephant", "hippopotamus") })) }

    const edit = editDocument(JSON_ROOT, [update], changed) ?? new Uint8Array()

    expect(edit.length).toBeLessThanOrEqual(500)
    expect(readDocument(JSON_ROOT, [update, edit])).toEqual(changed)
  })
})

test("distant changes of a long text are small edits of their own", () => {
  const before = LINES.join("\n")
  const after = before.replace("3: the", "3: all the").replace("elephant", "hippopotamus").replace(/dog $/, "cat 漢字")
  const update = createDocument(TEXT_ROOT, before)

  const edit = editDocument(TEXT_ROOT, [update], after) ?? new Uint8Array()

  expect(edit.length).toBeLessThanOrEqual(200)
  expect(readDocument(TEXT_ROOT, [update, edit])).toBe(after)
})

test("a new mark is added to a text without writing the text again", () => {
  const line = LINES.join(" ")
  const update = createDocument(RICH_TEXT_ROOT, { type: "doc", content: [paragraph(line, 1)] })
  const [before = "", after = ""] = line.split("elephant")
  const strong = { type: "text", text: "elephant", marks: [{ type: "strong" }] }
  const content = [{ type: "text", text: before }, strong, { type: "text", text: after }]
  const value = { type: "doc", content: [{ ...paragraph(line, 1), content }] }

  const edit = editDocument(RICH_TEXT_ROOT, [update], value) ?? new Uint8Array()

  expect(edit.length).toBeLessThanOrEqual(100)
  expect(readDocument(RICH_TEXT_ROOT, [update, edit])).toEqual(value)
})

test("a paragraph between others is one edit, and so is its removal", () => {
  const content = LINES.map((line, number) => paragraph(line, number))
  const more = content.toSpliced(100, 0, paragraph("A new paragraph", 7))
  const update = createDocument(RICH_TEXT_ROOT, { type: "doc", content })

  const insertion = editDocument(RICH_TEXT_ROOT, [update], { type: "doc", content: more }) ?? new Uint8Array()
  const removal = editDocument(RICH_TEXT_ROOT, [update, insertion], { type: "doc", content }) ?? new Uint8Array()

  expect(insertion.length).toBeLessThanOrEqual(150)
  expect(removal.length).toBeLessThanOrEqual(50)
  expect(readDocument(RICH_TEXT_ROOT, [update, insertion, removal])).toEqual({ type: "doc", content })
})

test("two edits at the same time keep both changes", () => {
  const value = { type: "doc", content: [paragraph("one two three", 1), paragraph("four", 2)] }
  const update = createDocument(RICH_TEXT_ROOT, value)
  const edits = [
    { type: "doc", content: [paragraph("one 2 three", 1), paragraph("four", 2)] },
    { type: "doc", content: [paragraph("one two three!", 3), paragraph("new", 9), paragraph("four", 2)] },
  ].flatMap((other) => editDocument(RICH_TEXT_ROOT, [update], other) ?? [])

  expect(readDocument(RICH_TEXT_ROOT, [update, ...edits])).toEqual({
    type: "doc",
    content: [paragraph("one 2 three!", 3), paragraph("new", 9), paragraph("four", 2)],
  })
})

test("texts that have nothing in common are replaced as a whole, in bounded time", () => {
  const words = (seed: number) => Array.from({ length: 60_000 }, (_, word) => `w${(word * seed) % 7919}`).join(" ")
  const update = createDocument(TEXT_ROOT, words(3))
  const started = performance.now()

  const edit = editDocument(TEXT_ROOT, [update], words(5)) ?? new Uint8Array()

  expect(performance.now() - started).toBeLessThan(60_000)
  expect(readDocument(TEXT_ROOT, [update, edit])).toBe(words(5))
})

test("the parts of a surrogate pair are never separated", () => {
  const update = createDocument(TEXT_ROOT, "🙂🙃")

  const edit = editDocument(TEXT_ROOT, [update], "🙂🙂x🙃") ?? new Uint8Array()

  expect(readDocument(TEXT_ROOT, [update, edit])).toBe("🙂🙂x🙃")
})

test("a json document that gets its first member stands for an object", () => {
  const doc = loaded([createDocument(JSON_ROOT, [1, 2])])
  doc.getMap("field").set("title", "A title")

  expect(readDocument(JSON_ROOT, [Y.encodeStateAsUpdate(doc)])).toEqual({ title: "A title" })
})

test("shared texts and plain objects in a json document stay what they are", () => {
  const doc = new Y.Doc()
  doc.getMap("field").set("text", new Y.Text("one two"))
  doc.getMap("field").set("plain", { a: 1 })
  const update = Y.encodeStateAsUpdate(doc)

  const edit = editDocument(JSON_ROOT, [update], { text: "one 2", plain: { a: 2 } }) ?? new Uint8Array()
  Y.applyUpdate(doc, edit)

  expect(doc.getMap("field").get("text")).toBeInstanceOf(Y.Text)
  expect(doc.getMap("field").get("plain")).toEqual({ a: 2 })
  expect(doc.getMap("field").toJSON()).toEqual({ text: "one 2", plain: { a: 2 } })
})

function paragraph(text: string, number: number): { type: string; attrs: object; content: object[] } {
  return { type: "paragraph", attrs: { number }, content: [{ type: "text", text }] }
}

function textOf(element: unknown): Y.XmlText {
  // The cast is safe: each paragraph of these tests has one text.
  return (element as Y.XmlElement).get(0) as Y.XmlText
}

function indexOf(doc: Y.Doc, cursor: Y.RelativePosition): number | undefined {
  return Y.createAbsolutePositionFromRelativePosition(cursor, doc)?.index
}
