// @module-tag not-about-connections

import { collection } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ROWS = 7

const items = collection("items")
  .fields(({ f }) => ({ number: f.number().integer().required(), kind: f.select(["even", "odd"]) }))
  .access({ read: true })

const owned = collection("owned")
  .fields(({ f }) => ({ number: f.number().integer().required() }))
  .access({ read: () => ({ number: { lte: 4 } }) })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [items, owned] })
  const { collections } = app.app.system
  for (let number = 1; number <= ROWS; number++) {
    await collections["items"]?.create({ number, kind: number % 2 === 0 ? "even" : "odd" })
    await collections["owned"]?.create({ number })
  }
})

afterAll(() => app[Symbol.asyncDispose]())

interface Expected {
  numbers: number[]
  totalDocs: number
  totalPages: number
  page: number
  pagingCounter: number
  prevPage: number | null
  nextPage: number | null
}

const windows: [query: string, limit: number, expected: Expected][] = [
  ["", 50, page([1, 2, 3, 4, 5, 6, 7], 7, { totalPages: 1, page: 1, pagingCounter: 1 })],
  ["limit=3", 3, page([1, 2, 3], 7, { totalPages: 3, page: 1, pagingCounter: 1, nextPage: 2 })],
  ["limit=3&page=2", 3, page([4, 5, 6], 7, { totalPages: 3, page: 2, pagingCounter: 4, prevPage: 1, nextPage: 3 })],
  ["limit=3&offset=6", 3, page([7], 7, { totalPages: 3, page: 3, pagingCounter: 7, prevPage: 2 })],
  ["limit=7", 7, page([1, 2, 3, 4, 5, 6, 7], 7, { totalPages: 1, page: 1, pagingCounter: 1 })],
  ["limit=1&offset=6", 1, page([7], 7, { totalPages: 7, page: 7, pagingCounter: 7, prevPage: 6 })],
  ["limit=3&offset=1", 3, page([2, 3, 4], 7, { totalPages: 3, page: 1, pagingCounter: 2, nextPage: 2 })],
  ["limit=3&offset=7", 3, page([], 7, { totalPages: 3, page: 3, pagingCounter: 8, prevPage: 2 })],
  ["limit=3&page=9", 3, page([], 7, { totalPages: 3, page: 9, pagingCounter: 25, prevPage: 8 })],
  ["limit=2&where[kind]=even", 2, page([2, 4], 3, { totalPages: 2, page: 1, pagingCounter: 1, nextPage: 2 })],
  ["limit=2&page=2&where[kind]=even", 2, page([6], 3, { totalPages: 2, page: 2, pagingCounter: 3, prevPage: 1 })],
  ["limit=2&where[number]=99", 2, page([], 0, { totalPages: 1, page: 1, pagingCounter: 1 })],
  ["limit=2&offset=4&where[number]=99", 2, page([], 0, { totalPages: 1, page: 3, pagingCounter: 5, prevPage: 2 })],
]

type PageFields = Pick<Expected, "totalPages" | "page" | "pagingCounter"> & Partial<Expected>

function page(numbers: number[], totalDocs: number, fields: PageFields): Expected {
  return { numbers, totalDocs, prevPage: null, nextPage: null, ...fields }
}

describe("a page", () => {
  test.each(windows)("of %s has exact totals", async (query, limit, { numbers, ...expected }) => {
    const answer = await app.fetch(`/items?${query}&orderBy[number]=asc`)

    const { docs, ...fields } = answer.body
    expect(docs.map((doc: any) => doc.number)).toEqual(numbers)
    expect(fields).toEqual({
      ...expected,
      limit,
      hasPrevPage: expected.prevPage !== null,
      hasNextPage: expected.nextPage !== null,
    })
  })

  test.each(windows)(
    "of %s without a total tells whether another one follows",
    async (query, limit, { numbers, ...expected }) => {
      const answer = await app.fetch(`/items?${query}&orderBy[number]=asc&total=false`)

      const { docs, ...fields } = answer.body
      expect(docs.map((doc: any) => doc.number)).toEqual(numbers)
      expect(fields).toEqual({
        ...expected,
        totalDocs: -1,
        totalPages: -1,
        limit,
        hasPrevPage: expected.prevPage !== null,
        hasNextPage: expected.nextPage !== null,
      })
    },
  )

  test("the pages of a list hold every record once", async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((number) => app.fetch(`/items?limit=2&page=${number}`)))

    const numbers = pages.flatMap(({ body }) => body.docs.map((doc: any) => doc.number))
    expect(numbers).toEqual([7, 6, 5, 4, 3, 2, 1])
  })

  test("totals count only what the caller may read", async () => {
    const full = await app.fetch("/owned?limit=2")
    const part = await app.fetch("/owned?limit=3&page=2")
    const past = await app.fetch("/owned?limit=3&page=3")
    const count = await app.fetch("/owned/count")

    expect([full, part, past].map(({ body }) => body.totalDocs)).toEqual([4, 4, 4])
    expect(count.body).toEqual({ count: 4 })
    expect(await app.app.system.collections["owned"]?.count()).toBe(7)
  })

  test("in process the options and the page are the same", async () => {
    const find = app.app.system.collections["items"]?.find
    const overHttp = await app.fetch("/items?limit=3&page=2&orderBy[number]=asc&columns[number]=true")

    const inProcess = await find?.({ limit: 3, page: 2, orderBy: { number: "asc" }, columns: { number: true } })

    expect(inProcess).toEqual(overHttp.body)
  })
})

describe("refused windows", () => {
  test.each([
    ["limit=0", "limit"],
    ["limit=1001", "limit"],
    ["limit=-1", "limit"],
    ["limit=1.5", "limit"],
    ["limit=1e9", "limit"],
    ["limit=NaN", "limit"],
    ["limit=", "limit"],
    ["limit[]=1", "limit"],
    ["offset=-1", "offset"],
    ["offset=1e18", "offset"],
    ["offset=99999999999", "offset"],
    ["page=0", "page"],
    ["page=-1", "page"],
    ["page=2147483647&limit=1000", "page"],
    ["page=2&offset=2", "page"],
    ["total=no", "total"],
    ["total[]=true", "total"],
    ["limt=5", "limt"],
    ["locale=xx", "locale"],
    ["locale[]=en", "locale"],
  ])("%s is 400 and names the option", async (query, path) => {
    const answer = await app.fetch(`/items?${query}`)

    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", fieldErrors: [{ path }] } },
    })
  })
})

describe("findOne", () => {
  test("answers the first record in the order asked for, or null", async () => {
    const items = app.app.system.collections["items"]

    const first = await items?.findOne({ where: { kind: "even" }, orderBy: { number: "desc" } })
    const none = await items?.findOne({ where: { number: 99 } })

    expect(first).toMatchObject({ number: 6 })
    expect(none).toBeNull()
  })
})
