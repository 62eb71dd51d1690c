import { expect, test } from "vitest"
import { createClient } from "../../src/client.ts"
import { factsOf } from "../../src/react/reads/facts-of.ts"
import { routeQuery } from "../../src/react/routes/route-entry.ts"
import { queryOf } from "../../src/react/store/query-key.ts"

const client = createClient({ baseURL: "http://localhost:1" })
const { posts } = client.collections as any

const keyOf = (options: object, handle: unknown = posts) => queryOf(factsOf(handle, "the test"), options).key

test.each([
  ["the order of options", { where: { a: 1, b: 2 }, limit: 3 }, { limit: 3, where: { b: 2, a: 1 } }],
  ["options that are undefined", { limit: undefined, where: { a: 1 } }, { where: { a: 1 } }],
  ["a date and its text", { where: { at: new Date(0) } }, { where: { at: "1970-01-01T00:00:00.000Z" } }],
  ["a big integer and its text", { where: { size: 2n ** 60n } }, { where: { size: String(2n ** 60n) } }],
  [
    "the order of conditions in lists",
    { where: { OR: [{ a: 1, b: { in: [1, 2] } }] } },
    { where: { OR: [{ b: { in: [1, 2] }, a: 1 }] } },
  ],
  [
    "the order of related columns",
    { with: { author: { columns: { a: true, b: true } } } },
    { with: { author: { columns: { b: true, a: true } } } },
  ],
])("two reads that differ only in %s have the same key", (_name, one, other) => {
  expect(keyOf(one)).toBe(keyOf(other))
})

test.each([
  ["a number and its text", { where: { a: 1 } }, { where: { a: "1" } }],
  ["the order of a list", { where: { a: { in: [1, 2] } } }, { where: { a: { in: [2, 1] } } }],
  ["the list of a condition", { where: { OR: [{ a: 1 }, { b: 2 }] } }, { where: { OR: [{ a: 1 }], b: 2 } }],
  ["an object and the list of its members", { where: { a: { eq: { b: 1 } } } }, { where: { a: { eq: [["b", 1]] } } }],
  ["the order of orderBy", { orderBy: { a: "asc", b: "asc" } }, { orderBy: { b: "asc", a: "asc" } }],
  ["the order in a list of orderBy", { orderBy: [{ a: "asc", b: "asc" }] }, { orderBy: [{ b: "asc", a: "asc" }] }],
  [
    "the order of a related record's fields",
    { orderBy: { author: { name: "asc", age: "asc" } } },
    { orderBy: { author: { age: "asc", name: "asc" } } },
  ],
])("two reads that differ in %s have two keys", (_name, one, other) => {
  expect(keyOf(one)).not.toBe(keyOf(other))
})

test("the handle and the client's locale are part of the key", () => {
  const keys = [posts, posts.total, posts.record("a"), posts.record("b"), client.globals["posts"]].map((handle) =>
    keyOf({}, handle),
  )
  client.setLocale("sk")

  expect(new Set([...keys, keyOf({})]).size).toBe(6)
})

test("the input of a route keeps the types of its values apart", () => {
  const facts = { ...factsOf(posts, "the test"), resource: "POST /stats" }
  const routeKeyOf = (input: unknown) => routeQuery(facts, { route: () => Promise.resolve(), input }).key
  const inputs = [undefined, null, {}, { at: new Date(0) }, { at: new Date(0).toJSON() }, { at: new Map([["a", 1]]) }]

  expect(new Set(inputs.map(routeKeyOf)).size).toBe(inputs.length)
  expect(routeKeyOf({ a: 1n, b: 2 })).toBe(routeKeyOf({ b: 2, a: 1n }))
})
