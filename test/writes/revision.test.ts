// @module-tag installed-postgres

import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann" } }
const everyone = { read: true, create: true, update: true, delete: true } as const

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text().required(), secret: f.text().hidden() }))
  .options({ revision: true })
  .access(everyone)

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text(), owner: f.text() }))
  .options({ revision: true, timestamps: false })
  .access({ ...everyone, update: ({ session }) => session && { owner: session.user.id } })

const plain = collection("plain")
  .fields(({ f }) => ({ title: f.text() }))
  .access(everyone)

const settings = global("settings")
  .fields(({ f }) => ({ name: f.text() }))
  .options({ revision: true })
  .access({ read: true, update: true })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [posts, notes, plain, settings] })
})

afterAll(() => app[Symbol.asyncDispose]())

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  app.fetch(path, { method, headers, session: ann, ...(body !== undefined && { body: JSON.stringify(body) }) })

test("the revision starts at 1 and grows by one with every write; every single record carries it", async () => {
  const created = await send("POST", "/posts", { title: "a" })
  const path = `/posts/${created.body.id}`
  const changed = await send("PATCH", path, { title: "b" })
  const unchanged = await send("PATCH", path, {})
  const read = await app.fetch(`${path}?columns[title]=true`)
  const list = await app.fetch("/posts")

  expect([created, changed, unchanged, read].map(({ headers }) => headers.get("x-revision"))).toEqual([
    "1",
    "2",
    "3",
    "3",
  ])
  expect(unchanged.body.revision).toBe(3)
  expect(read.body).toEqual({ id: created.body.id, title: "b" })
  expect(list.headers.get("x-revision")).toBeNull()
  expect(await send("PATCH", path, { revision: 9 })).toMatchObject({ status: 400 })
})

test("a stale expectation is refused and changes nothing: 409 by option, 412 by header", async () => {
  const { body } = await send("POST", "/posts", { title: "a" })
  const path = `/posts/${body.id}`
  await send("PATCH", `${path}?expectedRevision=1`, { title: "newer" })

  const byOption = await send("PATCH", `${path}?expectedRevision=1`, { title: "stale" })
  const byHeader = await send("PATCH", path, { title: "stale" }, { "if-match": '"1"' })
  const byDelete = await send("DELETE", `${path}?expectedRevision=7`)

  const revision = { expected: 1, actual: 2 }
  expect(byOption).toMatchObject({ status: 409, body: { error: { code: "CONFLICT", context: { revision } } } })
  expect(byHeader).toMatchObject({
    status: 412,
    body: { error: { code: "PRECONDITION_FAILED", context: { revision } } },
  })
  expect(byDelete).toMatchObject({
    status: 409,
    body: { error: { context: { revision: { expected: 7, actual: 2 } } } },
  })
  expect(JSON.stringify([byOption.body, byHeader.body])).not.toContain("newer")
  expect((await app.fetch(path)).body).toMatchObject({ title: "newer", revision: 2 })
})

test("a fresh expectation passes, of updates and deletes alike", async () => {
  const { body } = await send("POST", "/posts", { title: "a" })
  const path = `/posts/${body.id}`

  const changed = await send("PATCH", path, { title: "b" }, { "if-match": '"1"' })
  const anyone = await send("PATCH", path, { title: "c" }, { "if-match": "*" })
  const deleted = await send("DELETE", `${path}?expectedRevision=3`)

  expect([changed.status, anyone.status, deleted.status]).toEqual([200, 200, 200])
})

test.each([
  ["/posts", "?expectedRevision=", {}],
  ["/posts", "?expectedRevision=0", {}],
  ["/posts", "?expectedRevision=1.5", {}],
  ["/posts", "?expectedRevision=abc", {}],
  ["/posts", "?expectedRevision=99999999999", {}],
  ["/posts", "?expectedRevision[a]=1", {}],
  ["/posts", "", { "if-match": "1" }],
  ["/posts", "", { "if-match": 'W/"1"' }],
  ["/posts", "?expectedRevision=1", { "if-match": '"1"' }],
  ["/plain", "?expectedRevision=1", {}],
  ["/plain", "", { "if-match": '"1"' }],
])("a malformed expectation is 400, never absent: %s%s %j", async (collectionPath, query, headers) => {
  const { body } = await send("POST", collectionPath, { title: "a" })
  const path = `${collectionPath}/${body.id}`

  const changed = await send("PATCH", path + query, { title: "b" }, headers as Record<string, string>)
  const deleted = await send("DELETE", path + query, undefined, headers as Record<string, string>)

  expect([changed.status, deleted.status]).toEqual([400, 400])
  expect((await app.fetch(path)).body.title).toBe("a")
})

test("an If-Match of many records at once is refused, and nothing is written", async () => {
  const { body } = await send("POST", "/posts", { title: "kept" })
  const header = { "if-match": '"7"' }
  const { id } = body

  const answers = [
    await send("PATCH", "/posts", { where: { id }, data: { title: "b" } }, header),
    await send("POST", "/posts/update-batch", { updates: [{ id, data: { title: "b" } }] }, header),
    await send("POST", "/posts/delete-many", { where: { id } }, header),
  ]

  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
  expect((await app.fetch(`/posts/${id}`)).body.title).toBe("kept")
})

test("who may not write a record is not told its revision", async () => {
  const { body } = await send("POST", "/notes", { text: "x", owner: "bob" })

  const refused = await send("PATCH", `/notes/${body.id}?expectedRevision=5`, { text: "y" })

  expect(refused.status).toBe(403)
  expect(refused.body.error.context).toBeUndefined()
})

test("of many writers that expect the same revision one wins", async () => {
  const { body } = await send("POST", "/posts", { title: "a" })
  const write = (title: string) => send("PATCH", `/posts/${body.id}?expectedRevision=1`, { title })

  const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => write(String(index))))

  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(409)])
})

test("the client and the operations in process take the expected revision", async () => {
  const client = app.client(ann)
  const local = app.app.as(ann).collections["posts"]
  const { id, revision } = await client.collections["posts"].create({ title: "a" })

  const updated = await client.collections["posts"].updateById({ id, data: { title: "b" }, expectedRevision: revision })

  expect(updated.revision).toBe(2)
  await expect(client.collections["posts"].deleteById({ id, expectedRevision: revision })).rejects.toMatchObject({
    status: 409,
    context: { revision: { expected: 1, actual: 2 } },
  })
  await expect(local?.updateById({ id, data: {}, expectedRevision: 1 })).rejects.toMatchObject({ code: "CONFLICT" })
  await expect(local?.deleteById({ id, expectedRevision: Number.NaN })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
  })
})

test("a global has a revision too", async () => {
  const tooEarly = await send("PATCH", "/globals/settings?expectedRevision=1", { name: "a" })
  const first = await send("PATCH", "/globals/settings", { name: "a" })
  const second = await send("PATCH", "/globals/settings?expectedRevision=1", { name: "b" })
  const stale = await send("PATCH", "/globals/settings?expectedRevision=1", { name: "c" })
  const read = await app.fetch("/globals/settings")

  expect(tooEarly).toMatchObject({
    status: 409,
    body: { error: { context: { revision: { expected: 1, actual: 0 } } } },
  })
  expect([first, second, stale].map(({ status }) => status)).toEqual([200, 200, 409])
  expect(read.body).toMatchObject({ name: "b", revision: 2 })
  expect(read.headers.get("x-revision")).toBe("2")
})

test("records that were there before the option count from 1", async () => {
  const before = collection("things")
    .fields(({ f }) => ({ name: f.text() }))
    .access(everyone)
  await using old = await testApp({ resources: [before] })
  const created = await old.client().collections["things"].create({ name: "a" })
  await using grown = await testApp({
    resources: [before.options({ revision: true })],
    config: { db: { url: old.database.url } },
  })

  const changed = await grown.client().collections["things"].updateById({ id: created.id, data: { name: "b" } })

  expect(changed.revision).toBe(2)
})
