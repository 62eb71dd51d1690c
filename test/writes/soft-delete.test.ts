// @module-tag installed-postgres

import { collection, type Session } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann" } }
const bob: Session = { user: { id: "bob" } }
const admin: Session = { user: { id: "root", role: "admin" } }
const isAdmin = ({ session }: { session: Session | null }) => session?.user.role === "admin"
const own = ({ session }: { session: Session | null }) =>
  session && (isAdmin({ session }) || { owner: session.user.id })

const authors = collection("authors")
  .fields(({ f }) => ({ name: f.text().required(), email: f.text().unique(), owner: f.text(), town: f.text() }))
  .indexes([{ fields: ["name", "town"], unique: true }])
  .options({ softDelete: true, revision: true })
  .access({ read: true, create: true, update: own, delete: own, purge: isAdmin })

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text().required(), author: f.relation("authors") }))
  .access({ read: true, create: true, update: true, delete: true })

const hooked = collection("hooked")
  .fields(({ f }) => ({ name: f.text() }))
  .options({ softDelete: true })
  .access({ read: true, create: true, update: true, delete: true, purge: true })
  .hooks({
    afterChange: ({ operation, original }) => void heard.push([operation, original?.["deletedAt"] instanceof Date]),
    beforeDelete: ({ operation, original }) => void heard.push([operation, original["deletedAt"] instanceof Date]),
  })

const open = collection("open")
  .fields(({ f }) => ({ name: f.text() }))
  .options({ softDelete: true, timestamps: false })
  .access({ read: true, create: true, update: true, delete: true, restore: false })

// A hook deletes the record before the operation does.
const hasty = collection("hasty")
  .fields(({ f }) => ({ name: f.text() }))
  .options({ softDelete: true, versions: true })
  .access({ read: true, create: true, update: true, delete: true })
  .hooks({
    beforeDelete: async ({ original, collections }) => {
      const { id, name } = original
      if (name === "leaving") return
      await collections["hasty"]?.updateById({ id: String(id), data: { name: "leaving" } })
      await collections["hasty"]?.deleteById({ id: String(id) })
    },
  })

const heard: unknown[] = []
let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [authors, posts, hooked, open, hasty] })
})

afterAll(() => app[Symbol.asyncDispose]())

const send = (method: string, path: string, body?: unknown, session: Session = ann) =>
  app.fetch(path, { method, session, ...(body !== undefined && { body: JSON.stringify(body) }) })

async function author(data: Record<string, unknown> = {}): Promise<string> {
  return (await send("POST", "/authors", { name: crypto.randomUUID(), owner: "ann", ...data })).body.id
}

test("a deleted record is kept and hidden from every reader", async () => {
  const id = await author({ name: "Gone" })
  const post = (await send("POST", "/posts", { title: "by a ghost", author: id })).body.id

  const deleted = await send("DELETE", `/authors/${id}`)

  expect(deleted).toMatchObject({ status: 200, body: { success: true, data: { id, deletedAt: expect.any(String) } } })
  expect(await app.database.query(`select name from authors where id = '${id}'`)).toEqual([{ name: "Gone" }])
  expect((await app.fetch(`/authors/${id}`)).status).toBe(404)
  expect((await app.fetch("/authors?where[name]=Gone")).body.totalDocs).toBe(0)
  expect((await app.fetch("/authors/count?where[name]=Gone")).body.count).toBe(0)
  expect((await app.fetch(`/posts/${post}?with[author]=true`)).body.author).toBeNull()
  expect((await app.fetch(`/posts/count?where[id]=${post}&where[author][is][name]=Gone`)).body.count).toBe(0)
  expect((await app.fetch(`/posts/count?where[id]=${post}&where[author][isNot][name]=Gone`)).body.count).toBe(1)
  expect(await app.app.system.collections["authors"]?.findOne({ where: { id } })).toBeNull()
  expect(await app.app.system.collections["posts"]?.count({ where: { author: { is: { name: "Gone" } } } })).toBe(0)
})

test("a deleted record cannot be changed, deleted again, or pointed to", async () => {
  const id = await author()
  const plain = (await send("POST", "/open", { name: "x" })).body.id
  await send("DELETE", `/authors/${id}`)
  await send("DELETE", `/open/${plain}`)

  const answers = await Promise.all([
    send("PATCH", `/authors/${id}`, { town: "x" }),
    send("DELETE", `/authors/${id}`),
    send("PATCH", `/open/${plain}`, { name: "y" }),
    send("DELETE", `/open/${plain}`),
    send("POST", "/posts", { title: "x", author: id }),
  ])

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 400])
  expect(answers[4]?.body.error.fieldErrors).toMatchObject([{ path: "author" }])
})

test("includeDeleted needs the right to delete, and shows only what one may delete", async () => {
  const mine = await author({ name: "mine", town: "x" })
  const other = await author({ name: "other", town: "x", owner: "bob" })
  await send("DELETE", `/authors/${mine}`)
  await send("DELETE", `/authors/${other}`, undefined, bob)
  const query = "?includeDeleted=true&where[town]=x"

  const asAnn = await send("GET", `/authors${query}`)
  const asAdmin = await send("GET", `/authors/count${query}`, undefined, admin)
  const oneOfOthers = await send("GET", `/authors/${other}?includeDeleted=true`)
  const hidden = await send("GET", "/authors?where[town]=x&includeDeleted=false")

  expect(asAnn.body.docs).toMatchObject([{ id: mine, deletedAt: expect.any(String) }])
  expect(asAdmin.body.count).toBe(2)
  expect(oneOfOthers.status).toBe(404)
  expect(hidden.body.totalDocs).toBe(0)
  expect((await app.fetch(`/authors${query}`)).status).toBe(401)
  expect(await app.client(ann).collections["authors"].count({ where: { town: "x" }, includeDeleted: true })).toBe(1)
  const found = await app.client(ann).collections["authors"].findOne({ where: { id: mine }, includeDeleted: true })
  expect(found.deletedAt).toBeInstanceOf(Date)
})

test.each(["/posts?includeDeleted=true", "/authors?includeDeleted=maybe", "/posts/count?includeDeleted=true"])(
  "%s is 400",
  async (path) => {
    expect(await send("GET", path, undefined, admin)).toMatchObject({
      status: 400,
      body: { error: { fieldErrors: [{ path: "includeDeleted" }] } },
    })
  },
)

test("unique means unique among active records, and a clash refuses the restore", async () => {
  const first = await author({ name: "N", town: "T", email: "a@b" })
  await send("DELETE", `/authors/${first}`)
  const second = await author({ name: "N", town: "T", email: "a@b" })

  const third = await send("POST", "/authors", { name: "other", email: "a@b" })
  const clash = await send("POST", `/authors/${first}/restore`)
  await send("PATCH", `/authors/${second}`, { email: "c@d" })
  const pairClash = await send("POST", `/authors/${first}/restore`)
  await send("DELETE", `/authors/${second}`)
  const restored = await send("POST", `/authors/${first}/restore`)

  expect(third).toMatchObject({ status: 409, body: { error: { fieldErrors: [{ path: "email" }] } } })
  expect(clash).toMatchObject({ status: 409, body: { error: { fieldErrors: [{ path: "email" }] } } })
  expect(pairClash).toMatchObject({
    status: 409,
    body: { error: { fieldErrors: [{ path: "name" }, { path: "town" }] } },
  })
  expect(restored).toMatchObject({ status: 200, body: { id: first, deletedAt: null, revision: 3 } })
  expect(restored.headers.get("x-revision")).toBe("3")
})

test("restore follows the update rule, or a rule of its own", async () => {
  const id = await author()
  const closed = (await send("POST", "/open", { name: "x" })).body.id
  await send("DELETE", `/authors/${id}`)
  await send("DELETE", `/open/${closed}`)

  const byOther = await send("POST", `/authors/${id}/restore`, undefined, bob)
  const byOwner = await send("POST", `/authors/${id}/restore?expectedRevision=2`)
  const again = await send("POST", `/authors/${id}/restore`)
  const forbidden = await send("POST", `/open/${closed}/restore`)

  expect([byOther.status, byOwner.status, again.status, forbidden.status]).toEqual([404, 200, 409, 403])
  expect((await app.fetch(`/authors/${id}`)).body.deletedAt).toBeNull()
})

test("attack 44: purge of an active record, without soft delete, and by others leaves the row intact", async () => {
  const id = await author()
  const post = (await send("POST", "/posts", { title: "x" })).body.id
  const closed = (await send("POST", "/open", { name: "x" })).body.id
  await send("DELETE", `/open/${closed}`)

  const answers = await Promise.all([
    send("POST", `/authors/${id}/purge`, undefined, admin),
    send("POST", `/authors/${id}/purge`, undefined, bob),
    send("POST", `/posts/${post}/purge`, undefined, admin),
    send("POST", `/posts/${post}/restore`, undefined, admin),
    send("POST", `/open/${closed}/purge`, undefined, admin),
    send("POST", `/authors/${crypto.randomUUID()}/purge`, undefined, admin),
    send("POST", "/authors/7/restore", undefined, admin),
    app.fetch(`/authors/${id}/purge`, { method: "POST" }),
  ])

  expect(answers.map(({ status }) => status)).toEqual([409, 403, 400, 400, 403, 404, 404, 401])
  expect((await app.fetch(`/authors/${id}`)).status).toBe(200)
  expect((await app.fetch(`/posts/${post}`)).status).toBe(200)
})

test("purge removes a deleted record for good, unless others still point to it", async () => {
  const id = await author()
  const post = (await send("POST", "/posts", { title: "x", author: id })).body.id
  await send("DELETE", `/authors/${id}`)

  const stillNeeded = await send("POST", `/authors/${id}/purge`, undefined, admin)
  await send("PATCH", `/posts/${post}`, { author: null })
  const stale = await send("POST", `/authors/${id}/purge?expectedRevision=1`, undefined, admin)
  const purged = await send("POST", `/authors/${id}/purge?expectedRevision=2`, undefined, admin)

  expect(stillNeeded).toMatchObject({ status: 409, body: { error: { context: { relation: { field: "author" } } } } })
  expect(stale).toMatchObject({ status: 409, body: { error: { context: { revision: { expected: 1, actual: 2 } } } } })
  expect(purged).toMatchObject({ status: 200, body: { success: true } })
  expect(await app.database.query(`select 1 from authors where id = '${id}'`)).toEqual([])
})

test("the client restores and purges", async () => {
  const things = app.client(admin).collections["authors"]
  const { id } = await things.create({ name: "client" })

  const deleted = await things.deleteById({ id })
  const restored = await things.restoreById({ id })
  await things.delete({ id })
  await things.restore({ id, expectedRevision: 4 })
  await things.delete({ id })
  const purged = await things.purgeById({ id })

  expect(deleted.data.deletedAt).toBeInstanceOf(Date)
  expect(restored.deletedAt).toBeNull()
  expect(purged).toEqual({ success: true })
  await expect(things.purgeById({ id: "count" })).rejects.toThrow("is not a record id")
})

test("hooks hear which kind of write it is", async () => {
  const things = app.client().collections["hooked"]
  const { id } = await things.create({ name: "a" })

  await things.deleteById({ id })
  await things.restoreById({ id })
  await things.deleteById({ id })
  await things.purgeById({ id })

  expect(heard).toEqual([
    ["create", false],
    ["delete", false],
    ["restore", true],
    ["delete", false],
    ["purge", true],
  ])
})

test.each(["deleteById", "deleteMany"])(
  "%s deletes a record once, even if a hook deletes it, too",
  async (operation) => {
    const things = app.client().collections["hasty"]
    const { id } = await things.create({ name: "a" })

    await things[operation](operation === "deleteById" ? { id } : { where: { id } })

    const versions = await things.findVersions({ id, includeDeleted: true })
    expect(versions.map(({ versionOperation }: any) => versionOperation)).toEqual(["delete", "update", "create"])
  },
)

test("a filled table can take up soft delete, and uniqueness counts anew", async () => {
  const before = collection("tags")
    .fields(({ f }) => ({ name: f.text().unique() }))
    .access({ read: true, create: true, update: true, delete: true })
  await using old = await testApp({ resources: [before] })
  const { id } = await old.client().collections["tags"].create({ name: "a" })
  const config = { db: { url: old.database.url } }
  await using grown = await testApp({ resources: [before.options({ softDelete: true })], config })
  const tags = grown.client().collections["tags"]

  await tags.deleteById({ id })
  await tags.create({ name: "a" })

  expect(await tags.count()).toBe(1)
  await expect(tags.create({ name: "a" })).rejects.toMatchObject({ status: 409 })
})
