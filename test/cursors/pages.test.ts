// @module-tag not-about-connections

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { cursorWorld, EDITOR, type PagedList, readPage } from "../support/worlds/cursor-world.ts"
import type { TestApp } from "../support/worlds/test-app.ts"

let app: TestApp
let list: PagedList

beforeAll(async () => {
  app = await cursorWorld()
})

beforeEach(() => {
  const where = { number: { lte: 10 }, createdAt: { lt: "2025-01-01T00:00:00Z" } }
  list = { app, options: { orderBy: { number: "asc" }, where } }
})

afterAll(() => app[Symbol.asyncDispose]())

describe("a page by cursors", () => {
  test("has what is known of a page without a number", async () => {
    const first = await app.fetch("/entries?limit=2&after=&orderBy[number]=asc&where[number][lte]=5")

    expect(first.body).toEqual({
      docs: [expect.objectContaining({ number: 1 }), expect.objectContaining({ number: 2 })],
      totalDocs: 5,
      limit: 2,
      totalPages: -1,
      page: -1,
      pagingCounter: -1,
      hasPrevPage: false,
      hasNextPage: true,
      prevPage: null,
      nextPage: null,
      startCursor: expect.stringMatching(/^[\w-]+$/),
      endCursor: expect.stringMatching(/^[\w-]+$/),
    })
  })

  test("follows an endCursor, and precedes a startCursor", async () => {
    const first = await readPage(list, { limit: 3, after: null })
    const second = await readPage(list, { limit: 3, after: first.endCursor })
    const firstAgain = await readPage(list, { limit: 3, before: second.startCursor })

    expect([first.numbers, second.numbers, firstAgain.numbers]).toEqual([
      [1, 2, 3],
      [4, 5, 6],
      [1, 2, 3],
    ])
    expect([second.hasPrevPage, second.hasNextPage]).toEqual([true, true])
    expect([firstAgain.hasPrevPage, firstAgain.hasNextPage]).toEqual([false, true])
    expect(firstAgain).toEqual(first)
  })

  test("at the end of the list is its last page", async () => {
    const last = await readPage(list, { limit: 3, before: null })
    const one = await readPage(list, { limit: 1, before: last.startCursor })

    expect(last).toMatchObject({ numbers: [8, 9, 10], hasPrevPage: true, hasNextPage: false })
    expect(one).toMatchObject({ numbers: [7], hasPrevPage: true, hasNextPage: true })
  })

  test("has no cursors unless it is asked for by one", async () => {
    expect(await readPage(list, { limit: 3 })).not.toHaveProperty("endCursor")
  })

  test("has equal cursors for equal positions, from which no value can be read", async () => {
    const one = await readPage(list, { limit: 3, after: null })
    const other = await readPage(list, { limit: 3, after: null })

    expect(other).toEqual(one)
    expect(Buffer.from(one.endCursor ?? "", "base64url").toString("latin1")).not.toContain("3")
    expect(one.startCursor).not.toBe(one.endCursor)
  })

  test("is the same to a client and to code on the server", async () => {
    const options = { columns: { number: true }, limit: 2, before: null }
    const entries = app.client().collections["entries"]
    const local = app.app.as(null).collections["entries"]

    const last = await entries.find(options)
    const one = await entries.find({ ...options, before: last.startCursor, where: { number: { notIn: MANY_NUMBERS } } })

    expect(last).toEqual(await local?.find(options))
    expect(one.docs).toHaveLength(2)
  })
})

// Numbers that do not fit into a URL, so that the client sends its options in a body.
const MANY_NUMBERS = Array.from({ length: 1_000 }, (_, number) => 1_000_000 + number)

describe("a range between two cursors", () => {
  test("has the records between them, of which the first ones are shown", async () => {
    const start = await readPage(list, { limit: 2, after: null })
    const end = await readPage(list, { limit: 2, before: null })
    const range = { after: start.endCursor, before: end.startCursor }

    expect(await readPage(list, { ...range, limit: 20 })).toMatchObject({
      numbers: [3, 4, 5, 6, 7, 8],
      hasPrevPage: true,
      hasNextPage: false,
      totalDocs: 10,
    })
    expect(await readPage(list, { ...range, limit: 4 })).toMatchObject({ numbers: [3, 4, 5, 6], hasNextPage: true })
  })

  test("of two ends is the whole list", async () => {
    const whole = await readPage(list, { after: null, before: null, limit: 9 })

    expect(whole).toMatchObject({ numbers: [1, 2, 3, 4, 5, 6, 7, 8, 9], hasPrevPage: false, hasNextPage: true })
  })

  test("of a page's own cursors is that page, and gets what is inserted between its records", async () => {
    const { system } = app.app
    const options = { orderBy: { rank: "asc" }, where: { name: "inserted" } }
    const inserted = { ...list, options }
    for (const rank of [1, 3, 5]) await system.collections["entries"]?.create({ number: rank, rank, name: "inserted" })
    const first = await readPage(inserted, { limit: 2, after: null })

    const behind = await system.collections["entries"]?.create({ number: 4, rank: 4, name: "inserted" })
    await system.collections["entries"]?.create({ number: 2, rank: 2, name: "inserted" })

    const range = await readPage(inserted, { limit: 9, after: first.startCursor, before: first.endCursor })
    expect(range.numbers).toEqual([1, 2, 3])
    expect((await readPage(inserted, { limit: 9, after: first.endCursor })).numbers).toEqual([4, 5])
    expect(behind).toBeDefined()
  })
})

describe("an empty page", () => {
  test("has the cursors that it was asked with", async () => {
    const last = await readPage(list, { limit: 3, before: null })
    const first = await readPage(list, { limit: 3, after: null })

    expect(await readPage(list, { limit: 3, after: last.endCursor })).toMatchObject({
      numbers: [],
      totalDocs: 10,
      hasPrevPage: true,
      hasNextPage: false,
      startCursor: last.endCursor,
      endCursor: last.endCursor,
    })
    expect(await readPage(list, { limit: 3, before: first.startCursor })).toMatchObject({
      numbers: [],
      hasPrevPage: false,
      hasNextPage: true,
      startCursor: first.startCursor,
      endCursor: first.startCursor,
    })
    expect(await readPage(list, { limit: 3, after: last.endCursor, before: null })).toMatchObject({
      startCursor: last.endCursor,
      endCursor: last.endCursor,
    })
    expect(await readPage(list, { limit: 3, after: last.startCursor, before: first.endCursor })).toMatchObject({
      numbers: [],
      startCursor: last.startCursor,
      endCursor: first.endCursor,
    })
  })

  test("of an empty list has none", async () => {
    const empty = { ...list, options: { where: { number: 0 } } }

    const nothing = {
      numbers: [],
      totalDocs: 0,
      hasPrevPage: false,
      hasNextPage: false,
      startCursor: null,
      endCursor: null,
    }
    expect(await readPage(empty, { after: null })).toMatchObject(nothing)
    expect(await readPage(empty, { before: null, total: false })).toMatchObject({ ...nothing, totalDocs: -1 })
  })
})

describe("the total of a page by cursors", () => {
  test.each([
    [true, { totalDocs: 10 }],
    [false, { totalDocs: -1 }],
    [{ max: 4 }, { totalDocs: 4, totalIs: "atLeast" }],
    [{ max: 10 }, { totalDocs: 10, totalIs: "exact" }],
    ["estimate", { totalDocs: 10, totalIs: "exact" }],
  ])("%j is that of the whole list", async (total, expected) => {
    const { endCursor } = await readPage(list, { limit: 3, after: null })

    expect(await readPage(list, { limit: 3, after: endCursor, total })).toMatchObject(expected)
    expect(await readPage(list, { limit: 30, before: null, total })).toMatchObject(expected)
  })
})

describe("a record that is deleted or changed", () => {
  test("leaves the position of its cursor", async () => {
    const { system } = app.app
    const options = { orderBy: { rank: "asc" }, where: { name: "leaving" } }
    const leaving = { ...list, options }
    const ids: string[] = []
    for (const rank of [1, 2, 3, 4]) {
      const made = await system.collections["entries"]?.create({ number: rank, rank, name: "leaving" })
      ids.push(String(made?.["id"]))
    }
    const first = await readPage(leaving, { limit: 2, after: null })

    await system.collections["entries"]?.deleteById({ id: ids[1] ?? "" })
    await system.collections["entries"]?.updateById({ id: ids[0] ?? "", data: { rank: 9 } })

    expect((await readPage(leaving, { limit: 9, after: first.endCursor })).numbers).toEqual([3, 4, 1])
    expect((await readPage(leaving, { limit: 9, before: first.endCursor })).numbers).toEqual([])
  })
})

describe("cursors of a caller", () => {
  test("have the rules of that caller", async () => {
    const options = { orderBy: { number: "asc" } }
    const anonymous = await readPage({ app, options }, { limit: 100, after: null })
    const editor = await readPage({ app, options, session: EDITOR }, { limit: 100, after: null })

    expect(Math.max(...anonymous.numbers)).toBeLessThanOrEqual(40)
    expect(Math.max(...editor.numbers)).toBeGreaterThan(40)
  })
})

test("the OpenAPI document has the options and the cursors of a page", async () => {
  const { body } = await app.fetch("/_kit/openapi.json")

  const { parameters } = body.paths["/entries"].get
  expect(JSON.stringify(parameters)).toContain('"#/components/parameters/After"')
  expect(body.components.parameters.Before).toMatchObject({ name: "before", in: "query", schema: { type: "string" } })
  expect(body.components.schemas.PagePosition.properties).toMatchObject({
    startCursor: { anyOf: [{ type: "string" }, { type: "null" }] },
    endCursor: { anyOf: [{ type: "string" }, { type: "null" }] },
  })
  expect(body.components.schemas.PagePosition.required).not.toContain("endCursor")
  expect(JSON.stringify(body.paths["/entries/count"].get.parameters)).not.toContain("After")
})
