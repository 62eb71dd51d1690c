import { collection } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type DatabaseProxy, startDatabaseProxy } from "../support/processes/database-proxy.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const everyone = { read: true, create: true, update: true, delete: true } as const

const cities = collection("cities")
  .fields(({ f }) => ({ name: f.text().required() }))
  .access(everyone)
const people = collection("people")
  .fields(({ f }) => ({ name: f.text().required(), city: f.relation("cities") }))
  .access(everyone)
const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text().required().localized(),
    author: f.relation("people"),
    editor: f.relation("people"),
  }))
  .access(everyone)
const notes = collection("notes")
  .fields(({ f }) => ({ title: f.text().required(), authors: f.relation("people").manyToMany() }))
  .options({ versions: true })
  .access(everyone)

const laws = collection("laws")
  .fields(({ f }) => ({ title: f.text(), author: f.relation("people"), repeals: f.relation("laws").manyToMany() }))
  .options({ workflow: true })
  .access({ read: true })

let proxy: DatabaseProxy
let app: TestApp
let id: string
let noteId: string

beforeAll(async () => {
  proxy = await startDatabaseProxy()
  const config = { db: { url: proxy.url, maxConnections: 1 }, locales: { default: "en", all: ["en", "sk"] } }
  app = await testApp({ resources: [cities, people, posts, notes, laws], config })
  // An app with stages has a worker, whose statements are not counted here.
  await app.app.stopWorker()
  const { system } = app.app
  const city = await system.collections["cities"]?.create({ name: "Brno" })
  const person = await system.collections["people"]?.create({ name: "Eva", city: city?.["id"] })
  const post = await system.collections["posts"]?.create({
    title: "One",
    author: person?.["id"],
    editor: person?.["id"],
  })
  id = String(post?.["id"])
  noteId = String((await system.collections["notes"]?.create({ title: "One" }))?.["id"])
})

afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
})

const isGeneral = process.env["KIT_GENERAL_PATH"] === "1"

// The general path of a write is a transaction that locks, writes and reads back.
describe("statements on the wire, BEGIN and COMMIT counted", () => {
  test.each([
    { name: "get by id", path: () => `/posts/${id}` },
    { name: "a list with its total", path: () => "/posts?limit=1" },
    { name: "a filtered list", path: () => "/posts?where[author][is][name]=Eva&limit=10" },
    {
      name: "three relations over two levels",
      path: () => "/posts?with[author][with][city]=true&with[editor]=true&limit=1&orderBy[author][name]=asc",
    },
    { name: "count", path: () => "/posts/count?where[title]=One" },
    { name: "a list in another locale", path: () => "/posts?locale=sk&where[title]=One&orderBy[title]=asc" },
    { name: "a list in all locales", path: () => "/posts?locale=*&with[author]=true" },
    { name: "a list of what is published", path: () => "/laws?where[title]=One&orderBy[title]=asc&with[repeals]=true" },
    { name: "a list of a named stage", path: () => "/laws?stage=published&with[author]=true" },
    { name: "create in another locale", method: "POST", path: () => "/posts?locale=sk", general: 4 },
    { name: "patch in another locale", method: "PATCH", path: () => `/posts/${id}?locale=sk`, general: 5 },
    { name: "create", method: "POST", path: () => "/posts", general: 4 },
    { name: "patch", method: "PATCH", path: () => `/posts/${id}`, general: 5 },
    { name: "create with versions", method: "POST", path: () => "/notes", general: 4 },
    { name: "patch with versions", method: "PATCH", path: () => `/notes/${noteId}`, general: 5 },
  ])("$name is one", async ({ path, method = "GET", general = 1 }) => {
    const before = proxy.statements()

    const answer = await app.fetch(path(), { method, ...(method === "GET" ? {} : { body: '{"title":"Two"}' }) })

    expect(answer.status).toBeLessThan(300)
    expect(proxy.statements() - before).toBe(isGeneral ? general : 1)
  })

  test("the access of many records is one", async () => {
    const before = proxy.statements()

    const body = JSON.stringify({ resource: "posts", ids: [id, noteId, "x", id] })
    const answer = await app.fetch("/_kit/access", { method: "POST", body })

    expect(answer.body.map((access: unknown) => access !== null)).toEqual([true, false, false, true])
    expect(proxy.statements() - before).toBe(1)
  })
})
