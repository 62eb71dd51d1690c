// @module-tag not-about-connections

import { collection } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const pages = collection("pages")
  .fields(({ f }) => ({
    body: f.blocks({
      hero: { heading: f.text(), stars: f.number().integer() },
      quote: { text: f.textarea(), inner: f.blocks({ note: { text: f.text() } }) },
      rule: {},
    }),
  }))
  .access({ read: true })

let app: TestApp
beforeAll(async () => {
  app = await testApp({ resources: [pages] })
})
afterAll(() => app[Symbol.asyncDispose]())

const nested = (depth: number): object => (depth === 0 ? { type: "rule" } : { NOT: nested(depth - 1) })

test.each<[string, unknown, string, string]>([
  ["an item's filter without some", { type: "quote" }, "where.body.type", 'has no operator "type"'],
  ["a value", "quote", "where.body", 'has no operator "eq"'],
  ["no object of conditions", { some: "quote" }, "where.body.some", "Expected conditions on an item"],
  ["a list of conditions", { some: [{ type: "quote" }] }, "where.body.some", "Expected conditions on an item"],
  ["an unknown block", { some: { type: "qoute" } }, "where.body.some.type", "Expected one of: hero, quote, rule."],
  [
    "an unknown block in a list",
    { some: { type: { in: ["quote", "x"] } } },
    "where.body.some.type.in.1",
    "Expected one of",
  ],
  [
    "an operator that types do not have",
    { some: { type: { like: "q%" } } },
    "where.body.some.type.like",
    'no operator "like"',
  ],
  ["a null type", { none: { type: null } }, "where.body.none.type", "Expected one of"],
  ["no operator on the type", { none: { type: {} } }, "where.body.none.type", "Expected the name of a block"],
  [
    "a member without its block",
    { some: { text: "x" } },
    "where.body.some.text",
    'Name the block of "text" in the same object: { type: "quote", text: … }.',
  ],
  [
    "a member beside several blocks",
    { some: { type: { in: ["quote"] }, text: "x" } },
    "where.body.some.text",
    "Name the block of",
  ],
  [
    "a member whose block is named outside",
    { some: { type: "quote", OR: [{ text: "x" }] } },
    "where.body.some.OR.0.text",
    "Name the block of",
  ],
  [
    "a member of another block",
    { every: { type: "hero", text: "x" } },
    "where.body.every.text",
    'block "hero" has no member "text"',
  ],
  ["a misspelt member", { some: { type: "hero", headign: "x" } }, "where.body.some.headign", 'Did you mean "heading"?'],
  ["a name that no block has", { some: { zzz: 1 } }, "where.body.some.zzz", 'No block has a member "zzz".'],
  ["the id of an item", { some: { id: "x" } }, "where.body.some.id", 'No block has a member "id".'],
  [
    "an operator of another type",
    { some: { type: "hero", heading: { gt: 1 } } },
    "where.body.some.heading.gt",
    'has no operator "gt"',
  ],
  [
    "a value of another type",
    { some: { type: "hero", stars: "many" } },
    "where.body.some.stars",
    "Expected a whole number",
  ],
  [
    "an empty condition",
    { some: { type: "hero", stars: {} } },
    "where.body.some.stars",
    "Expected a value or an operator.",
  ],
  [
    "a null in a list of operators",
    { some: { type: "hero", stars: { gt: null } } },
    "where.body.some.stars.gt",
    "Expected",
  ],
  [
    "a mistake in an inner list",
    { some: { type: "quote", inner: { some: { type: "x" } } } },
    "where.body.some.inner.some.type",
    "Expected one of: note.",
  ],
  ["a filter with an object for AND", { some: { AND: {} } }, "where.body.some.AND", "Expected a list of conditions."],
  [
    "too many levels",
    { some: nested(11) },
    expect.stringContaining("where.body.some.NOT") as never,
    "at most 10 levels deep",
  ],
  ["a length that is no number", { length: "many" }, "where.body.length", "Expected a number of items."],
  ["prototypes", { some: { type: "__proto__" } }, "where.body.some.type", "Expected one of"],
  [
    "the constructor",
    { some: { constructor: 1 } },
    "where.body.some.constructor",
    'No block has a member "constructor".',
  ],
])("%s is 400, with the path", async (_name, body, path, message) => {
  const answer = await app.fetch("/pages/query", { method: "POST", body: JSON.stringify({ where: { body } }) })

  expect(answer.status).toBe(400)
  expect(answer.body.error.fieldErrors).toEqual([{ path, message: expect.stringContaining(message) }])
})

test("conditions on items count towards what a filter may cost, and towards its conditions", async () => {
  const quoted = (count: number) => Array.from({ length: count }, () => ({ type: "quote", text: { contains: "x" } }))
  const ask = (where: object) => app.fetch("/pages/query", { method: "POST", body: JSON.stringify({ where }) })

  const few = await ask({ body: { some: { OR: quoted(5) } } })
  const many = await ask({ body: { some: { OR: quoted(10) } } })
  const empty = await ask({ body: { some: { OR: Array.from({ length: 501 }, () => ({})) } } })

  expect([few.status, many.status, empty.status]).toEqual([200, 400, 400])
  expect(many.body.error.fieldErrors[0].message).toContain("limits.filter.comparisonsPerRequest")
  expect(empty.body.error.fieldErrors[0].message).toContain("at most 500 conditions")
})

test("an operand is text of the query and never part of the statement", async () => {
  const text = "x' or 1=1 --\\"

  const answer = await app.client().collections["pages"].count({ where: { body: { some: { type: "quote", text } } } })

  expect(answer).toBe(0)
})
