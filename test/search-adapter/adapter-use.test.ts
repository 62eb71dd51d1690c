// @module-tag not-about-engine

import { collection, type SearchAdapter, type Session } from "kit"
import { type TestApp, testApp } from "kit/testing"
import { describe, expect, test } from "vitest"
import { conceptEmbedder } from "../search/concept-embedder.ts"
import { wordEngine } from "./word-engine.ts"

const ALL = { read: true, create: true, update: true, delete: true, transition: true }
const eva: Session = { user: { id: "eva" } }

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text().required().localized(),
    notes: f.text().access({ read: ({ session }) => session?.user.id === "eva" }),
    memo: f.text().access({ read: () => ({ title: "Open" }) }),
    tags: f.array(f.text()),
  }))
  .title("title")
  .options({ softDelete: true, workflow: true })
  .searchable({ fields: ["notes", "memo", "tags"], content: () => "Author's text" })
  .access(ALL)

const people = collection("people")
  .fields(({ f }) => ({ name: f.text().required() }))
  .title("name")
  .access(ALL)
const searchedPeople = people.searchable({})

const locales = { default: "en", all: ["en", "sk"] }

interface Opened {
  readonly app: TestApp
  readonly records: Record<string, any>
  search(body: object, session?: Session): Promise<{ readonly status: number; readonly body: any }>
}

async function open(adapter: SearchAdapter | undefined, options: object = {}): Promise<Opened & AsyncDisposable> {
  const config = { locales, search: { ...(adapter && { adapter }) } }
  const app = await testApp({ collections: [posts, searchedPeople], config, ...options })
  return {
    app,
    records: app.system.collections,
    async search(body, session) {
      const init = { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } }
      const response = await app.fetch("/search", { ...init, ...(session && { as: session }) })
      return { status: response.status, body: await response.json() }
    },
    [Symbol.asyncDispose]: () => app.stop(),
  }
}

describe("the documents of an adapter", () => {
  test("are the texts of each locale and stage, and are removed with the record", async () => {
    const engine = wordEngine()
    await using opened = await open(engine)
    const { app, records } = opened
    const { id } = await records["posts"].create({ title: "Ápple", notes: "A note", tags: ["red", "green"] })
    await app.jobs.settle()
    const texts = { title: "Ápple", notes: "A note", tags: "red\ngreen", _content: "Author's text" }
    const copies = (stage: string | undefined) =>
      locales.all.map((locale) => ({ collection: "posts", id, locale, stage, texts }))

    expect([...engine.documents.values()]).toEqual(copies(undefined))
    await records["posts"].transitionStage({ id, stage: "published" })
    await app.jobs.settle()
    expect([...engine.documents.values()]).toEqual([...copies(undefined), ...copies("published")])
    await records["posts"].deleteById({ id })
    await app.jobs.settle()
    expect([...engine.documents.values()]).toEqual([])
  })

  test("follow a change that the built-in index does not notice", async () => {
    const engine = wordEngine()
    await using opened = await open(engine)
    const { app, records } = opened
    const { id } = await records["people"].create({ name: "rivers" })
    await records["people"].updateById({ id, data: { name: "River!" } })
    await app.jobs.settle()

    expect([...engine.documents.values()]).toMatchObject([
      { locale: "en", stage: undefined, texts: { name: "River!" } },
    ])
  })

  test("are removed after a delete by SQL", async () => {
    const engine = wordEngine()
    await using opened = await open(engine)
    await opened.records["people"].create({ name: "Ada" })
    await opened.app.jobs.settle()
    await opened.app.query("delete from people")
    await opened.app.jobs.settle()

    expect(engine.documents.size).toBe(0)
  })

  test("are sent for all records when an app gets an adapter, or another one", async () => {
    await using without = await open(undefined)
    await without.records["people"].create({ name: "Ada" })
    // Settling does not wait for what the worker of another app has claimed.
    await without.app.app.stopWorker()
    const open2 = (adapter: SearchAdapter) =>
      open(adapter, { config: { locales, search: { adapter }, db: { url: without.app.databaseUrl } } })
    const [first, second] = [wordEngine("first"), wordEngine("second")]
    for (const engine of [first, second]) {
      await using opened = await open2(engine)
      await opened.app.jobs.settle()
    }

    expect([first.documents.size, second.documents.size]).toEqual([1, 1])
  })

  test.each([
    ["none", undefined],
    ["another", wordEngine("former")],
  ])("are sent although a worker of a former deployment, with %s, takes the changed records", async (_, former) => {
    const engine = wordEngine("latter")
    await using old = await open(former)
    const config = { locales, search: { adapter: engine }, db: { url: old.app.databaseUrl } }
    await using latter = await open(engine, { config })
    await latter.app.app.stopWorker()
    await old.records["people"].create({ name: "Ada" })
    await old.app.jobs.settle()
    await latter.app.app.startWorker()
    await latter.app.jobs.settle()
    await old.app.jobs.settle()

    expect([...engine.documents.values()]).toMatchObject([{ texts: { name: "Ada" } }])
    expect(await old.app.query("select from _kit_search_queue")).toEqual([])
  })

  test("do not wait for an engine that the app has no more", async () => {
    const engine = wordEngine()
    await using old = await open({ ...engine, index: () => Promise.reject(new Error("gone")) })
    await old.records["people"].create({ name: "Ada" })
    await old.app.jobs.settle()
    await old.app.app.stopWorker()
    await old.app.query("update _kit_search_queue set run_at = null")
    await using latter = await open(undefined, { config: { locales, db: { url: old.app.databaseUrl } } })
    await latter.app.jobs.settle()

    expect(await old.app.query("select from _kit_search_queue")).toEqual([])
  })

  test("are all cleared and sent again by a reindex", async () => {
    const engine = wordEngine()
    await using opened = await open(engine)
    const { app, records } = opened
    await records["people"].create({ name: "Ada" })
    await app.jobs.settle()
    const left = { collection: "people", id: "left", locale: "de", stage: undefined, texts: {} }
    engine.documents.clear()
    engine.documents.set("left", left)
    const response = await app.fetch("/search/reindex/people?wait=true", { method: "POST", as: eva })
    await app.jobs.settle()

    expect(response.status).toBe(200)
    expect([...engine.documents.values()]).toMatchObject([{ texts: { name: "Ada" } }])
  })

  test("are sent later if the engine fails, and writes go on", async () => {
    const engine = wordEngine()
    const adapter = { ...engine, index: () => Promise.reject(new Error("broken")) }
    await using failing = await open(adapter)
    await failing.records["people"].create({ name: "Ada" })
    await failing.app.jobs.settle()
    await failing.app.app.stopWorker()
    const waiting = await failing.app.query(`select done from _kit_search_queue`)
    await failing.app.query("update _kit_search_queue set run_at = null")
    await using mended = await open(engine, {
      config: { locales, search: { adapter: engine }, db: { url: failing.app.databaseUrl } },
    })
    await mended.app.jobs.settle()

    expect(waiting).toEqual([{ done: [] }])
    expect(engine.documents.size).toBe(1)
  })
})

describe("a search with an adapter", () => {
  test("names only the fields that the caller may read in every row", async () => {
    const engine = wordEngine()
    await using opened = await open(engine)
    await opened.search({ query: " rivers ", collections: ["posts"], locale: "sk" })
    await opened.search({ query: "rivers", collections: ["posts"], stage: "published" }, eva)
    await opened.search({ query: "rivers", collections: ["people"], locale: "sk" })
    const query = { text: "rivers", collection: "posts", stage: undefined, limit: 10_000 }

    expect(engine.queries).toEqual([
      { ...query, text: expect.stringContaining("rivers"), locale: "sk", fields: ["title", "tags", "_content"] },
      { ...query, stage: "published", locale: "en", fields: ["title", "notes", "tags", "_content"] },
      { ...query, collection: "people", locale: "en", fields: ["name"] },
    ])
  })

  test("does not ask it for an empty query, nor for the option search of find", async () => {
    const engine = wordEngine()
    await using opened = await open(engine)
    await opened.records["people"].create({ name: "Ada" })
    const browsed = await opened.search({ query: " ", collections: ["people"] })
    const found = await opened.records["people"].find({ search: "ada" })

    expect([browsed.body.total, found.totalDocs]).toEqual([1, 1])
    expect(engine.queries).toEqual([])
  })

  test("keeps the order of the engine's scores, and ignores what is no record", async () => {
    const engine = wordEngine()
    const ids: string[] = []
    const hits = () => [
      { id: ids[1] ?? "", score: 1 },
      { id: "'; drop table people", score: 9 },
      { id: "01890000-0000-7000-8000-000000000009", score: 8 },
      { id: ids[0] ?? "", score: 3 },
      { id: ids[1] ?? "", score: 5 },
    ]
    await using opened = await open({ ...engine, search: () => Promise.resolve(hits()) })
    for (const name of ["Ada", "Eve", "Ida"]) ids.push((await opened.records["people"].create({ name })).id)
    const { body } = await opened.search({ query: "anything", collections: ["people"] })

    expect(body.docs.map(({ name, _search }: any) => [name, _search.score])).toEqual([
      ["Eve", 5],
      ["Ada", 3],
    ])
    expect(body.total).toBe(2)
  })

  test("merges its order with that by meaning", async () => {
    const engine = wordEngine()
    const search = { adapter: engine, embedder: conceptEmbedder() }
    await using opened = await open(engine, { config: { locales, search } })
    await opened.records["people"].create({ name: "car" })
    await opened.records["people"].create({ name: "automobile" })
    await opened.app.jobs.settle()
    const { body } = await opened.search({ query: "automobile", collections: ["people"], mode: "hybrid" })

    expect(body.docs.map(({ name }: any) => name)).toEqual(["automobile", "car"])
    expect(engine.queries).toHaveLength(1)
  })

  test.each([
    ["rejects", () => Promise.reject(new Error("secret-host refused"))],
    [
      "throws",
      () => {
        throw new Error("secret-host refused")
      },
    ],
    ["returns no list", () => Promise.resolve({ hits: [] } as never)],
    ["returns hits without scores", () => Promise.resolve([{ id: "secret-host" }] as never)],
    ["returns scores that are no numbers", () => Promise.resolve([{ id: "secret-host", score: Number.NaN }])],
  ])("is 503 if the engine %s, says why in the log, and leaks nothing", async (_, search) => {
    await using opened = await open({ ...wordEngine(), search })
    const { status, body } = await opened.search({ query: "rivers" })

    expect(status).toBe(503)
    expect(JSON.stringify(body)).toContain("The search engine of the app does not answer at the moment.")
    expect(JSON.stringify(body)).not.toContain("secret-host")
    expect(opened.app.logs.map(({ message }) => message)).toContain("The search engine could not answer a search.")
  })

  test("a reindex is 503 and begins nothing if the engine cannot be cleared", async () => {
    await using opened = await open({ ...wordEngine(), clear: () => Promise.reject(new Error("secret-host")) })
    await opened.records["people"].create({ name: "Ada" })
    const response = await opened.app.fetch("/search/reindex/people", { method: "POST", as: eva })

    expect(response.status).toBe(503)
    expect(await response.text()).not.toContain("secret-host")
    expect(await opened.app.query("select finished_at from _kit_search_state where finished_at is null")).toEqual([])
  })
})

test("an app closes its adapter when it stops", async () => {
  let closed = 0
  const opened = await open({ ...wordEngine(), close: () => Promise.resolve(void closed++) })
  await opened.app.stop()

  expect(closed).toBe(1)
})

test("an app stops although its engine never answers, and ignores its signal", { timeout: 30_000 }, async () => {
  let opened: Opened | undefined
  await new Promise<void>((resolve, reject) => {
    const index = () => new Promise<never>(() => resolve())
    open({ ...wordEngine(), index }).then((app) => {
      opened = app
      return app.records["people"].create({ name: "Ada" })
    }, reject)
  })

  await opened?.app.stop()
})

test.each([{}, { ...wordEngine(), name: "" }, { ...wordEngine(), search: 1 }])(
  "an app does not start with the adapter %o",
  async (adapter) => {
    await expect(open(adapter as never)).rejects.toThrow(
      "an object with a name and the methods index, remove, clear and search",
    )
  },
)
