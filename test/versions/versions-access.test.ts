import { collection, type KitConfig, type Session } from "kit"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann" } }
const bob: Session = { user: { id: "bob" } }
const admin: Session = { user: { id: "root", role: "admin" } }

type Call = { session: Session | null }
const isAdmin = ({ session }: Call) => session?.user.role === "admin"
const own = (call: Call) => isAdmin(call) || (call.session !== null && { owner: call.session.user.id })

const locales: NonNullable<KitConfig["locales"]> = { default: "en", all: ["en", "sk"] }

const notes = collection("notes")
  .fields(({ f }) => ({
    text: f.text(),
    owner: f.text(),
    rank: f.number().integer().access({ update: isAdmin }),
    pay: f.number().integer().access({ read: own }),
    inner: f.text().access({ read: false }),
    slug: f.text().readOnly(),
    groups: f.relation("guarded").manyToMany().readOnly(),
  }))
  .options({ versions: true })
  .access({ read: own, create: true, update: own, delete: own })

const guarded = collection("guarded")
  .fields(({ f }) => ({ text: f.text() }))
  .options({ versions: true })
  .access({ read: true, create: true, update: true, versions: isAdmin })

const watched = collection("watched")
  .fields(({ f }) => ({ text: f.text(), owner: f.text() }))
  .options({ versions: true })
  .access({ read: true, create: true, update: true, versions: own })

const heard: unknown[] = []
const hooked = collection("hooked")
  .fields(({ f }) => ({ title: f.text().localized(), note: f.text(), count: f.number().integer() }))
  .options({ versions: true })
  .access({ read: true, create: true, update: true })
  .hooks({
    beforeChange: ({ operation, data }) => {
      heard.push(["before", operation, { ...data }])
      if (operation !== "revert" || data["note"] !== "veto") return data
      const { note: _note, ...rest } = data
      return { ...rest, count: 99 }
    },
    afterChange: ({ operation, row }) => void heard.push(["after", operation, row["note"]]),
    afterRead: ({ operation, row }) => (operation === "versions" ? { ...row, note: `seen ${row["note"]}` } : row),
  })

const cloned = collection("cloned")
  .fields(({ f }) => ({ meta: f.json().localized(), note: f.json() }))
  .options({ versions: true })
  .access({ read: true, create: true, update: true })
  .hooks({
    beforeChange: ({ operation, data }) => {
      if (operation === "revert") Object.assign(data["note"] as object, { isReverted: true })
      return structuredClone(data)
    },
  })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [notes, guarded, watched, hooked, cloned], config: { locales } })
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => void heard.splice(0))

const as = (session?: Session) => app.client(session).collections
const status = (promise: Promise<unknown>) => promise.then(() => 200).catch((error: { status: number }) => error.status)

test("whoever may read a record may see its versions, unless a rule of their own says otherwise", async () => {
  const note = await as(ann)["notes"].create({ text: "one", owner: "ann" })
  const { id } = await as(ann)["guarded"].create({ text: "one" })

  expect(await as(ann)["notes"].findVersions({ id: note.id })).toHaveLength(1)
  expect(await status(as(bob)["notes"].findVersions({ id: note.id }))).toBe(404)
  expect(await status(as()["notes"].findVersions({ id: note.id }))).toBe(401)
  expect(await status(as(ann)["guarded"].findVersions({ id }))).toBe(403)
  expect(await status(as(ann)["guarded"].revertToVersion({ id, version: 1 }))).toBe(403)
  expect(await status(as()["guarded"].findVersions({ id }))).toBe(401)
  expect(await as(admin)["guarded"].findVersions({ id })).toHaveLength(1)
})

test("who has lost a record has lost its history, what they wrote themselves included", async () => {
  const { id } = await as(ann)["notes"].create({ text: "mine", owner: "ann" })
  await as(admin)["notes"].updateById({ id, data: { owner: "bob" } })

  expect(await status(as(ann)["notes"].findVersions({ id }))).toBe(404)
  expect(await status(as(ann)["notes"].revertToVersion({ id, version: 1 }))).toBe(404)
  expect((await as(bob)["notes"].findVersions({ id })).map((each: any) => each.owner)).toEqual(["bob", "ann"])
})

test("a version shows the fields that the record shows now", async () => {
  const { id } = await as(admin)["notes"].create({ text: "paid", owner: "ann", pay: 10 })
  await app.app.system.collections["notes"]?.updateById({ id, data: { inner: "secret" } })
  const shared = collection("shared")
    .fields(({ f }) => ({ owner: f.text(), pay: f.number().integer().access({ read: own }) }))
    .options({ versions: true })
    .access({ read: true, create: true, update: true })
  await using other = await testApp({ resources: [shared] })
  const record = await other.client(ann).collections["shared"].create({ owner: "ann", pay: 7 })
  await other.client(ann).collections["shared"].updateById({ id: record.id, data: { owner: "bob" } })
  const payTo = async (session: Session) => {
    const versions = await other.client(session).collections["shared"].findVersions({ id: record.id })
    return versions.map((each: any) => each.pay)
  }

  const [newest] = await as(ann)["notes"].findVersions({ id })
  expect(newest).toMatchObject({ text: "paid", pay: 10, versionUserId: null })
  expect(Object.keys(newest)).not.toContain("inner")
  expect(await payTo(bob)).toEqual([7, 7])
  expect(await payTo(ann)).toEqual([undefined, undefined])
})

test("a revert needs the right to update each field that it changes, and no other", async () => {
  const { id } = await as(admin)["notes"].create({ text: "one", owner: "ann", rank: 1 })
  await as(ann)["notes"].updateById({ id, data: { text: "two" } })
  await as(admin)["notes"].updateById({ id, data: { rank: 2 } })

  await as(ann)["notes"].updateById({ id, data: { text: "three" } })
  const refused = as(ann)["notes"].revertToVersion({ id, version: 1 })
  await expect(refused).rejects.toMatchObject({ status: 403, fieldErrors: [{ path: "rank" }] })
  expect(await as(ann)["notes"].revertToVersion({ id, version: 3 })).toMatchObject({ text: "two", rank: 2 })
  expect(await as(admin)["notes"].revertToVersion({ id, version: 1 })).toMatchObject({ text: "one", rank: 1 })
})

test("a revert leaves what the caller may not read as it is, and does not tell of it", async () => {
  const shown = collection("shown")
    .fields(({ f }) => ({
      text: f.text(),
      owner: f.text(),
      notes: f.text().access({ read: isAdmin, update: isAdmin }),
      pay: f.number().integer().access({ read: own, update: own }),
      friends: f.relation("shown").manyToMany().access({ read: isAdmin, update: isAdmin }),
    }))
    .options({ versions: true })
    .access({ read: true, create: true, update: true })
  await using other = await testApp({ resources: [shown] })
  const records = other.app.system.collections["shown"] as any
  const friend = await records.create({ text: "friend" })
  const first = { text: "one", owner: "bob", notes: "one", pay: 1, friends: [friend.id] }
  const { id } = await records.create(first)
  await records.updateById({ id, data: { text: "two", notes: "two", pay: 2, friends: [] } })
  const found = async () => {
    const { text, notes, pay, friends } = await records.findOne({ where: { id }, with: { friends: true } })
    return [text, notes, pay, friends.length]
  }
  const revertBy = async (session: Session) => {
    await other.client(session).collections["shown"].revertToVersion({ id, version: 1 })
    return found()
  }

  expect(await revertBy(ann)).toEqual(["one", "two", 2, 0])
  expect(await revertBy(bob)).toEqual(["one", "two", 1, 0])
  expect(await revertBy(admin)).toEqual(["one", "one", 1, 1])
})

test("a revert may not move a record out of reach", async () => {
  const { id } = await as(admin)["notes"].create({ text: "one", owner: "bob" })
  await as(admin)["notes"].updateById({ id, data: { owner: "ann" } })

  expect(await status(as(ann)["notes"].revertToVersion({ id, version: 1 }))).toBe(403)
  expect((await as(admin)["notes"].findOne({ where: { id } })).owner).toBe("ann")
})

test("a revert brings back what only the author's code writes to the system alone", async () => {
  const system = app.app.system.collections as Record<string, any>
  const group = await system["guarded"].create({ text: "admins" })
  const { id } = await system["notes"].create({ text: "one", owner: "ann", slug: "one", groups: [group.id] })
  await system["notes"].updateById({ id, data: { text: "two", slug: "two", groups: { set: [] } } })
  const found = async () => {
    const { text, slug, groups } = await system["notes"].findOne({ where: { id }, with: { groups: true } })
    return [text, slug, groups.length]
  }

  await as(ann)["notes"].revertToVersion({ id, version: 1 })
  const byOwner = await found()
  await system["notes"].revertToVersion({ id, version: 1 })

  expect([byOwner, await found()]).toEqual([
    ["one", "two", 0],
    ["one", "one", 1],
  ])
})

test("a record whose versions a rule hides cannot be reverted", async () => {
  const { id } = await as(ann)["watched"].create({ text: "secret", owner: "bob" })
  await as(bob)["watched"].updateById({ id, data: { text: "public" } })

  expect(await status(as(ann)["watched"].findVersions({ id }))).toBe(404)
  expect(await status(as(ann)["watched"].revertToVersion({ id, version: 1 }))).toBe(404)
  expect((await as(ann)["watched"].findOne({ where: { id } })).text).toBe("public")
  expect(await as(bob)["watched"].revertToVersion({ id, version: 1 })).toMatchObject({ text: "secret" })
})

test("hooks take part in a revert and in what versions show", async () => {
  const { id } = await as(ann)["hooked"].create({ title: "one", note: "veto", count: 1 })
  await as(ann)["hooked"].updateById({ id, data: { title: "two", note: "fine", count: 2 } })
  heard.splice(0)

  const reverted = await as(ann)["hooked"].revertToVersion({ id, version: 1 })

  expect(reverted).toMatchObject({ title: "one", note: "fine", count: 99 })
  expect(heard).toEqual([
    ["before", "revert", { title: "one", note: "veto", count: 1 }],
    ["after", "revert", "fine"],
  ])
  const versions = await as(ann)["hooked"].findVersions({ id, limit: 1 })
  expect(versions).toMatchObject([{ versionOperation: "revert", note: "seen fine" }])
})

test("a revert brings back all locales at once", async () => {
  const { id } = await as(ann)["hooked"].create({ title: "one" }, { locale: "en" })
  await as(ann)["hooked"].updateById({ id, data: { title: "jeden" } }, { locale: "sk" })
  await as(ann)["hooked"].updateById({ id, data: { title: "two" } }, { locale: "en" })
  await as(ann)["hooked"].updateById({ id, data: { title: "dva" } }, { locale: "sk" })

  const reverted = await as(ann)["hooked"].revertToVersion({ id, version: 2 }, { locale: "sk", localeFallback: false })

  expect(reverted.title).toBe("jeden")
  expect((await as()["hooked"].findOne({ where: { id }, locale: "*" })).title).toEqual({ en: "one", sk: "jeden" })
  expect(
    (await as()["hooked"].findVersions({ id, limit: 2 }, { locale: "sk" })).map((each: any) => each.title),
  ).toEqual(["jeden", "dva"])
  expect(await status(as(ann)["hooked"].revertToVersion({ id, version: 1 }, { locale: "*" }))).toBe(400)
})

test("hooks that hand on copies, or change what they are given, do so in a revert too", async () => {
  const { id } = await as(ann)["cloned"].create({ meta: { is: "one" }, note: { is: "one" } })
  await as(ann)["cloned"].updateById({ id, data: { meta: { is: "two" }, note: null } })

  await as(ann)["cloned"].revertToVersion({ id, version: 1 }, { locale: "sk" })

  const { meta, note } = await as()["cloned"].findOne({ where: { id }, locale: "*" })
  expect([meta, note]).toEqual([{ en: { is: "one" } }, { is: "one", isReverted: true }])
})
