import { collection, global } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const books = collection("books")
  .fields(({ f }) => ({
    title: f.text().required(),
    pages: f.number().integer(),
    author: f.relation("writers"),
  }))
  .title("title")
  .access({ read: true, create: true })

const writers = collection("writers")
  .fields(({ f }) => ({ name: f.text() }))
  .access({ read: true, create: true })

const shop = global("shop")
  .fields(({ f }) => ({ name: f.text() }))
  .access({ read: true, update: true })

let app: TestApp
let id: string

beforeAll(async () => {
  app = await testApp({ resources: [books, writers, shop] })
  const { collections } = app.client()
  const { id: author } = await collections["writers"].create({ name: "Ann" })
  for (const title of ["One", "Two", "Three"]) {
    const book = await collections["books"].create({ title, pages: title.length, author })
    if (title === "Two") ({ id } = book)
  }
})
afterAll(() => app[Symbol.asyncDispose]())

const WITHOUT_EFFECT = [
  ...["limit=1", "offset=2", "page=2", "orderBy[title]=desc", "orderBy[0][author][name]=asc", "total=false"],
  "limit=1&offset=1&orderBy[pages]=asc",
]

const WRONG: readonly [query: string, path: string][] = [
  ["limit=0", "limit"],
  ["limit=1001", "limit"],
  ["offset=-1", "offset"],
  ["page=0", "page"],
  ["page=1&offset=1", "page"],
  ["total=maybe", "total"],
  ["orderBy[titel]=asc", "orderBy.titel"],
  ["orderBy[title]=up", "orderBy.title"],
  ["with[autor]=true", "with.autor"],
  ["columns[titel]=true", "columns.titel"],
  ["where[titel]=One", "where.titel"],
  ["search[]=One", "search"],
  ["limt=5", "limt"],
]

async function refusalOf(path: string) {
  const { status, body } = await app.fetch(path)
  return [status, body.error?.fieldErrors?.[0]?.path]
}

describe("a count", () => {
  test.each([...WITHOUT_EFFECT, "with[author]=true", "columns[title]=true"])(
    "is the same with the option of a page %s",
    async (query) => {
      const { status, body } = await app.fetch(`/books/count?${query}&where[pages]=3`)

      expect([status, body]).toEqual([200, { count: 2 }])
    },
  )

  test.each(WRONG)("refuses the invalid option %s", async (query, path) => {
    expect(await refusalOf(`/books/count?${query}`)).toEqual([400, path])
  })

  test("has no groups, and says where there are some", async () => {
    const { status, body } = await app.fetch("/books/count?groupBy=pages")

    expect(status).toBe(400)
    const message = "Only a list of records can be grouped. Use find, which also counts each group."
    expect(body.error.fieldErrors).toEqual([{ path: "groupBy", message }])
  })

  test("takes the options of a find in the client and in process", async () => {
    const options = { where: { pages: 3 }, limit: 1, offset: 1, orderBy: { title: "asc" }, with: { author: true } }

    expect(await app.client().collections["books"].count(options)).toBe(2)
    expect(await (app.app.as(null).collections as any)["books"].count(options)).toBe(2)
  })
})

describe("a read by id", () => {
  test.each(WITHOUT_EFFECT)("is the same with the option of a page %s", async (query) => {
    const { status, body } = await app.fetch(`/books/${id}?${query}`)

    expect([status, body.title]).toEqual([200, "Two"])
  })

  test.each(WRONG)("refuses the invalid option %s, also where there is no such record", async (query, path) => {
    expect(await refusalOf(`/books/${id}?${query}`)).toEqual([400, path])
    expect(await refusalOf(`/books/no-id?${query}`)).toEqual([400, path])
  })

  test.each([
    ["where[title]=Two", 200],
    ["where[title]=One", 404],
    ["where[author][is][name]=Ann", 200],
    ["where[author][is][name]=Eva", 404],
    ["search=tw", 200],
    ["search=one", 404],
    ["where[title]=Two&search=one", 404],
  ])("finds the record only if it matches %s", async (query, expected) => {
    expect((await app.fetch(`/books/${id}?${query}`)).status).toBe(expected)
  })

  test("has no groups", async () => {
    expect(await refusalOf(`/books/${id}?groupBy=pages`)).toEqual([400, "groupBy"])
  })
})

test("a global takes no option that chooses or orders records", async () => {
  for (const query of ["where[name]=x", "limit=1", "orderBy[name]=asc", "search=x", "groupBy=name"]) {
    expect((await app.fetch(`/globals/shop?${query}`)).status).toBe(400)
  }
})
