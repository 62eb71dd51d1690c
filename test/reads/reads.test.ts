// @module-tag installed-postgres

import { collection, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const START = Date.parse("2026-01-01T00:00:00Z")

const teams = collection("teams")
  .fields(({ f }) => ({ name: f.text().required() }))
  .access({ read: true })

const people = collection("people")
  .fields(({ f }) => ({
    name: f.text().required(),
    email: f.text().access({ read: isBoss }),
    token: f.text().hidden(),
    team: f.relation("teams"),
  }))
  .access({ read: (context) => isBoss(context) || { name: { ne: "Aga" } } })

const vault = collection("vault").fields(({ f }) => ({ code: f.text() }))

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text().required(),
    body: f.textarea(),
    rank: f.number().integer(),
    secret: f.text().access({ read: () => false }),
    meta: f.json(),
    author: f.relation("people"),
    vault: f.relation("vault"),
  }))
  .title("title")
  .searchable({ fields: ["body", "secret"] })
  .access({ read: true })

const plain = collection("plain")
  .fields(({ f }) => ({ name: f.text().required() }))
  .options({ timestamps: false })
  .access({ read: true })

const boss: Session = { user: { id: "boss", role: "boss" } }

function isBoss({ session }: { session: Session | null }) {
  return session?.user.role === "boss"
}

let app: TestApp
const ids: Record<string, string> = {}

beforeAll(async () => {
  let seconds = 0
  const now = () => new Date(START + 1000 * seconds++)
  app = await testApp({ resources: [teams, people, vault, posts, plain], now })
  const { collections } = app.app.system
  const add = async (collectionName: string, key: string, data: Record<string, unknown>) => {
    const record = await collections[collectionName]?.create(data)
    ids[key] = String(record?.["id"])
  }
  await add("teams", "red", { name: "red" })
  await add("teams", "blue", { name: "blue" })
  await add("people", "Ann", { name: "Ann", email: "ann@x.test", token: "t", team: ids["red"] })
  await add("people", "Bob", { name: "Bob", email: "bob@x.test", team: ids["blue"] })
  await add("people", "Aga", { name: "Aga", email: "aga@x.test", team: ids["blue"] })
  await add("vault", "safe", { code: "1234" })
  await add("posts", "a", { title: "a", body: "Hello World", rank: 2, author: ids["Bob"], vault: ids["safe"] })
  await add("posts", "b", { title: "b", body: "50% off", rank: 1, author: ids["Ann"], secret: "world" })
  await add("posts", "c", { title: "c", rank: 2, author: ids["Aga"] })
  await add("posts", "d", { title: "d" })
  await add("posts", "e", { title: "e", rank: 2, author: ids["Ann"], meta: { any: ["thing", 1, null] } })
  for (const name of ["p", "q", "r"]) await add("plain", name, { name })
})

afterAll(() => app[Symbol.asyncDispose]())

describe("orderBy", () => {
  test.each([
    ["", "e d c b a"],
    ["orderBy[title]=asc", "a b c d e"],
    ["orderBy[title]=desc", "e d c b a"],
    ["orderBy[createdAt]=asc", "a b c d e"],
    ["orderBy[rank]=asc", "b a c e d"],
    ["orderBy[rank]=desc", "d e c a b"],
    ["orderBy[rank]=asc&orderBy[title]=desc", "b e c a d"],
    ["orderBy[0][rank]=asc&orderBy[1][title]=desc", "b e c a d"],
    ["orderBy[rank]=asc&orderBy[id]=desc", "b e c a d"],
    ["orderBy[id]=desc", "e d c b a"],
    ["orderBy[author][name]=asc", "c b e a d"],
    ["orderBy[author][name]=desc", "d a e b c"],
    ["orderBy[author][team][name]=asc&orderBy[title]=asc", "a c b e d"],
    ["orderBy[author][team][name]=desc&orderBy[author][name]=desc", "d e b a c"],
  ])("%s sorts, and ties are broken by id in the direction of the last key", async (query, expected) => {
    const answer = await app.fetch(`/posts?${query}`, { session: boss })

    expect(titlesOf(answer)).toBe(expected)
  })

  test("an empty map or list sorts as if nothing was given", async () => {
    const find = (orderBy: object) => app.app.system.collections["posts"]?.find({ orderBy: orderBy as never })

    const pages = [await find({}), await find([]), await find([{}])]

    expect(pages.map((page) => page?.docs.map((doc) => doc["title"]).join(" "))).toEqual([
      "e d c b a",
      "e d c b a",
      "e d c b a",
    ])
  })

  test("a collection without timestamps is sorted by id", async () => {
    const answer = await app.fetch("/plain")

    expect(answer.body.docs.map((doc: any) => doc.name)).toEqual(["p", "q", "r"])
  })

  test("the order does not tell anything about records that the caller may not read", async () => {
    const answer = await app.fetch("/posts?orderBy[author][name]=asc")

    expect(titlesOf(answer)).toBe("b e a c d")
    expect(await app.fetch("/posts?orderBy[author][name]=desc").then(titlesOf)).toBe("d c a e b")
  })

  test.each([
    ["orderBy[tilte]=asc", "orderBy.tilte", 'Did you mean "title"?'],
    ["orderBy[secret]=asc", "orderBy.secret", 'There is no field "secret".'],
    ["orderBy[author][email]=asc", "orderBy.author.email", 'There is no field "email".'],
    ["orderBy[vault][code]=asc", "orderBy.vault.code", 'There is no field "code".'],
    ["orderBy[meta]=asc", "orderBy.meta", "is JSON and has no order"],
    ["orderBy[title]=ASC", "orderBy.title", 'Expected "asc" or "desc".'],
    ["orderBy[title][name]=asc", "orderBy.title", 'Expected "asc" or "desc".'],
    ["orderBy=title", "orderBy", "Expected an object such as"],
    ["orderBy[]=title", "orderBy.0", "Expected an object such as"],
    ["orderBy[author][]=asc", "orderBy.author", "Expected an object such as"],
    ["orderBy[title;drop table posts]=asc", "orderBy.title;drop table posts", "There is no field"],
    [Array.from({ length: 17 }, (_, i) => `orderBy[${i}][title]=asc`).join("&"), "orderBy", "at most 16 fields"],
  ])("%s is refused with its path", async (query, path, message) => {
    const answer = await app.fetch(`/posts?${query}`)

    expect(answer.status).toBe(400)
    expect(answer.body.error.fieldErrors).toEqual([{ path, message: expect.stringContaining(message) }])
  })
})

describe("columns", () => {
  test.each([
    ["columns[title]=true", ["id", "title"]],
    ["columns[rank]=true&columns[title]=true", ["id", "title", "rank"]],
    ["columns[id]=true", ["id"]],
    [
      "columns[id]=false&columns[meta]=false",
      ["id", "title", "body", "rank", "author", "vault", "createdAt", "updatedAt"],
    ],
    ["", ["id", "title", "body", "rank", "meta", "author", "vault", "createdAt", "updatedAt"]],
    ["columns[title]=true&with[author]=true", ["id", "title", "author"]],
  ])("%s answers the fields in the order of the schema", async (query, expected) => {
    const page = await app.fetch(`/posts?${query}&limit=1`)
    const record = await app.fetch(`/posts/${ids["a"]}?${query}`)

    expect(Object.keys(page.body.docs[0])).toEqual(expected)
    expect(Object.keys(record.body)).toEqual(expected)
  })

  test.each([
    ["columns[tilte]=true", "columns.tilte", 'Did you mean "title"?'],
    ["columns[secret]=true", "columns.secret", 'There is no field "secret".'],
    ["columns[secret]=false", "columns.secret", 'There is no field "secret".'],
    ["columns[title]=1", "columns.title", "Expected true or false."],
    ["columns[title]=true&columns[rank]=false", "columns", "Use either true or false, not both."],
    ["columns=title", "columns", "Expected an object such as"],
    ["columns[]=title", "columns", "Expected an object such as"],
    ["with[author][columns][nam]=true", "with.author.columns.nam", 'Did you mean "name"?'],
    ["with[author][columns][email]=true", "with.author.columns.email", 'There is no field "email".'],
  ])("%s is refused with its path", async (query, path, message) => {
    const answer = await app.fetch(`/posts?${query}`)

    expect(answer.status).toBe(400)
    expect(answer.body.error.fieldErrors).toEqual([{ path, message: expect.stringContaining(message) }])
  })
})

describe("with", () => {
  test("a relation is answered as the record, and as its id without it", async () => {
    const bare = await app.fetch(`/posts/${ids["a"]}`, { session: boss })
    const hydrated = await app.fetch(`/posts/${ids["a"]}?with[author]=true`, { session: boss })
    const off = await app.fetch(`/posts/${ids["a"]}?with[author]=false`, { session: boss })

    expect(bare.body.author).toBe(ids["Bob"])
    expect(off.body.author).toBe(ids["Bob"])
    expect(hydrated.body.author).toEqual({
      id: ids["Bob"],
      name: "Bob",
      email: "bob@x.test",
      team: ids["blue"],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
  })

  test("relations nest, each with its own columns and filter", async () => {
    const options = "with[author][columns][name]=true&with[author][with][team][columns][name]=true"
    const filter = "with[author][with][team][where][name]=red"
    const answer = await app.fetch(`/posts?${options}&${filter}&orderBy[title]=asc`)

    expect(answer.body.docs.map((doc: any) => doc.author)).toEqual([
      { id: ids["Bob"], name: "Bob", team: null },
      { id: ids["Ann"], name: "Ann", team: { id: ids["red"], name: "red" } },
      null,
      null,
      { id: ids["Ann"], name: "Ann", team: { id: ids["red"], name: "red" } },
    ])
  })

  test("a target that the caller may not read is null, with the fields and rules of its own collection", async () => {
    const answer = await app.fetch("/posts?with[author]=true&with[vault]=true&orderBy[title]=asc")

    const [first, , third] = answer.body.docs
    expect(Object.keys(first.author)).toEqual(["id", "name", "team", "createdAt", "updatedAt"])
    expect(third.author).toBeNull()
    expect(answer.body.docs.map((doc: any) => doc.vault)).toEqual([null, null, null, null, null])
    expect(answer.body.totalDocs).toBe(5)
  })

  test.each([
    ["with[autor]=true", "with.autor", 'There is no relation "autor". Did you mean "author"?'],
    ["with[autor]=false", "with.autor", 'There is no relation "autor". Did you mean "author"?'],
    ["with[title]=true", "with.title", 'There is no relation "title".'],
    ["with[author]=1", "with.author", "Expected true or an object of options."],
    ["with[author][limit]=1", "with.author.limit", 'There is no option "limit" here.'],
    ["with[author][where][nmae]=x", "with.author.where.nmae", 'Did you mean "name"?'],
    ["with[author][where][email]=x", "with.author.where.email", 'There is no field "email".'],
    ["with[author][with][taem]=true", "with.author.with.taem", 'Did you mean "team"?'],
    ["with=author", "with", "Expected an object such as"],
    ["with[]=author", "with", "Expected an object such as"],
  ])("%s is refused with its path", async (query, path, message) => {
    const answer = await app.fetch(`/posts?${query}`)

    expect(answer.status).toBe(400)
    expect(answer.body.error.fieldErrors).toEqual([{ path, message: expect.stringContaining(message) }])
  })
})

describe("search", () => {
  test.each([
    ["HELLO", "a"],
    ["A", "a"],
    ["%", ""],
    ["50%", "b"],
    ["_", ""],
    ["o", "b"],
    ["hello wo", "a"],
    ["nothing", ""],
    ["world", "a"],
  ])("%s is looked for in the title and the searched fields that the caller may read", async (text, expected) => {
    const found = await app.fetch(`/posts?search=${encodeURIComponent(text)}`)
    const counted = await app.fetch(`/posts/count?search=${encodeURIComponent(text)}`)

    expect(titlesOf(found)).toBe(expected)
    expect(counted.body.count).toBe(found.body.totalDocs)
  })

  test("system code also finds what is hidden, and a filter narrows a search", async () => {
    const posts = app.app.system.collections["posts"]

    expect(await posts?.count({ search: "world" })).toBe(2)
    expect(await posts?.count({ search: "world", where: { title: "a" } })).toBe(1)
    expect(await app.fetch("/posts?search=o&where[title]=b").then(titlesOf)).toBe("b")
  })

  test.each(["search[]=x", "search[a]=x", `search=${"x".repeat(501)}`])("%s is refused", async (query) => {
    const answer = await app.fetch(`/posts?${query}`)

    expect(answer).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: "search" }] } } })
  })
})

function titlesOf(answer: { body: any }): string {
  return answer.body.docs.map((doc: any) => doc.title).join(" ")
}
