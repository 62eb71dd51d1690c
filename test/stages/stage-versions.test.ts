import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann", role: "editor" } }
const bob: Session = { user: { id: "bob" } }
const isEditor = ({ session }: { session: Session | null }) => session?.user.role === "editor"
const open = { read: true, create: true, update: true, delete: true } as const
const heard: any[] = []

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text().required().localized(),
    views: f.number().integer(),
    secret: f.text().access({ read: isEditor, update: isEditor }),
    parent: f.relation("posts").onDelete("setNull"),
    tags: f.relation("tags").manyToMany(),
  }))
  .options({ workflow: { stages: { draft: {}, review: {}, published: {} } }, versions: true, revision: true })
  .access({
    ...open,
    transition: ({ session, stage }) => isEditor({ session }) || (session !== null && stage === "review"),
    drafts: ({ session, stage }) => isEditor({ session }) || (session !== null && stage === "review"),
  })
  .hooks({
    beforeChange: ({ operation, stage, data }) => {
      heard.push([operation, stage, data["title"]])
      return data["title"] === "hooked" ? { ...data, views: 99 } : data
    },
  })

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text() }))
  .access(open)

const settings = global("settings")
  .fields(({ f }) => ({ name: f.text() }))
  .options({ workflow: true, versions: true, revision: true })
  .access({ read: true, update: isEditor })

let app: TestApp
beforeAll(async () => {
  const config = { locales: { default: "en", all: ["en", "sk"] } }
  app = await testApp({ resources: [posts, tags, settings], config })
})
afterAll(() => app[Symbol.asyncDispose]())

const api = (session: Session | undefined = ann) => app.client(session).collections["posts"]
const published = { stage: "published" } as const
const shown = (id: string, options: object = {}) => api().findOne({ where: { id }, ...published, ...options })
const worked = (id: string, options: object = {}) => api().findOne({ where: { id }, ...options })
const refused = (promise: Promise<unknown>) => promise.then(() => 200).catch(({ status }) => status)
const numbersOf = async (id: string, stage: string, page: object = {}) =>
  (await api().findVersions({ id, ...page }, { stage })).map((each: any) => each.versionNumber)

/** A record with versions of the working copy (1, 4, 7) and of two stages. */
async function record(): Promise<string> {
  const { id } = await api().create({ title: "One", views: 1 })
  await api().transitionStage({ id, stage: "review" })
  await api().transitionStage({ id, stage: "published" })
  await api().updateById({ id, data: { title: "Two", views: 2 } })
  await api().updateById({ id, data: { title: "Mended" } }, published)
  await api().updateById({ id, data: { title: "Reviewed" } }, { stage: "review" })
  await api().updateById({ id, data: { views: 3 } })
  return id
}

test("the versions of a stage are those that the stage has shown, and those of the initial stage are the record's own", async () => {
  const id = await record()
  await api().deleteById({ id }, published)

  expect(await numbersOf(id, "published")).toEqual([8, 5, 3])
  expect(await numbersOf(id, "review")).toEqual([6, 2])
  expect(await numbersOf(id, "draft")).toEqual([7, 4, 3, 2, 1])
  expect(await numbersOf(id, "published", { limit: 1, offset: 1 })).toEqual([5])
  expect(await api().findVersions({ id })).toHaveLength(8)
  const inProcess = (app.app.as(ann).collections as any)["posts"]
  expect(await inProcess.findVersions({ id }, published)).toHaveLength(3)
})

test("whoever may read the drafts of a stage may list its versions, and no others", async () => {
  const id = await record()
  const list = (session: Session | undefined, options: object) =>
    refused(app.client(session).collections["posts"].findVersions({ id }, options))

  expect(await list(bob, { stage: "review" })).toBe(200)
  expect(await list(bob, { stage: "draft" })).toBe(403)
  expect(await list(bob, published)).toBe(403)
  expect(await list(bob, {})).toBe(403)
  expect(await list(undefined, published)).toBe(401)
})

test("a revert in a stage brings a version back there, and leaves the record", async () => {
  const id = await record()
  const before = await worked(id)
  heard.splice(0)

  const reverted = await api().revertToVersion({ id, version: 3, expectedRevision: 5 }, published)

  expect(reverted).toMatchObject({ title: "One", views: 1, stage: "published", revision: 8 })
  expect(await shown(id)).toEqual(reverted)
  expect(await worked(id)).toEqual({ ...before, revision: 8 })
  expect(heard).toEqual([["revert", "published", "One"]])
  const [newest] = await api().findVersions({ id, limit: 1 })
  expect(newest).toMatchObject({
    ...{ versionNumber: 8, versionOperation: "revert", versionStage: "published", versionUserId: "ann" },
    ...{ title: "One", revision: 8 },
  })
  // Any version of the record can be brought back, also one of the working copy or of another stage.
  expect(await api().revertToVersion({ id, version: 4 }, published)).toMatchObject({ title: "Two", views: 2 })
  expect(await api().revertToVersion({ id, version: 6 }, published)).toMatchObject({ title: "Reviewed", views: 1 })
})

test("it restores all locales and the links of the copy", async () => {
  const [first, second] = await Promise.all(["a", "b"].map((name) => app.client().collections["tags"].create({ name })))
  const { id } = await api().create({ title: "One", tags: [first.id] }, published)
  await api().updateById({ id, data: { title: "Jedna" } }, { ...published, locale: "sk" })
  await api().updateById({ id, data: { tags: { set: [second.id] } } })
  await api().updateById({ id, data: { title: "Other", tags: { set: [second.id] } } }, published)
  await api().updateById({ id, data: { title: "Iná" } }, { ...published, locale: "sk" })
  const all = { locale: "*", with: { tags: true } }

  await api().revertToVersion({ id, version: 3 }, published)

  expect(await shown(id, all)).toMatchObject({ title: { en: "One", sk: "Jedna" }, tags: [{ name: "a" }] })
  expect(await worked(id, all)).toMatchObject({ title: { en: "One" }, tags: [{ name: "b" }] })
})

test("a hook may change what comes back", async () => {
  const { id } = await api().create({ title: "hooked", views: 1 }, published)
  await api().updateById({ id, data: { title: "Two", views: 2 } }, published)

  expect(await api().revertToVersion({ id, version: 2 }, published)).toMatchObject({ title: "hooked", views: 99 })
})

test("it is refused without the rights, outside of the stage, for a stale revision and an unknown version", async () => {
  const id = await record()
  const { id: never } = await api().create({ title: "Draft" })
  const revert = (target: object, options: object = published, session: Session | undefined = ann) =>
    refused(app.client(session).collections["posts"].revertToVersion({ version: 1, ...target }, options))

  expect(await revert({ id: never })).toBe(404)
  expect(await revert({ id, version: 99 })).toBe(404)
  expect(await revert({ id, expectedRevision: 7 })).toBe(409)
  expect(await revert({ id, expectedRevision: 5 })).toBe(200)
  expect(await revert({ id }, published, bob)).toBe(403)
  // The right to the drafts of one stage does not show the other versions.
  expect(await revert({ id }, { stage: "review" }, bob)).toBe(403)
})

test("a version that points to a record that is gone is refused, and leaves the copy", async () => {
  const { id: parent } = await api().create({ title: "Parent" })
  const { id } = await api().create({ title: "Child", parent }, published)
  await api().updateById({ id, data: { parent: null } }, published)
  await api().updateById({ id, data: { parent: null } })
  await api().deleteById({ id: parent })

  expect(await refused(api().revertToVersion({ id, version: 2 }, published))).toBe(400)
  expect(await shown(id)).toMatchObject({ parent: null, revision: 3 })
})

test("a global has the versions of its stages, and a revert there", async () => {
  const { settings } = app.client(ann).globals
  await settings.update({ name: "One" })
  await settings.transitionStage({ stage: "published" })
  await settings.update({ name: "Two" })
  await settings.update({ name: "Mended" }, published)

  expect((await settings.findVersions(published)).map((each: any) => each.name)).toEqual(["Mended", "One"])
  expect((await settings.findVersions({ stage: "draft" })).map((each: any) => each.name)).toEqual(["Two", "One", "One"])
  expect(await settings.revertToVersion({ version: 2 }, { ...published, expectedRevision: 4 })).toMatchObject({
    ...{ name: "One", revision: 5 },
  })
  expect(await settings.get()).toMatchObject({ name: "Two", revision: 5 })
  expect(await app.client().globals["settings"].get()).toMatchObject({ name: "One" })
})
