// @module-tag not-about-connections

import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ANN: Session = { user: { id: "ann" } }
const EVE: Session = { user: { id: "eve" } }

const everyone = { read: true, create: true, update: true, delete: true } as const
const isNotEve = ({ session }: { session: Session | null }) => session?.user.id !== "eve"

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text().localized(),
    secret: f.text().access({ read: isNotEve }),
  }))
  .options({ versions: true, workflow: true, softDelete: true })
  .access({ ...everyone, drafts: true, transition: true })

const guarded = collection("guarded")
  .fields(({ f }) => ({ title: f.text() }))
  .options({ versions: true })
  .access({ ...everyone, read: ({ session }) => isNotEve({ session }) || { title: "open" }, versions: isNotEve })
  .hooks({
    afterRead: ({ operation, row }) => {
      if (operation === "versions") row["title"] = `${row["title"]}, read`
    },
  })

const settings = global("settings")
  .fields(({ f }) => ({ motto: f.text() }))
  .options({ versions: true })
  .access({ read: true, update: true })

const unwritten = global("unwritten")
  .fields(({ f }) => ({ motto: f.text() }))
  .options({ versions: true })
  .access({ read: true, update: true })

const WRITES = 10

let app: TestApp
/** A record with ten versions, of which the sixth is a transition to the public stage. */
let id: string

beforeAll(async () => {
  app = await testApp({
    resources: [posts, guarded, settings, unwritten],
    config: { locales: { default: "en", all: ["en", "sk"] } },
  })
  id = await written()
  for (let number = 1; number <= 4; number++) await app.client(ANN).globals["settings"].update({ motto: `${number}` })
})

afterAll(() => app[Symbol.asyncDispose]())

/** Makes a record with ten versions, and returns its id. */
async function written(): Promise<string> {
  const record = await collections()["posts"].create({ title: "1", secret: "s" })
  for (let number = 2; number <= WRITES; number++) {
    if (number === 6) await collections()["posts"].transitionStage({ id: record.id, stage: "published" })
    else await collections()["posts"].updateById({ id: record.id, data: { title: String(number) } })
  }
  return record.id
}

const collections = (session = ANN) => app.client(session).collections
const numbersOf = (versions: readonly any[]) => versions.map(({ versionNumber }) => versionNumber)

/** Reads a page of the versions of the record. */
const read = (range: object, options?: object) => collections()["posts"].findVersions({ id, ...range }, options)

/** Reads over HTTP, without the client. */
const get = (path: string, session: Session | null = ANN) => app.fetch(path, session ? { session } : {})

const refusedAt = (path: string) => ({ status: 400, body: { error: { fieldErrors: [{ path }] } } })

describe("a page of versions", () => {
  test("is the first or the last one, or one beside a cursor", async () => {
    const first = await read({ limit: 3, after: null })
    const second = await read({ limit: 3, after: first.endCursor })
    const last = await read({ limit: 3, before: null })
    const back = await read({ limit: 3, before: second.startCursor })

    expect([first, second, last, back].map(({ docs }) => numbersOf(docs))).toEqual([
      [10, 9, 8],
      [7, 6, 5],
      [3, 2, 1],
      [10, 9, 8],
    ])
    expect([first, second, last, back].map((page) => [page.hasPrevPage, page.hasNextPage])).toEqual([
      [false, true],
      [true, true],
      [true, false],
      [false, true],
    ])
    expect(second).toMatchObject({ limit: 3, totalDocs: 10, totalPages: -1, page: -1, pagingCounter: -1 })
    expect(second).toMatchObject({ prevPage: null, nextPage: null })
    expect(back).toEqual(first)
  })

  test("has the versions that the list has, with their dates", async () => {
    const list = await read({ limit: 4 }, { locale: "*" })
    const page = await read({ limit: 4, after: null }, { locale: "*" })

    expect(page.docs).toEqual(list)
    expect(page.docs[0].versionCreatedAt).toBeInstanceOf(Date)
    expect(page.docs[0].title).toEqual({ en: "10" })
  })

  test("has the members of a page of records", async () => {
    const page = await read({ after: null })
    const records = await collections()["posts"].find({ after: null })

    expect(Object.keys(page)).toEqual(Object.keys(records))
  })

  test("is a list unless it is asked for by a cursor", async () => {
    expect(await read({ limit: 3 })).toHaveLength(3)
    expect(await read({ limit: 3, after: undefined, before: undefined })).toHaveLength(3)
  })

  test("is the same to a client, to a request and to code on the server", async () => {
    const page = await read({ limit: 2, after: null })
    const next = await read({ limit: 2, after: page.endCursor })

    const local = app.app.as(ANN).collections["posts"]
    expect(await local?.findVersions({ id, limit: 2, after: null })).toEqual(page)
    expect(await local?.findVersions({ id, limit: 2, after: page.endCursor })).toEqual(next)
    const { body } = await get(`/posts/${id}/versions?limit=2&after=${page.endCursor}`)
    expect(body).toEqual(JSON.parse(JSON.stringify(next)))
    expect((await get(`/posts/${id}/versions?limit=2&after=`)).body.endCursor).toBe(page.endCursor)
    expect((await get(`/posts/${id}/versions?limit=2&before=`)).body.docs).toHaveLength(2)
  })

  test("between two cursors has the newest versions of that range", async () => {
    const start = await read({ limit: 2, after: null })
    const end = await read({ limit: 2, before: null })
    const range = { after: start.endCursor, before: end.startCursor }

    const whole = await read(range)
    const part = await read({ ...range, limit: 4 })

    expect([numbersOf(whole.docs), whole.hasPrevPage, whole.hasNextPage]).toEqual([[8, 7, 6, 5, 4, 3], true, false])
    expect([numbersOf(part.docs), part.hasNextPage]).toEqual([[8, 7, 6, 5], true])
  })

  test("that is empty has the cursors that it was asked with", async () => {
    const { startCursor, endCursor } = await read({ after: null })

    expect(await read({ after: endCursor })).toMatchObject({
      ...{ docs: [], totalDocs: WRITES, startCursor: endCursor, endCursor, hasPrevPage: true, hasNextPage: false },
    })
    expect(await read({ before: startCursor })).toMatchObject({
      ...{ docs: [], startCursor, endCursor: startCursor, hasPrevPage: false, hasNextPage: true },
    })
    expect(await read({ after: endCursor, before: startCursor })).toMatchObject({ docs: [], hasNextPage: false })
  })

  test("of one stage has its versions, and a position in the history is one in each stage", async () => {
    const all = await read({ limit: 3, after: null })
    const shown = await read({ after: all.endCursor }, { stage: "published" })
    const working = await read({ limit: 2, before: shown.startCursor }, { stage: "draft" })

    expect([numbersOf(shown.docs), shown.totalDocs, shown.hasPrevPage]).toEqual([[6], 1, false])
    expect([numbersOf(working.docs), working.hasPrevPage]).toEqual([[8, 7], true])
  })

  test("is read in any locale from the same cursor", async () => {
    const page = await read({ limit: 3, after: null }, { locale: "en" })
    const next = await read({ limit: 1, after: page.endCursor }, { locale: "*" })

    expect(next.docs[0].title).toEqual({ en: "7" })
  })

  test("of a deleted record needs includeDeleted, as a list does", async () => {
    const { id: deleted } = await collections()["posts"].create({ title: "1" })
    await collections()["posts"].deleteById({ id: deleted })

    const page = await collections()["posts"].findVersions({ id: deleted, includeDeleted: true, after: null })

    expect(page.docs.map(({ versionOperation }: any) => versionOperation)).toEqual(["delete", "create"])
    expect(await get(`/posts/${deleted}/versions?after=`)).toMatchObject({ status: 404 })
  })

  test("goes on from a version that is no longer there", async () => {
    const own = { id: await written(), limit: 4 }
    const page = await read({ ...own, after: null })
    await app.database.query(`delete from _kit_versions where id = '${page.docs.at(-1).versionId}'`)

    expect(numbersOf((await read({ ...own, after: page.endCursor })).docs)).toEqual([6, 5, 4, 3])
    expect(numbersOf((await read({ ...own, before: page.endCursor })).docs)).toEqual([10, 9, 8])
  })
})

describe("a page of a global's versions", () => {
  const globals = () => app.client(ANN).globals

  test("is read by cursors", async () => {
    const first = await globals()["settings"].findVersions({ limit: 3, after: null })
    const second = await globals()["settings"].findVersions({ limit: 3, after: first.endCursor })

    expect([first, second].map(({ docs }) => docs.map(({ motto }: any) => motto))).toEqual([["4", "3", "2"], ["1"]])
    const local = app.app.as(ANN).globals["settings"]
    expect(await local?.findVersions({ limit: 3, after: first.endCursor })).toEqual(second)
    expect((await get("/globals/settings/versions?before=")).body.docs).toHaveLength(4)
  })

  test("is empty before the first write, and refuses foreign cursors then, too", async () => {
    const { endCursor } = await globals()["settings"].findVersions({ limit: 3, after: null })

    expect(await globals()["unwritten"].findVersions()).toEqual([])
    expect(await globals()["unwritten"].findVersions({ limit: 7, after: null })).toEqual({
      ...{ docs: [], totalDocs: 0, limit: 7, totalPages: -1, page: -1, pagingCounter: -1 },
      ...{ hasPrevPage: false, hasNextPage: false, prevPage: null, nextPage: null, startCursor: null, endCursor: null },
    })
    expect(await get(`/globals/unwritten/versions?after=${endCursor}`)).toMatchObject(refusedAt("after"))
  })
})

describe("the rules of versions", () => {
  test("decide about pages as they do about lists", async () => {
    const { id: open } = await collections()["guarded"].create({ title: "open" })
    const { id: closed } = await collections()["guarded"].create({ title: "closed" })

    for (const record of [open, closed]) {
      const list = await get(`/guarded/${record}/versions`, EVE)
      const page = await get(`/guarded/${record}/versions?after=`, EVE)
      expect([page.status, page.body.error.code]).toEqual([list.status, list.body.error.code])
      expect(page.status).toBe(403)
    }
    expect((await get(`/guarded/${open}/versions?after=`)).body.docs).toHaveLength(1)
  })

  test("hide fields in the versions of a page", async () => {
    const page = (await get(`/posts/${id}/versions?after=&limit=1`, EVE)).body

    expect(page.docs[0]).toHaveProperty("title")
    expect(page.docs[0]).not.toHaveProperty("secret")
  })

  test("run the hooks on each version of a page", async () => {
    const { id: record } = await collections()["guarded"].create({ title: "one" })

    const page = await collections()["guarded"].findVersions({ id: record, after: null })

    expect(page.docs).toMatchObject([{ title: "one, read" }])
    expect(page.endCursor).toEqual(expect.any(String))
  })
})

describe("a cursor is refused by findVersions", () => {
  let cursor: string

  beforeAll(async () => {
    cursor = (await read({ limit: 3, after: null })).endCursor
  })

  const versionsAfter = (given: string, at = `/posts/${id}/versions`, session: Session | null = ANN) =>
    get(`${at}?after=${encodeURIComponent(given)}`, session)

  test.each<[string, () => string]>([
    ["cut", () => cursor.slice(0, -1)],
    ["changed", () => `${cursor[0] === "A" ? "Q" : "A"}${cursor.slice(1)}`],
    ["invented", () => Buffer.from(JSON.stringify(["x", 0, ["5"]])).toString("base64url")],
    ["the number of a version", () => "5"],
    ["very long", () => "A".repeat(20_000)],
  ])("if it is %s", async (_name, make) => {
    const { body } = await versionsAfter(make())

    expect(await versionsAfter(make())).toMatchObject(refusedAt("after"))
    expect(await get(`/posts/${id}/versions?before=${make()}`)).toMatchObject(refusedAt("before"))
    expect(body.error.fieldErrors[0].message).toMatch(/cannot be read.*null/)
  })

  test.each<[string, unknown]>([
    ["a number", 3],
    ["an object", { id: "x" }],
    ["an empty text", ""],
  ])("in code on the server, if it is %s", async (_name, after) => {
    const local: any = app.app.as(ANN).collections["posts"]

    await expect(local.findVersions({ id, after })).rejects.toMatchObject({ fieldErrors: [{ path: "after" }] })
  })

  test("if it belongs to another record, collection or global, or to a list of records", async () => {
    const { id: other } = await collections()["posts"].create({ title: "1" })
    const { id: guard } = await collections()["guarded"].create({ title: "1" })
    const { endCursor: ofRecords } = await collections()["posts"].find({ after: null, limit: 1 })

    for (const answer of [
      await versionsAfter(cursor, `/posts/${other}/versions`),
      await versionsAfter(cursor, `/guarded/${guard}/versions`),
      await versionsAfter(cursor, "/globals/settings/versions"),
      await versionsAfter(ofRecords),
    ]) {
      expect(answer).toMatchObject(refusedAt("after"))
      expect(answer.body.error.fieldErrors[0].message).toMatch(/versions of another record.*null/)
    }
    expect(await get(`/posts?after=${cursor}`)).toMatchObject(refusedAt("after"))
  })

  test("if it belongs to another user", async () => {
    expect(await versionsAfter(cursor)).toMatchObject({ status: 200 })
    expect(await versionsAfter(cursor, undefined, EVE)).toMatchObject(refusedAt("after"))
    expect(await versionsAfter(cursor, undefined, null)).toMatchObject(refusedAt("after"))
  })

  test("beside an offset, and page is no option of versions", async () => {
    expect(await get(`/posts/${id}/versions?after=${cursor}&offset=1`)).toMatchObject(refusedAt("offset"))
    expect(await get(`/posts/${id}/versions?before=&offset=0`)).toMatchObject(refusedAt("offset"))
    expect(await get(`/posts/${id}/versions?after=&page=1`)).toMatchObject(refusedAt("page"))
  })

  test("if the option is misspelt", async () => {
    const { status, body } = await get(`/posts/${id}/versions?aftr=`)

    expect([status, body.error.fieldErrors[0].message]).toEqual([400, expect.stringContaining('"after"')])
    await expect(read({ befor: "x" })).rejects.toMatchObject({ status: 400 })
  })
})
