// @module-tag not-about-engine

import { collection } from "kit"
import { type TestApp, testApp } from "kit/testing"
import { describe, expect, test } from "vitest"

const ALL = { read: true, create: true, update: true, delete: true }

const fieldsOf = collection("texts").fields(({ f }) => ({ title: f.text(), body: f.text() }))
const plain = fieldsOf.access(ALL)
const byTitle = fieldsOf.searchable({ fields: ["title"] }).access(ALL)
const byBoth = fieldsOf.searchable({ fields: ["title", "body"] }).access(ALL)

const INDEXED: unknown = expect.stringContaining("'appl':")

function open(texts: typeof plain, url?: string): Promise<TestApp> {
  return testApp({ collections: [texts], ...(url !== undefined && { config: { db: { url } } }) })
}

async function create(app: TestApp, count: number): Promise<void> {
  const { texts } = app.system.collections as Record<string, any>
  await texts.create({ title: "apples", body: "pears" })
  await app.query(
    `insert into texts (id, title, body, "createdAt", "updatedAt")
     select gen_random_uuid(), title, body, now(), now() from texts, generate_series(2, $1)`,
    [count],
  )
}

async function vectors(app: TestApp): Promise<readonly unknown[]> {
  return (await app.query("select distinct _search::text as vector from texts")).map(({ vector }) => vector)
}

const states = (app: TestApp) =>
  app.query(`select done, total, finished_at is not null as "isFinished" from _kit_search_state`)

describe("the start", () => {
  test("builds the index of records that were there before, and the vocabulary", async () => {
    await using first = await open(plain)
    await create(first, 450)
    await using second = await open(byTitle, first.databaseUrl)

    expect(await vectors(second)).toEqual([INDEXED])
    expect(await states(second)).toEqual([{ done: 450, total: 450, isFinished: true }])
    await second.jobs.settle()
    expect(await second.query("select word from _kit_search_words")).toContainEqual({ word: "apples" })
  })

  test("rebuilds the index if .searchable() has changed, and otherwise does not", async () => {
    await using first = await open(byTitle)
    await create(first, 3)
    await first.query("update texts set _search = 'kept'")
    await using second = await open(byTitle, first.databaseUrl)
    const kept = await vectors(second)
    await using third = await open(byBoth, first.databaseUrl)

    expect(kept).toEqual(["'kept'"])
    expect(await vectors(third)).toEqual([expect.stringMatching(/'appl':.*'pear':/)])
  })

  test("changes nothing else about the records, and has live queries with a search run again", async () => {
    await using first = await open(plain)
    await create(first, 3)
    const records = () => first.query(`select id, title, body, "createdAt", "updatedAt" from texts order by id`)
    const before = await records()
    const forgotten = await first.query("delete from _kit_changes returning kind")
    await using _second = await open(byTitle, first.databaseUrl)

    expect(await records()).toEqual(before)
    expect(forgotten).not.toEqual([])
    // One change for the whole batch, without values.
    expect(await first.query("select resource, kind, before, after from _kit_changes")).toEqual([
      { resource: "texts", kind: "update", before: null, after: null },
    ])
  })

  test("leaves the index of a large table to the worker", async () => {
    await using first = await open(plain)
    await create(first, 10_100)
    await using second = await open(byTitle, first.databaseUrl)
    await second.jobs.settle()

    expect(await vectors(second)).toEqual([INDEXED])
    expect(await states(second)).toEqual([{ done: 10_100, total: 10_100, isFinished: true }])
    expect(second.logs.map(({ message }) => message)).toContain(
      "The search index is out of date and is rebuilt in the background.",
    )
  })

  test("continues a rebuild that a crash has ended", async () => {
    await using first = await open(byTitle)
    await create(first, 500)
    // Its worker looks for unfinished rebuilds, too.
    await first.app.stopWorker()
    await first.query("update texts set _search = 'old'")
    await first.query(`update _kit_search_state set finished_at = null, done = 300, total = 500,
      position = (select id from texts order by id offset 299 limit 1)`)
    await using second = await open(byTitle, first.databaseUrl)

    const counts = await second.query(
      "select _search = 'old' as old, count(*)::int as n from texts group by 1 order by 1",
    )
    expect(counts).toEqual([
      { old: false, n: 200 },
      { old: true, n: 300 },
    ])
    expect(await states(second)).toEqual([{ done: 500, total: 500, isFinished: true }])
  })
})

describe("POST /search/reindex/:collection", () => {
  const readOnly = fieldsOf
    .searchable({ fields: ["title"] })
    .access({ read: true, update: ({ session }) => readRule(session) })
  const readRule = (session: { user: { role?: unknown } } | null) => {
    if (session?.user.role === "admin") return true
    return session?.user.role === "editor" ? { title: { startsWith: "a" } } : false
  }
  const as = (role: string) => ({ user: { id: role, role } })
  const others = collection("others")
    .fields(({ f }) => ({ title: f.text() }))
    .access(ALL)

  const openSecured = () => testApp({ collections: [readOnly, others] })
  const reindex = (app: TestApp, path: string, role?: string) =>
    app.fetch(`/search/reindex/${path}`, { method: "POST", ...(role !== undefined && { as: as(role) }) })

  test("rebuilds the index, and answers when it is done if the caller waits", async () => {
    await using app = await openSecured()
    await create(app, 450)
    await app.query("update texts set _search = 'broken'")
    await app.query("truncate _kit_search_words")

    const answer = await reindex(app, "texts?wait=true", "admin")

    expect([answer.status, await answer.json()]).toEqual([200, { success: true, collection: "texts" }])
    expect(await vectors(app)).toEqual([INDEXED])
    await app.jobs.settle()
    expect(await app.query("select word from _kit_search_words")).toContainEqual({ word: "apples" })
  })

  test("has the worker rebuild it if the caller does not wait", async () => {
    await using app = await openSecured()
    await create(app, 450)
    await app.query("update texts set _search = 'broken'")

    const answer = await reindex(app, "texts", "admin")
    await app.jobs.settle()

    expect([answer.status, await answer.json()]).toEqual([200, { success: true, collection: "texts" }])
    expect(await vectors(app)).toEqual([INDEXED])
  })

  test.each([
    ["a caller without a session", "texts", undefined, 401],
    ["a caller whose update rule refuses", "texts", "reader", 403],
    ["a caller who may update some records", "texts", "editor", 403],
    ["an unknown collection", "textes", "admin", 404],
    ["a global or another word", "globals", "admin", 404],
    ["a collection that is not searchable", "others", "admin", 400],
    ["an unknown option", "texts?wiat=true", "admin", 400],
    ["a wrong option", "texts?wait=often", "admin", 400],
  ])("refuses %s", async (_title, path, role, status) => {
    await using app = await openSecured()

    expect((await reindex(app, path, role)).status).toBe(status)
  })
})
