import { expect, test } from "vitest"
import { share } from "../../src/react/store/share.ts"

const at = (ms: number) => new Date(ms)

test.each([
  ["a page of records", { docs: [{ id: "1", at: at(0), size: 2n ** 60n }], totalDocs: 1 }],
  ["groups", { groups: [{ key: "a", value: "a", docs: [{ id: "1" }] }] }],
  ["maps and sets", { map: new Map([["a", { n: at(1) }]]), set: new Set([1, "b"]) }],
  ["numbers that are not equal to themselves", [Number.NaN, null, undefined]],
])("equal data is the old value: %s", (_name, value) => {
  expect(share(value, structuredClone(value))).toBe(value)
})

test.each([
  ["a date", { at: at(0) }, { at: at(1) }],
  ["a member that is undefined now", { a: undefined }, { b: undefined }],
  ["a member less", { a: 1, b: 2 }, { a: 1 }],
  ["an item less", [1, 2], [1]],
  ["an entry of a map", new Map([["a", 1]]), new Map([["a", 2]])],
  ["an item of a set", new Set([1]), new Set([2])],
  ["a list in place of an object", {}, []],
  ["null in place of an object", { a: {} }, { a: null }],
  ["text in place of a number", [1], ["1"]],
])("changed data is the new value: %s", (_name, old, value) => {
  const shared = share(old, value)

  expect(shared).not.toBe(old)
  expect(shared).toEqual(value)
})

test("records keep their identity when others are inserted, removed and moved", () => {
  const [one, two, three] = ["1", "2", "3"].map((id) => ({ id, tags: [{ id: `tag ${id}` }] }))
  const old = { docs: [one, two, three], totalDocs: 3 }

  const shared = share(old, structuredClone({ docs: [three, { id: "4", tags: [] }, one], totalDocs: 3 }))

  expect(shared).toEqual({ docs: [three, { id: "4", tags: [] }, one], totalDocs: 3 })
  expect(docsOf(shared)).toEqual([three, { id: "4", tags: [] }, one])
  expect([docsOf(shared)[0], docsOf(shared)[2]].map((doc) => [one, two, three].indexOf(doc as never))).toEqual([2, 0])
})

test("the unchanged parts of a changed record keep their identity", () => {
  const old = { id: "1", title: "a", author: { id: "2" }, tags: [{ id: "3" }] }

  const shared = share(old, { ...structuredClone(old), title: "b" })

  expect(shared).toEqual({ ...old, title: "b" })
  expect(Reflect.get(Object(shared), "author")).toBe(old.author)
  expect(Reflect.get(Object(shared), "tags")).toBe(old.tags)
})

function docsOf(page: unknown): readonly unknown[] {
  return Reflect.get(Object(page), "docs")
}
