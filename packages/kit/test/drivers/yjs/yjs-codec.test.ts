import { afterAll, expect, test } from "vitest"
import * as Y from "yjs"
import { createYjsCodec } from "../../../src/drivers/yjs/yjs-codec.ts"
import type { DocumentRoot } from "../../../src/ports/document-codec.ts"

const codec = createYjsCodec()
const BODY: DocumentRoot = { name: "body", shape: "richText" }
const NOTE: DocumentRoot = { name: "note", shape: "text" }
const SETTINGS: DocumentRoot = { name: "settings", shape: "json" }

afterAll(() => codec.close())

const RICH_TEXT = {
  type: "doc",
  content: [
    { type: "heading", attrs: { level: 2 }, content: [{ type: "text", text: "A title" }] },
    {
      type: "paragraph",
      content: [
        { type: "text", text: "Plain and " },
        { type: "text", text: "strong", marks: [{ type: "strong" }, { type: "link", attrs: { href: "/a" } }] },
        { type: "hard_break" },
      ],
    },
  ],
}

test.each([
  { root: BODY, value: RICH_TEXT },
  { root: BODY, value: { type: "doc", content: [] } },
  { root: NOTE, value: "Some words\n🙂" },
  { root: NOTE, value: "" },
  { root: SETTINGS, value: { a: 1, list: [1, { b: [] }, "x", null], nested: { c: true } } },
  { root: SETTINGS, value: {} },
  { root: SETTINGS, value: null },
  { root: SETTINGS, value: [1, 2] },
  { root: SETTINGS, value: 0.5 },
  { root: SETTINGS, value: { $value: 1, other: 2 } },
  { root: SETTINGS, value: JSON.parse('{ "__proto__": { "a": 1 }, "constructor": 2 }') },
])("reads the value with which a document was made: $root.shape $value", async ({ root, value }) => {
  const update = await codec.create(root, value)

  expect((await codec.check(root, update)).refusal).toBeUndefined()
  expect(await codec.read(root, [update])).toStrictEqual(value)
  expect(await codec.read(root, [await codec.compact([update])])).toStrictEqual(value)
  expect(await codec.edit(root, [update], value)).toBeUndefined()
})

test("edits a document so that it has the new value", async () => {
  const update = await codec.create(BODY, RICH_TEXT)
  const value = { type: "doc", content: [...RICH_TEXT.content].reverse() }

  const edit = await codec.edit(BODY, [update], value)

  expect(await codec.read(BODY, [update, edit ?? new Uint8Array()])).toStrictEqual(value)
})

test("brings another replica up to date", async () => {
  const first = await codec.create(NOTE, "One")
  const edit = (await codec.edit(NOTE, [first], "One two")) ?? new Uint8Array()
  const replica = new Y.Doc()
  Y.applyUpdate(replica, first)

  const whole = await codec.differenceFrom([first, edit], undefined)
  const difference = await codec.differenceFrom([first, edit], Y.encodeStateVector(replica))
  Y.applyUpdate(replica, difference.update)

  expect(replica.getText("note").toString()).toBe("One two")
  expect(await codec.read(NOTE, [whole.update])).toBe("One two")
  expect(Y.decodeStateVector(difference.stateVector)).toEqual(Y.decodeStateVector(Y.encodeStateVector(replica)))
})
