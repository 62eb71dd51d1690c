import { collection } from "kit"
import { expect, test } from "vitest"
import * as Y from "yjs"
import { documentApp } from "../support/worlds/document-world.ts"

const notes = collection("notes").fields(({ f }) => ({
  text: f.textarea().collaborative(),
  body: f.richText().collaborative(),
}))

const MAX_EDIT_BYTES = 500
const WORDS = Array.from({ length: 8_000 }, (_, number) => `w${number}`)
const OTHER_WORDS = WORDS.with(4_050, "another")
const CURSOR_EVERY = 97

function paragraphs(words: readonly string[]) {
  const texts = Array.from({ length: 80 }, (_, number) => words.slice(number * 100, (number + 1) * 100).join(" "))
  return { type: "doc", content: texts.map((text) => ({ type: "paragraph", content: [{ type: "text", text }] })) }
}

function textsOf(type: Y.Text | Y.XmlFragment): Y.Text[] {
  return type instanceof Y.Text ? [type] : type.toArray().flatMap((node) => textsOf(node as Y.XmlElement | Y.XmlText))
}

/** Cursors all over the document, each with the number of letters that follow it. */
function cursorsIn(texts: readonly Y.Text[]) {
  return texts.flatMap((text) => {
    const before = text.toString()
    return Array.from({ length: Math.ceil(before.length / CURSOR_EVERY) }, (_, number) => {
      const index = number * CURSOR_EVERY
      return { text, before, index, position: Y.createRelativePositionFromTypeIndex(text, index) }
    })
  })
}

/** Returns where a cursor belongs, if it was not inside of what has changed. */
function placeAfter(before: string, after: string, index: number): number | undefined {
  if (after.startsWith(before.slice(0, index))) return index
  return after.endsWith(before.slice(index)) ? after.length - before.length + index : undefined
}

test.each([
  ["text", WORDS.join(" "), OTHER_WORDS.join(" "), (doc: Y.Doc) => doc.getText("text")],
  ["body", paragraphs(WORDS), paragraphs(OTHER_WORDS), (doc: Y.Doc) => doc.getXmlFragment("body")],
])(
  "an update of one word in 50 KB of %s is a small edit, and moves no cursor elsewhere",
  async (field, before, after, rootOf) => {
    const app = await documentApp({ resources: [notes] })
    expect(JSON.stringify(before).length).toBeGreaterThan(45_000)
    const { id } = await app.collections["notes"].create({ [field]: before })
    const address = app.address("notes", id, { field })
    const editor = await app.edit(address)
    const cursors = cursorsIn(textsOf(rootOf(editor.doc)))

    await app.collections["notes"].updateById({ id, data: { [field]: after } })
    await app.documents.open(address)

    const page = await app.documents.updatesSince(editor.id, 0)
    expect(page?.updates).toHaveLength(1)
    expect(page?.updates[0]?.byteLength).toBeLessThanOrEqual(MAX_EDIT_BYTES)
    await editor.pull()
    expect(textsOf(rootOf(editor.doc)).join(" ")).toBe(OTHER_WORDS.join(" "))
    const places = cursors.map(({ text, before: was, index, position }) => ({
      expected: placeAfter(was, text.toString(), index),
      found: Y.createAbsolutePositionFromRelativePosition(position, editor.doc)?.index,
    }))
    expect(places.filter(({ expected, found }) => expected !== undefined && expected !== found)).toEqual([])
    expect(places.length).toBeGreaterThan(400)
  },
)
