import { collection, global } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openEvents } from "../support/oracles/live-events.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ALL = { read: true, create: true, update: true, delete: true } as const
const EDITOR = { user: { id: "u1", email: "u1@example.com" } }

const people = collection("people")
  .fields(({ f }) => ({ name: f.text().required() }))
  .access(ALL)
const articles = collection("articles")
  .fields(({ f }) => ({
    title: f.text().required().localized(),
    body: f.textarea(),
    status: f.select(["open", "done"]).default("open"),
    at: f.datetime(),
    size: f.number().bigint(),
    author: f.relation("people"),
  }))
  .options({ revision: true })
  .access(ALL)
const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text().required() }))
  .hooks({ afterRead: ({ row, session }) => ({ ...row, seenBy: session?.user.id ?? null, at: new Date(0) }) })
  .access(ALL)
const settings = global("settings")
  .fields(({ f }) => ({ motto: f.text(), at: f.datetime() }))
  .access({ read: true, update: true })
const drafts = global("drafts")
  .fields(({ f }) => ({ motto: f.text() }))
  .access({ read: true, update: true })

// A response of this length is written in slices.
const LONG_TEXT = "long ".repeat(60_000)

let app: TestApp
let ids: Record<string, string>

beforeAll(async () => {
  const resources = [people, articles, notes, settings, drafts]
  app = await testApp({ resources, config: { locales: { default: "en", all: ["en", "sk"] } } })
  const { collections, globals } = app.app.system
  const eva = await collections["people"]?.create({ name: "Eva" })
  const made = { status: "open", at: new Date(1), size: 2n ** 60n, author: eva?.["id"] }
  const article = await collections["articles"]?.create({ title: "One", body: "a\nb", ...made })
  for (const title of ["Two", "Three"]) await collections["articles"]?.create({ title, body: LONG_TEXT })
  const note = await collections["notes"]?.create({ text: "One" })
  await globals["settings"]?.update({ motto: "Onwards", at: new Date(2) })
  ids = { person: String(eva?.["id"]), article: String(article?.["id"]), note: String(note?.["id"]) }
})

afterAll(() => app[Symbol.asyncDispose]())

const list = (resource: string, more: object = {}) => ({ resourceType: "collection", resource, ...more })
const record = (resource: string, name: string) => list(resource, { read: { operation: "record", id: ids[name] } })

const READS: readonly [name: string, path: () => string, topic: () => object][] = [
  ["a page", () => "/people", () => list("people")],
  ["an empty page", () => "/people?limit=1&offset=7", () => list("people", { limit: 1, offset: 7 })],
  ["a long page", () => "/articles?with[author]=true", () => list("articles", { with: { author: true } })],
  [
    "columns in another locale",
    () => "/articles?columns[title]=true&columns[size]=true&locale=sk&localeFallback=false",
    () => list("articles", { locale: "sk", read: { columns: { title: true, size: true }, localeFallback: false } }),
  ],
  [
    "a page without its total",
    () => "/articles?total=false&limit=1&orderBy[title]=asc",
    () => list("articles", { limit: 1, orderBy: { title: "asc" }, read: { total: false } }),
  ],
  ["groups", () => "/articles?groupBy=status", () => list("articles", { read: { groupBy: "status" } })],
  [
    "an aggregate",
    () => "/_kit/aggregate/articles?count=true&sum[size]=true&max[at]=true",
    () => list("articles", { read: { operation: "aggregate", count: true, sum: { size: true }, max: { at: true } } }),
  ],
  [
    "an aggregate by groups",
    () => "/_kit/aggregate/articles?groupBy[0]=at&groupBy[1]=size&count=true&limit=2",
    () => list("articles", { limit: 2, read: { operation: "aggregate", groupBy: ["at", "size"], count: true } }),
  ],
  ["a page that a hook has changed", () => "/notes", () => list("notes")],
  [
    "a count",
    () => "/articles/count?where[status]=open",
    () => list("articles", { where: { status: "open" }, read: { operation: "count" } }),
  ],
  ["a record", () => `/people/${ids["person"]}`, () => record("people", "person")],
  ["a record with a revision", () => `/articles/${ids["article"]}`, () => record("articles", "article")],
  ["a record that a hook has changed", () => `/notes/${ids["note"]}`, () => record("notes", "note")],
  ["a global", () => "/globals/settings", () => ({ resourceType: "global", resource: "settings" })],
  ["an empty global", () => "/globals/drafts", () => ({ resourceType: "global", resource: "drafts" })],
]

test.each(READS.flatMap((read) => [[...read, {}] as const, [...read, { "x-extendedjson": "1" }] as const]))(
  "%s has the hash of its snapshot (%#)",
  async (_name, path, topic, headers) => {
    await using stream = await openEvents({
      ...{ url: app.url, session: EDITOR, headers, topics: [{ id: "t", ...topic() }] },
    })
    const snapshot = await stream.next("snapshot")

    const read = await app.fetch(path(), { session: EDITOR, headers: { ...headers, "x-kit-hash": "1" } })

    expect(read.headers.get("x-kit-hash")).toBe(snapshot.hash)
    expect(read.body).toEqual(snapshot.data)
  },
)

test("options in a body give the same hash, and a stream that knows it is told only that it is current", async () => {
  const options = { where: { status: "open" }, limit: 2, columns: { title: true } }
  const body = JSON.stringify(options)
  const read = await app.fetch("/articles/query", { method: "POST", body, headers: { "x-kit-hash": "1" } })
  const { columns, ...carried } = options
  const topic = { id: "t", ...list("articles", carried), read: { columns } }

  await using stream = await openEvents({
    ...{ url: app.url, topics: [{ ...topic, lastHash: read.headers.get("x-kit-hash") }] },
  })
  await stream.next("current")

  expect(stream.events.map(({ name }) => name)).toEqual(["session", "current"])
})

test.each([
  ["without the header", "/people", {}],
  ["with another value of it", "/people", { "x-kit-hash": "0" }],
  ["if the read fails", "/people?where[nmae]=x", { "x-kit-hash": "1" }],
  ["of a description, which no live query shows", "/people/schema", { "x-kit-hash": "1" }],
])("no hash is sent %s", async (_name, path, headers) => {
  expect((await app.fetch(path, { headers })).headers.has("x-kit-hash")).toBe(false)
})

test("the result of a write has no hash", async () => {
  const headers = { "x-kit-hash": "1" }
  const made = await app.fetch("/people", { method: "POST", body: JSON.stringify({ name: "Jan" }), headers })
  await app.fetch(`/people/${made.body.id}`, { method: "DELETE" })

  expect([made.status, made.headers.has("x-kit-hash")]).toEqual([201, false])
})
