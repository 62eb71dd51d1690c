// @module-tag installed-postgres

import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann" } }
const bob: Session = { user: { id: "bob" } }
const open = { read: true, create: true, update: true, delete: true, restore: true, purge: true } as const

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text(200).required(),
    body: f.textarea(),
    big: f.number().bigint(),
    price: f.number().decimal(12, 2),
    at: f.datetime(),
    words: f.select(["red", "green"]).multiple(),
    meta: f.json(),
    author: f.relation("people").onDelete("setNull"),
    tags: f.relation("tags").manyToMany(),
    shout: f.virtual(f.text(), `upper("title")`),
    secret: f.text().hidden(),
  }))
  .options({ versions: true, softDelete: true, revision: true })
  .access(open)

const people = collection("people")
  .fields(({ f }) => ({ name: f.text().required() }))
  .access(open)

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text().required() }))
  .access(open)

const pruned = collection("pruned")
  .fields(({ f }) => ({
    count: f.number().integer(),
    all: f.virtual(f.number().integer(), `(select count(*)::int from pruned)`),
  }))
  .options({ versions: { max: 3 }, timestamps: false })
  .access(open)

const plain = collection("plain")
  .fields(({ f }) => ({ name: f.text() }))
  .access(open)

const settings = global("settings")
  .fields(({ f }) => ({ name: f.text(), theme: f.json() }))
  .options({ versions: true })
  .access({ read: true, update: true })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [posts, people, tags, pruned, plain, settings] })
})

afterAll(() => app[Symbol.asyncDispose]())

const client = (session: Session = ann) => app.client(session).collections
const versionsOf = (id: string) => client()["posts"].findVersions({ id })

test("every write of a record is a version of it, listed the newest first with who and when", async () => {
  const post = await client()["posts"].create({ title: "One" })
  const { id } = post
  await client(bob)["posts"].updateById({ id, data: { title: "Two" } })
  await client()["posts"].deleteById({ id })
  await client()["posts"].restoreById({ id })

  const versions = await versionsOf(id)

  const told = versions.map((each: any) => [each.versionNumber, each.versionOperation, each.versionUserId, each.title])
  expect(told).toEqual([
    [4, "restore", "ann", "Two"],
    [3, "delete", "ann", "Two"],
    [2, "update", "bob", "Two"],
    [1, "create", "ann", "One"],
  ])
  expect(versions[3]).toMatchObject({ ...post, versionCreatedAt: post.createdAt, versionId: expect.any(String) })
  expect(versions[1].deletedAt).toBeInstanceOf(Date)
})

test("a version holds every type of value as it was", async () => {
  const given = {
    ...{ title: "Typed", body: "long", big: 2n ** 62n, price: "12.30", at: new Date("2024-02-29T12:34:56.789Z") },
    ...{ words: ["red", "green"], meta: { deep: [1, null, { a: "b" }] } },
  }
  const { id } = await client()["posts"].create(given)
  await client()["posts"].updateById({
    id,
    data: { title: "Other", body: null, big: 1n, price: null, at: null, words: [], meta: null },
  })

  const [, first] = await versionsOf(id)
  const reverted = await client()["posts"].revertToVersion({ id, version: 1 })

  expect(first).toMatchObject({ ...given, shout: "TYPED" })
  expect(reverted).toMatchObject({ ...given, shout: "TYPED", revision: 3 })
  expect((await client()["posts"].findOne({ where: { id } })).title).toBe("Typed")
})

test("a revert is a new version, by number or by id, and leaves the history as it was", async () => {
  const { id } = await client()["posts"].create({ title: "One" })
  await client()["posts"].updateById({ id, data: { title: "Two" } })
  const [, first] = await versionsOf(id)

  await client(bob)["posts"].revertToVersion({ id, versionId: first.versionId })
  await client()["posts"].revertToVersion({ id, version: 2, expectedRevision: 3 })

  const told = (await versionsOf(id)).map((each: any) => [each.versionNumber, each.versionOperation, each.title])
  expect(told).toEqual([
    [4, "revert", "Two"],
    [3, "revert", "One"],
    [2, "update", "Two"],
    [1, "create", "One"],
  ])
  const stale = client()["posts"].revertToVersion({ id, version: 1, expectedRevision: 3 })
  await expect(stale).rejects.toMatchObject({ status: 409, context: { revision: { expected: 3, actual: 4 } } })
})

test("links are part of a version; records that have gone since are not linked again", async () => {
  const [red, blue] = await Promise.all(["red", "blue"].map((name) => client()["tags"].create({ name })))
  const { id } = await client()["posts"].create({ title: "Linked", tags: { connect: [red.id, blue.id] } })
  await client()["posts"].updateById({ id, data: { tags: { set: [] } } })
  const linked = async () => {
    const found = await client()["posts"].findOne({ where: { id }, with: { tags: true } })
    return found.tags.map((tag: any) => tag.name).sort()
  }

  await client()["posts"].revertToVersion({ id, version: 1 })
  const both = await linked()
  await client()["tags"].deleteById({ id: blue.id })
  await client()["posts"].revertToVersion({ id, version: 2 })
  const none = await linked()
  await client()["posts"].revertToVersion({ id, version: 1 })

  expect([both, none, await linked()]).toEqual([["blue", "red"], [], ["red"]])
})

test("a change of links from either end, and a cascade, is a version of each record that shows it", async () => {
  const ends = [
    collection("groups")
      .fields(({ f }) => ({ name: f.text(), members: f.relation("users2").manyToMany({ through: "membership" }) }))
      .options({ versions: true })
      .access(open),
    collection("users2")
      .fields(({ f }) => ({
        name: f.text(),
        groups: f.relation("groups").manyToMany({ through: "membership" }),
        boss: f.relation("users2").onDelete("setNull"),
      }))
      .options({ versions: true })
      .access(open),
  ]
  await using both = await testApp({ resources: ends })
  const { groups, users2 } = both.client(ann).collections
  const group = await groups.create({ name: "G" })
  const boss = await users2.create({ name: "B" })
  const user = await users2.create({ name: "U", boss: boss.id, groups: { connect: [group.id] } })
  await groups.updateById({ id: group.id, data: { members: { disconnect: [user.id] } } })
  await users2.revertToVersion({ id: user.id, version: 1 })
  await users2.deleteById({ id: boss.id })

  const history = async (operations: any, id: string) =>
    (await operations.findVersions({ id })).map((each: any) => each.versionOperation).reverse()
  const stored = await both.database.query(
    `select data->'groups' as groups, data->'members' as members from "_kit_versions" order by created_at, number`,
  )

  expect(await history(groups, group.id)).toEqual(["create", "update", "update", "update"])
  expect(await history(users2, user.id)).toEqual(["create", "update", "revert", "update"])
  expect(stored.filter(({ groups }) => groups).length + stored.filter(({ members }) => members).length).toBe(8)
  await expect(users2.findVersions({ id: boss.id })).rejects.toMatchObject({ status: 404 })
  expect(await both.database.query(`select 1 from "_kit_versions" where record = '${boss.id}'`)).toEqual([])
})

test("each row of a bulk write gets a version of its own", async () => {
  const made = await Promise.all([1, 2, 3].map((count) => client()["posts"].create({ title: `Bulk ${count}` })))
  const ids = made.map(({ id }) => id)

  await client()["posts"].updateMany({ where: { id: { in: ids } }, data: { body: "same" } })
  await client()["posts"].updateBatch({ updates: ids.map((id, index) => ({ id, data: { title: `New ${index}` } })) })
  await client()["posts"].deleteMany({ where: { id: { in: ids } } })

  const numbers = await app.database.query(
    `select array_agg(operation order by number) as operations from "_kit_versions" where record = any($1) group by record`,
    [ids],
  )
  expect(numbers).toEqual(ids.map(() => ({ operations: ["create", "update", "update", "delete"] })))
})

test("only the newest versions stay, and numbers go on without a gap", async () => {
  const { id } = await client()["pruned"].create({ count: 0 })
  for (let count = 1; count <= 5; count++) await client()["pruned"].updateById({ id, data: { count } })

  const versions = await client()["pruned"].findVersions({ id })
  const page = await client()["pruned"].findVersions({ id, limit: 1, offset: 1 })

  expect(versions.map((each: any) => [each.versionNumber, each.count])).toEqual([
    [6, 5],
    [5, 4],
    [4, 3],
  ])
  expect(page.map((each: any) => each.versionNumber)).toEqual([5])
  const { all } = await client()["pruned"].findOne({ where: { id } })
  expect(versions.map((each: any) => each.all)).toEqual([all, all, all])
  await expect(client()["pruned"].revertToVersion({ id, version: 3 })).rejects.toMatchObject({ status: 404 })
})

test("writers at once get numbers without a gap", async () => {
  const { id } = await client()["posts"].create({ title: "Raced" })
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => client()["posts"].updateById({ id, data: { title: `Raced ${index}` } })),
  )

  const versions = await versionsOf(id)

  expect(versions.map((each: any) => each.versionNumber)).toEqual(Array.from({ length: 21 }, (_, index) => 21 - index))
  expect(versions[0].title).toBe((await client()["posts"].findOne({ where: { id } })).title)
})

test("a purge, or a delete for good, takes the history along", async () => {
  const { id } = await client()["posts"].create({ title: "Gone" })
  await client()["posts"].deleteById({ id })
  const kept = await client()["posts"].findVersions({ id, includeDeleted: true })
  await client()["posts"].purgeById({ id })
  const hard = await client()["pruned"].create({ count: 1 })
  await client()["pruned"].deleteById({ id: hard.id })

  const left = await app.database.query(`select 1 from "_kit_versions" where record = any($1)`, [[id, hard.id]])
  expect(kept.map((each: any) => each.versionOperation)).toEqual(["delete", "create"])
  expect(left).toEqual([])
})

test("a write that is rolled back leaves no version", async () => {
  const { id } = await client()["posts"].create({ title: "Kept" })
  const failing = app.app.as(ann).transaction(async ({ collections }) => {
    await collections["posts"]?.updateById({ id, data: { title: "Lost" } })
    throw new Error("No.")
  })

  await expect(failing).rejects.toThrow("No.")
  expect((await versionsOf(id)).map((each: any) => each.title)).toEqual(["Kept"])
})

test("a global has versions too", async () => {
  const { settings } = app.client(ann).globals
  expect(await settings.findVersions()).toEqual([])
  await settings.update({ name: "One", theme: { dark: true } })
  await settings.update({ name: "Two", theme: null })

  const reverted = await settings.revertToVersion({ version: 1 })

  expect(reverted).toMatchObject({ name: "One", theme: { dark: true } })
  const versions = await settings.findVersions({ limit: 2 })
  expect(versions.map((each: any) => [each.versionNumber, each.versionOperation, each.name])).toEqual([
    [3, "revert", "One"],
    [2, "update", "Two"],
  ])
})

test("the record of a global may be named by its id, and no other", async () => {
  const { settings } = app.client(ann).globals
  const id = "00000000-0000-7000-8000-000000000000"
  await settings.update({ name: "Named" })
  const [{ versionNumber: version }] = await settings.findVersions({ id, limit: 1 })
  await settings.update({ name: "Renamed" })
  const inProcess = (app.app.as(ann).globals as any)["settings"]
  const send = async (path: string, body?: object) => {
    const call = { session: ann, ...(body && { method: "POST", body: JSON.stringify(body) }) }
    const { status, body: answered } = await app.fetch(`/globals/settings/${path}`, call)
    return [status, answered.error?.fieldErrors?.[0]?.path ?? answered.error?.context]
  }

  expect(await settings.revertToVersion({ id, version })).toMatchObject({ name: "Named" })
  expect(await inProcess.revertToVersion({ id, version })).toMatchObject({ name: "Named" })
  expect(await inProcess.findVersions({ id })).toEqual(await inProcess.findVersions())
  const other = crypto.randomUUID()
  expect(await send(`versions?id=${other}`)).toEqual([404, { global: "settings" }])
  expect(await send("revert", { id: other, version })).toEqual([404, { global: "settings" }])
  expect(await send("versions?id=settings")).toEqual([400, "id"])
  expect(await send("revert", { id: null, version })).toEqual([400, "id"])
})

test.each([
  ["POST", "revert", {}, 400, "version"],
  ["POST", "revert", { version: 1, versionId: crypto.randomUUID() }, 400, "version"],
  ["POST", "revert", { version: 0 }, 400, "version"],
  ["POST", "revert", { version: "1" }, 400, "version"],
  ["POST", "revert", { version: 1.5 }, 400, "version"],
  ["POST", "revert", { version: 2 ** 40 }, 400, "version"],
  ["POST", "revert", { versionId: "x" }, 400, "versionId"],
  ["POST", "revert", { version: 1, force: true }, 400, "force"],
  ["POST", "revert", [], 400, ""],
  ["POST", "revert", { version: 99 }, 404, undefined],
  ["POST", "revert", { versionId: crypto.randomUUID() }, 404, undefined],
  ["GET", "versions?limit=0", undefined, 400, "limit"],
  ["GET", "versions?where[title]=x", undefined, 400, "where"],
] as const)("%s %s with %o is refused", async (method, path, body, status, field) => {
  const { id } = await client()["posts"].create({ title: "Refused" })

  const refused = await app.fetch(`/posts/${id}/${path}`, {
    method,
    session: ann,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

  expect(refused.status).toBe(status)
  if (field !== undefined) expect(refused.body.error.fieldErrors[0].path).toBe(field)
})

test("a version of another record, a deleted record and a collection without versions have none", async () => {
  const one = await client()["posts"].create({ title: "One" })
  const two = await client()["posts"].create({ title: "Two" })
  const [version] = await versionsOf(two.id)
  const other = await client()["plain"].create({ name: "Plain" })

  const foreign = client()["posts"].revertToVersion({ id: one.id, versionId: version.versionId })
  await expect(foreign).rejects.toMatchObject({ status: 404 })
  await client()["posts"].deleteById({ id: two.id })
  await expect(client()["posts"].revertToVersion({ id: two.id, version: 1 })).rejects.toMatchObject({ status: 404 })
  await expect(versionsOf(two.id)).rejects.toMatchObject({ status: 404 })
  await expect(client()["plain"].findVersions({ id: other.id })).rejects.toMatchObject({ status: 400 })
  await expect(client()["plain"].revertToVersion({ id: other.id, version: 1 })).rejects.toMatchObject({ status: 400 })
  await expect(client()["posts"].findVersions({ id: "nonsense" })).rejects.toMatchObject({ status: 404 })
})

test("a revert to what no longer fits is refused with the field, and changes nothing", async () => {
  const person = await client()["people"].create({ name: "P" })
  const { id } = await client()["posts"].create({ title: "Pointed", author: person.id })
  await client()["posts"].updateById({ id, data: { author: null, title: "Free" } })
  await client()["people"].deleteById({ id: person.id })

  await expect(client()["posts"].revertToVersion({ id, version: 1 })).rejects.toMatchObject({
    status: 400,
    fieldErrors: [{ path: "author", message: expect.any(String) }],
  })
  expect(await versionsOf(id)).toHaveLength(2)
})

test("what is hidden is in no version that is shown, and only the system reverts it", async () => {
  const { posts } = app.app.system.collections as Record<string, any>
  const { id } = await posts.create({ title: "Hidden", secret: "old" })
  await posts.updateById({ id, data: { secret: "new" } })

  await client()["posts"].revertToVersion({ id, version: 1 })
  const byUser = await app.database.query(`select secret from posts where id = '${id}'`)
  await posts.revertToVersion({ id, version: 1 })
  const bySystem = await app.database.query(`select secret from posts where id = '${id}'`)

  expect(Object.keys((await versionsOf(id))[0])).not.toContain("secret")
  expect([byUser, bySystem]).toEqual([[{ secret: "new" }], [{ secret: "old" }]])
})

test("links that are made before the rows of a batch are written are in no earlier version of these rows", async () => {
  const songs = collection("songs")
    .fields(({ f }) => ({
      name: f.text(),
      singer: f.relation("singers"),
      fans: f.relation("singers").manyToMany({ through: "liking" }),
    }))
    .options({ versions: true })
    .access(open)
  const singers = collection("singers")
    .fields(({ f }) => ({ likes: f.relation("songs").manyToMany({ through: "liking" }) }))
    .access(open)
  await using other = await testApp({ resources: [songs, singers] })
  const api = other.client().collections["songs"]
  const { id: first } = await api.create({ name: "a" })
  const { id: second } = await api.create({ name: "b" })

  const singer = { create: { likes: { connect: [first, second] } } }
  await api.updateBatch({
    updates: [
      { id: first, data: { singer } },
      { id: second, data: { name: "c" } },
    ],
  })
  for (const id of [first, second]) await api.revertToVersion({ id, version: 1 })

  const reverted = await api.find({ with: { fans: true } })
  expect(reverted.docs.map(({ fans }: any) => fans)).toEqual([[], []])
})
