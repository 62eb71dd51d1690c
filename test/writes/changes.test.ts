// @module-tag installed-postgres

import { ApiError, collection, global, type Session } from "kit"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann" } }
const everyone = { read: true, create: true, update: true, delete: true, purge: true } as const

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text(20).required(),
    body: f.textarea(),
    meta: f.json(),
    secret: f.text().hidden(),
    views: f.number().integer(),
  }))
  .options({ softDelete: true, revision: true })
  .access(everyone)

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text(), owner: f.text() }))
  .access({ ...everyone, update: ({ session }) => session && { owner: session.user.id } })

const hooked = collection("hooked")
  .fields(({ f }) => ({ text: f.text() }))
  .access(everyone)
  .hooks({
    afterChange: ({ data }) => {
      if (data["text"] === "bad") throw new ApiError("CONFLICT")
    },
  })

const settings = global("settings")
  .fields(({ f }) => ({ name: f.text() }))
  .access({ read: true, update: true })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [posts, notes, hooked, settings] })
})

afterAll(() => app[Symbol.asyncDispose]())

beforeEach(() => app.database.query('truncate posts, notes, hooked, "global_settings", "_kit_changes"'))

const changes = () =>
  app.database.query(
    `select resource_kind, resource, record, kind, before, after, xid::text as xid from "_kit_changes" order by "_kit_changes".xid, id`,
  )
const kinds = async () => (await changes()).map(({ resource, kind }) => `${resource} ${kind}`)

test("every write of a record leaves its change, with the row before and after", async () => {
  const api = app.client().collections["posts"]
  const { id } = await api.create({ title: "a", body: "long", meta: { x: 1 }, views: 1 })
  await api.updateById({ id, data: { title: "b" } })
  await api.deleteById({ id })
  await api.restoreById({ id })
  await api.deleteById({ id })
  await api.purgeById({ id })

  const noted = await changes()

  expect(noted.map(({ kind }) => kind)).toEqual(["create", "update", "delete", "restore", "delete", "purge"])
  expect(noted[0]).toMatchObject({ resource_kind: "collection", resource: "posts", record: id, before: null })
  expect(noted[0]?.["after"]).toMatchObject({ id, title: "a", views: 1, revision: 1, deletedAt: null })
  expect(noted[1]).toMatchObject({ before: { title: "a", revision: 1 }, after: { title: "b", revision: 2 } })
  expect(noted[2]).toMatchObject({ before: { deletedAt: null }, after: { deletedAt: expect.any(String) } })
  expect(noted[3]).toMatchObject({ before: { deletedAt: expect.any(String) }, after: { deletedAt: null } })
  expect(noted[5]).toMatchObject({ before: { title: "b", revision: 5 }, after: null })
})

test("the image before an update has only what the update may change", async () => {
  const api = app.client().collections["posts"]
  const { id } = await api.create({ title: "a", body: "long", views: 1 })
  await api.updateById({ id, data: { views: 2, body: "longer" } })
  await api.updateMany({ where: { id }, data: { title: "b" } })

  const [, updated, bulk] = await changes()

  expect(updated?.["before"]).toEqual({ deletedAt: null, revision: 1, updatedAt: expect.any(String), views: 1 })
  expect(bulk?.["before"]).toEqual({ deletedAt: null, revision: 2, updatedAt: expect.any(String), title: "a" })
})

test("long values and secrets are not copied", async () => {
  await app.app.system.collections["posts"]?.create({ title: "a", body: "long", meta: {}, secret: "sesame" })

  const [created] = await changes()

  expect(Object.keys(created?.["after"] as object).sort()).toEqual(
    ["createdAt", "deletedAt", "id", "revision", "title", "updatedAt", "views"].sort(),
  )
})

test("bulk writes leave a change for each record, globals too", async () => {
  const api = app.client().collections["notes"]
  const mine = app.client(ann).collections["notes"]
  const [one, two] = await Promise.all([
    api.create({ text: "a", owner: "ann" }),
    api.create({ text: "b", owner: "ann" }),
  ])
  await app.database.query('truncate "_kit_changes"')

  await mine.updateMany({ where: { owner: "ann" }, data: { text: "c" } })
  await mine.updateBatch({
    updates: [
      { id: one.id, data: { text: "d" } },
      { id: two.id, data: { owner: "ann" } },
    ],
  })
  await api.deleteMany({ all: true })
  await app.client().globals["settings"].update({ name: "x" })
  await app.client().globals["settings"].update({ name: "y" })

  expect(await kinds()).toEqual([
    "notes update",
    "notes update",
    "notes update",
    "notes update",
    "notes delete",
    "notes delete",
    "settings create",
    "settings update",
  ])
  const deleted = (await changes()).find(({ kind, record }) => kind === "delete" && record === one.id)
  expect(deleted).toMatchObject({ before: { text: "d" }, after: null })
})

test("the change is part of the write's transaction: refused writes leave none", async () => {
  const send = (method: string, path: string, body: unknown) => app.fetch(path, { method, body: JSON.stringify(body) })
  const { body } = await send("POST", "/notes", { text: "a", owner: "bob" })
  await app.database.query('truncate "_kit_changes"')

  const answers = await Promise.all([
    app.fetch(`/notes/${body.id}`, { method: "PATCH", session: ann, body: JSON.stringify({ text: "x" }) }),
    send("POST", "/posts", { title: 5 }),
    send("POST", "/hooked", { text: "bad" }),
    send("PATCH", `/posts/${body.id}`, { title: "x" }),
  ])

  expect(answers.map(({ status }) => status)).toEqual([403, 400, 409, 404])
  expect(await changes()).toEqual([])
})

test("writes of one transaction carry its number", async () => {
  await app.app.system.transaction(async ({ collections }) => {
    await collections["notes"]?.create({ text: "a" })
    await collections["notes"]?.create({ text: "b" })
  })
  await app.app.system.collections["notes"]?.create({ text: "c" })

  const [first, second, third] = (await changes()).map(({ xid }) => xid)

  expect(second).toBe(first)
  expect(third).not.toBe(first)
})

test("the changes of a record that many write form a chain", async () => {
  const { id } = await app.client().collections["posts"].create({ title: "0" })
  const write = (views: number) => app.client().collections["posts"].updateById({ id, data: { views } })

  await Promise.all(Array.from({ length: 40 }, (_, index) => write(index)))

  const images = (await changes()).map(({ before, after }) => ({ before, after }) as Record<string, any>)
  const byRevision = images.sort((left, right) => left["after"].revision - right["after"].revision)
  expect(byRevision.map(({ after }) => after.revision)).toEqual(Array.from({ length: 41 }, (_, index) => index + 1))
  for (const [index, { before, after }] of byRevision.entries()) {
    expect(before && { ...after, ...before }).toEqual(byRevision[index - 1]?.["after"] ?? null)
  }
})
