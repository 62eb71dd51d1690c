// @module-tag installed-postgres

import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann", role: "editor" } }
const bob: Session = { user: { id: "bob" } }
type Call = { session: Session | null }
const isEditor = ({ session }: Call) => session?.user.role === "editor"

const open = { read: true, create: true, update: isEditor, delete: true, restore: true, purge: true } as const

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text(200).required(),
    slug: f.text().unique(),
    views: f.number().integer(),
    author: f.relation("people").onDelete("setNull"),
    parent: f.relation("posts").onDelete("setNull"),
    tags: f.relation("tags").manyToMany({ through: "tagging" }),
    comments: f.relation("comments").hasMany({ via: "post" }),
  }))
  .searchable({ fields: ["title"] })
  .options({ workflow: true, versions: true, softDelete: true, revision: true })
  .access(open)

const people = collection("people")
  .fields(({ f }) => ({ name: f.text(), posts: f.relation("posts").hasMany({ via: "author" }) }))
  .access(open)

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text(), posts: f.relation("posts").manyToMany({ through: "tagging" }) }))
  .access(open)

const comments = collection("comments")
  .fields(({ f }) => ({ text: f.text(), post: f.relation("posts").onDelete("cascade") }))
  .access(open)

const heard: unknown[] = []
const docs = collection("docs")
  .fields(({ f }) => ({ title: f.text(), owner: f.text() }))
  .options({
    workflow: {
      stages: { idea: { to: ["review"] }, review: { to: ["idea", "live"] }, live: { to: ["idea", "live"] } },
      initial: "idea",
      public: "live",
    },
  })
  .access({
    read: true,
    create: true,
    update: ({ session }) => session !== null && { owner: session.user.id },
    transition: ({ session, stage }) => isEditor({ session }) || (session !== null && stage !== "live"),
    drafts: ({ session }) => isEditor({ session }) || (session !== null && { owner: session.user.id }),
  })
  .hooks({
    beforeTransition: ({ from, to, original }) => {
      heard.push(["before", from, to, original["title"]])
      if (original["title"] === "never") throw new Error("No.")
    },
    afterTransition: ({ from, to }) => void heard.push(["after", from, to]),
  })

const plain = collection("plain")
  .fields(({ f }) => ({ name: f.text() }))
  .access(open)

const settings = global("settings")
  .fields(({ f }) => ({ name: f.text() }))
  .options({ workflow: true })
  .access({ read: true, update: isEditor })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [posts, people, tags, comments, docs, plain, settings] })
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => void heard.splice(0))

const as = (session?: Session) => app.client(session).collections
const publish = (id: string) => as(ann)["posts"].transitionStage({ id, stage: "published" })
const seen = async (id: string, session?: Session, options: object = {}) =>
  await as(session)["posts"].findOne({ where: { id }, ...options })

test("a record is a draft until it is moved, and what is published stays until the next move", async () => {
  const { id, stage } = await as(ann)["posts"].create({ title: "One", slug: "one" })
  const hidden = await seen(id, bob)
  const moved = await publish(id)
  const shown = await seen(id, bob)
  await as(ann)["posts"].updateById({ id, data: { title: "Two" } })

  expect(stage).toBe("draft")
  expect(hidden).toBeNull()
  expect(moved).toMatchObject({ id, stage: "published", title: "One", revision: 2 })
  expect(shown).toMatchObject({ id, stage: "published", title: "One" })
  expect(await seen(id, bob)).toMatchObject({ title: "One" })
  expect(await seen(id, ann)).toMatchObject({ title: "Two", stage: "published" })
  expect(await seen(id, ann, { stage: "published" })).toMatchObject({ title: "One" })
  expect(await seen(id, bob, { stage: "published" })).toMatchObject({ title: "One" })

  await publish(id)
  expect(await seen(id)).toMatchObject({ title: "Two" })
  await as(ann)["posts"].transitionStage({ id, stage: "draft" })
  expect(await seen(id)).toBeNull()
  expect(await seen(id, ann, { stage: "published" })).toBeNull()
  expect((await as(ann)["posts"].findVersions({ id })).map((each: any) => each.versionOperation)).toEqual([
    ...["transition", "transition", "update", "transition", "create"],
  ])
})

test("find, count, search, order, groups and pages are those of the stage", async () => {
  const made = []
  for (const views of [1, 2, 3]) made.push(await as(ann)["posts"].create({ title: `Counted ${views}`, views }))
  for (const { id } of made.slice(0, 2)) await publish(id)
  await as(ann)["posts"].updateMany({ where: { title: { startsWith: "Counted" } }, data: { views: 9 } })
  const where = { title: { startsWith: "Counted" } }

  const page = await as(bob)["posts"].find({ where, orderBy: { views: "desc" } })
  expect(page).toMatchObject({ totalDocs: 2, docs: [{ views: 2 }, { views: 1 }] })
  expect(await as(bob)["posts"].count({ where: { ...where, views: 9 } })).toBe(0)
  expect(await as(ann)["posts"].count({ where: { ...where, views: 9 } })).toBe(3)
  expect(await as(ann)["posts"].count({ where, stage: "published" })).toBe(2)
  expect((await as(bob)["posts"].find({ search: "Counted" })).totalDocs).toBe(2)
  const groups = await as(bob)["posts"].find({ where, groupBy: "views" })
  expect(groups.groups.map((group: any) => group.value).sort()).toEqual([1, 2])
})

test("relations lead to what the caller may see, from either end, and links are those of the copy", async () => {
  const author = await as(ann)["people"].create({ name: "Author" })
  const tag = await as(ann)["tags"].create({ name: "Tag" })
  const late = await as(ann)["tags"].create({ name: "Late" })
  const parent = await as(ann)["posts"].create({ title: "Parent" })
  const { id } = await as(ann)["posts"].create({
    ...{ title: "Child", author: author.id, parent: parent.id, tags: { connect: [tag.id] } },
  })
  const draft = await as(ann)["posts"].create({ title: "Draft", author: author.id, tags: { connect: [tag.id] } })
  await publish(id)
  await as(ann)["posts"].updateById({ id, data: { tags: { set: [late.id] } } })
  const withAll = { with: { author: { with: { posts: true } }, parent: true, tags: { with: { posts: true } } } }

  const shown = await seen(id, bob, withAll)
  const worked = await seen(id, ann, withAll)
  const asked = await seen(id, ann, { ...withAll, stage: "published" })

  expect(shown.author.posts.map((post: any) => post.id)).toEqual([id])
  expect(shown.parent).toBeNull()
  expect(shown.tags).toMatchObject([{ name: "Tag", posts: [{ id }] }])
  expect(worked.author.posts.map((post: any) => post.id).sort()).toEqual([id, draft.id].sort())
  expect(worked).toMatchObject({ parent: { title: "Parent" }, tags: [{ name: "Late", posts: [{ id }] }] })
  expect(asked).toMatchObject({ parent: null, tags: [{ name: "Tag" }] })
  expect(await as(bob)["posts"].count({ where: { tags: { some: { name: "Late" } } } })).toBe(0)
  expect(await as(bob)["tags"].find({ where: { posts: { some: { title: "Child" } } } })).toMatchObject({
    docs: [{ name: "Tag" }],
  })
  await publish(id)
  expect((await seen(id, bob, withAll)).tags).toMatchObject([{ name: "Late" }])
})

test("unique is what a stage holds: a clash is found at the move", async () => {
  const first = await as(ann)["posts"].create({ title: "First", slug: "same" })
  await publish(first.id)
  await as(ann)["posts"].updateById({ id: first.id, data: { slug: "other" } })
  const second = await as(ann)["posts"].create({ title: "Second", slug: "same" })

  await expect(publish(second.id)).rejects.toMatchObject({ status: 409, fieldErrors: [{ path: "slug" }] })
  expect(await seen(second.id, ann)).toMatchObject({ stage: "draft" })
  await publish(first.id)
  await publish(second.id)
  expect(await seen(second.id)).toMatchObject({ slug: "same" })
})

test("copies go and come with their record", async () => {
  const author = await as(ann)["people"].create({ name: "Gone" })
  const { id } = await as(ann)["posts"].create({ title: "Kept", slug: "kept", author: author.id })
  await publish(id)
  await as(ann)["posts"].deleteById({ id })
  expect(await seen(id)).toBeNull()
  const other = await as(ann)["posts"].create({ title: "Other", slug: "kept" })
  await publish(other.id)
  await as(ann)["posts"].deleteMany({ where: { id: other.id } })
  await as(ann)["posts"].restoreById({ id })
  expect(await seen(id)).toMatchObject({ slug: "kept" })
  await as(ann)["people"].deleteById({ id: author.id })
  expect(await seen(id)).toMatchObject({ author: null })
  await as(ann)["posts"].deleteById({ id })
  await as(ann)["posts"].purgeById({ id })
  expect(await app.database.query(`select 1 from "posts.stage.published" where id = '${id}'`)).toEqual([])
})

test("the rule about drafts may show some of them, and stages that are not public need it", async () => {
  const mine = await as(bob)["docs"].create({ title: "mine", owner: "bob" })
  const other = await as(bob)["docs"].create({ title: "other", owner: "eva" })

  const titles = async (session?: Session, options: object = {}) =>
    (await as(session)["docs"].find({ orderBy: { title: "asc" }, ...options })).docs.map((doc: any) => doc.title)
  expect(await titles(bob)).toEqual([])
  expect(await titles(bob, { stage: "idea" })).toEqual(["mine"])
  expect(await titles(ann)).toEqual(["mine", "other"])
  expect(await titles()).toEqual([])
  await as(bob)["docs"].transitionStage({ id: mine.id, stage: "review" })
  await as(ann)["docs"].transitionStage({ id: other.id, stage: "review" })
  await as(ann)["docs"].transitionStage({ id: other.id, stage: "live" })
  expect(await titles(bob, { stage: "review" })).toEqual(["mine"])
  expect(await titles(ann, { stage: "review" })).toEqual(["mine", "other"])
  expect(await titles(undefined)).toEqual(["other"])
  expect(await titles(bob)).toEqual(["other"])
  await expect(titles(undefined, { stage: "review" })).rejects.toMatchObject({ status: 401 })
  await expect(titles(undefined, { stage: "idea" })).rejects.toMatchObject({ status: 401 })
  expect(heard).toContainEqual(["before", "review", "live", "other"])
  expect(heard).toContainEqual(["after", "idea", "review"])
})

test("moves that are not allowed, stages that are none, and stages where there are none are refused", async () => {
  const { id } = await as(bob)["docs"].create({ title: "way", owner: "bob" })
  const never = await as(bob)["docs"].create({ title: "never", owner: "bob" })
  const other = await as(ann)["plain"].create({ name: "x" })
  const refused = (promise: Promise<unknown>) => promise.then(() => 200).catch(({ status }) => status)
  const to = (stage: unknown, session = ann, extra: object = {}) =>
    refused(as(session)["docs"].transitionStage({ id, stage, ...extra }))

  expect(await to("live")).toBe(400)
  expect(await to("lively")).toBe(400)
  expect(await to(undefined)).toBe(400)
  expect(await to("review", ann, { force: true })).toBe(400)
  expect(await to("live", bob)).toBe(403)
  expect(await refused(as()["docs"].transitionStage({ id, stage: "review" }))).toBe(401)
  expect(await refused(as(ann)["plain"].transitionStage({ id: other.id, stage: "published" }))).toBe(400)
  expect(await refused(as(ann)["plain"].find({ stage: "published" }))).toBe(400)
  expect(await refused(as(ann)["docs"].find({ stage: "lively" }))).toBe(400)
  expect(await refused(as(ann)["docs"].transitionStage({ id: crypto.randomUUID(), stage: "review" }))).toBe(404)
  expect(await refused(as(ann)["docs"].transitionStage({ id: never.id, stage: "review" }))).toBe(500)
  expect(await refused(as(ann)["docs"].updateById({ id, data: { stage: "live" } }))).toBe(400)
  expect((await as(ann)["docs"].findOne({ where: { id } })).stage).toBe("idea")
})

test("a global has stages too", async () => {
  const { settings } = app.client(ann).globals
  const everybody = app.client().globals["settings"]
  await settings.update({ name: "One" })
  expect(await everybody.get()).toBeNull()
  expect(await settings.transitionStage({ stage: "published" })).toMatchObject({ name: "One", stage: "published" })
  await settings.update({ name: "Two" })

  expect(await everybody.get()).toMatchObject({ name: "One" })
  expect(await settings.get()).toMatchObject({ name: "Two" })
  expect(await settings.get({ stage: "published" })).toMatchObject({ name: "One" })
})

test("rights are judged by the record as it is worked on", async () => {
  const ruled = collection("ruled")
    .fields(({ f }) => ({
      title: f.text(),
      shared: f.boolean(),
      note: f.text().access({ read: () => ({ shared: true }) }),
    }))
    .options({ workflow: true })
    .access({ read: () => ({ title: { ne: "hidden" } }), create: true, update: true, drafts: isEditor })
  await using other = await testApp({ resources: [ruled] })
  const system = (other.app.system.collections as Record<string, any>)["ruled"]
  const { id } = await system.create({ title: "open", shared: true, note: "seen" })
  await system.transitionStage({ id, stage: "published" })
  const shown = () => other.client(bob).collections["ruled"].findOne({ where: { id } })

  expect(await shown()).toMatchObject({ title: "open", note: "seen" })
  await system.updateById({ id, data: { shared: false } })
  expect(Object.keys(await shown())).not.toContain("note")
  await system.updateById({ id, data: { title: "hidden" } })
  expect(await shown()).toBeNull()
})
