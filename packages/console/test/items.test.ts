import { expect, test } from "vitest"
import { copied, newBlockId } from "../src/fields/items/copied.ts"
import { excerptOf } from "../src/fields/items/excerpt.ts"
import { followKeys } from "../src/fields/items/follow-keys.ts"
import { shownMembers } from "../src/fields/object/shown-members.ts"
import { blocks, part } from "./part-schemas.ts"

const [a, b, c, d] = [{ text: "a" }, { text: "b" }, { text: "c" }, { text: "d" }]
const before = { items: [a, b, c], keys: ["ka", "kb", "kc"] }

test.each([
  ["is typed in", [a, { text: "b, edited" }, c], ["ka", "kb", "kc"]],
  ["is moved", [b, c, a], ["kb", "kc", "ka"]],
  ["is removed", [a, c], ["ka", "kc"]],
  ["has come from the server again", structuredClone([a, b, c]), ["ka", "kb", "kc"]],
  ["has moved in what came from the server", structuredClone([c, a, b]), ["kc", "ka", "kb"]],
])("An item keeps its key when it %s", (_, items, keys) => {
  expect(followKeys(before, items)).toEqual(keys)
})

test("A new item gets a key of its own, and the others keep theirs", () => {
  const [first, second, third, fourth] = followKeys(before, [a, d, b, c])

  expect([first, third, fourth]).toEqual(["ka", "kb", "kc"])
  expect(["ka", "kb", "kc"]).not.toContain(second)
})

test("Equal texts keep their keys in their order", () => {
  const texts = { items: ["x", "x", "y"], keys: ["1", "2", "3"] }

  expect(followKeys(texts, ["x", "y"])).toEqual(["1", "3"])
  expect(followKeys(texts, ["y", "x", "x"])).toEqual(["3", "1", "2"])
})

test("An item is named by its first text, in the order of the declaration, also inside of its parts", () => {
  const link = part("object", { fields: { size: part("number"), label: part("text") } })
  const fields = { kind: part("select"), links: part("array", { items: link }), note: part("textarea") }

  expect(excerptOf(fields, { note: "a note", links: [{ size: 3, label: "In a link" }] })).toBe("In a link")
  expect(excerptOf(fields, { note: " a note " })).toBe("a note")
  expect(excerptOf({ text: part("richText") }, { text: doc("Two ", "words") })).toBe("Two words")
  expect(excerptOf({ size: part("number") }, { size: 7 })).toBe("7")
  expect(excerptOf(fields, null)).toBe("")
})

test("A copy has blocks with ids of their own, and everything else as it was", () => {
  const json = { type: "kept", id: "kept" }
  const list = blocks({ card: { text: part("text"), data: part("json") } })
  const item = part("object", { fields: { cards: list, note: part("text") } })

  const copy = copied(item, { cards: [{ type: "card", id: "one", text: "t", data: json }], note: "n" })

  expect(copy).toEqual({ cards: [{ type: "card", id: expect.any(String), text: "t", data: json }], note: "n" })
  expect(JSON.stringify(copy)).not.toContain('"one"')
})

test("The ids of new blocks are such as the server takes", () => {
  const ids = Array.from({ length: 1_000 }, newBlockId)

  expect(new Set(ids).size).toBe(1_000)
  expect(ids.every((id) => /^[A-Za-z0-9_-]{1,64}$/.test(id))).toBe(true)
})

test("A member is shown while the other members match its condition, where a missing value is null", () => {
  const fields = {
    leadsTo: part("select"),
    page: part("text", { visible: { leadsTo: "page" } }),
    hint: part("text", { visible: { leadsTo: { isNull: true } } }),
  }

  expect(shownMembers(fields, { leadsTo: "page" })).toEqual(["leadsTo", "page"])
  expect(shownMembers(fields, null)).toEqual(["leadsTo", "hint"])
})

function doc(...texts: string[]) {
  return { type: "doc", content: [{ type: "paragraph", content: texts.map((text) => ({ type: "text", text })) }] }
}
