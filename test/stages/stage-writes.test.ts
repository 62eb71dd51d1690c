import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann", role: "editor" } }
const bob: Session = { user: { id: "bob" } }
type Call = { session: Session | null }
const isEditor = ({ session }: Call) => session?.user.role === "editor"
const open = { read: true, create: true, update: true, delete: true } as const

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text(200).required().localized(),
    slug: f.text().unique(),
    views: f.number().integer(),
    author: f.relation("people").onDelete("setNull"),
    parent: f.relation("posts").onDelete("setNull"),
    tags: f.relation("tags").manyToMany({ through: "tagging" }),
    comments: f.relation("comments").hasMany({ via: "post" }),
  }))
  .options({ workflow: true, versions: true, softDelete: true, revision: true })
  .access({ ...open, restore: true, purge: true, drafts: isEditor, transition: isEditor })

const people = collection("people")
  .fields(({ f }) => ({ name: f.text() }))
  .access(open)

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text(), posts: f.relation("posts").manyToMany({ through: "tagging" }) }))
  .options({ versions: true })
  .access(open)

const comments = collection("comments")
  .fields(({ f }) => ({ text: f.text(), post: f.relation("posts").onDelete("cascade") }))
  .access(open)

const heard: any[] = []
const docs = collection("docs")
  .fields(({ f }) => ({
    title: f.text(),
    owner: f.text(),
    note: f.text().access({ update: ({ session }) => ({ owner: session?.user.id ?? "" }) }),
    marks: f.relation("tags").manyToMany({ through: "marking" }),
  }))
  .options({
    workflow: {
      stages: { idea: { to: ["review"] }, review: { to: ["idea", "live"] }, live: { to: ["idea", "live"] } },
      public: "live",
    },
  })
  .access({
    read: true,
    create: true,
    update: ({ session }) => isEditor({ session }) || (session !== null && { owner: session.user.id }),
    transition: ({ session, stage }) => isEditor({ session }) || (session !== null && stage !== "live"),
    drafts: ({ session }) => isEditor({ session }) || (session !== null && { owner: session.user.id }),
  })
  .hooks({
    beforeValidate: ({ operation, stage, data, original }) => {
      heard.push(["beforeValidate", operation, stage, data["title"], original?.["title"]])
    },
    beforeChange: ({ operation, stage, data, original }) => {
      heard.push(["beforeChange", operation, stage, data["title"], original?.["title"]])
      if (data["title"] === "never") throw new Error("No.")
      return data["title"] === "more" ? { ...data, note: "added" } : data
    },
    afterChange: ({ operation, stage, row, original }) => {
      heard.push(["afterChange", operation, stage, row["title"], original?.["title"]])
    },
    beforeTransition: ({ from, to }) => void heard.push(["beforeTransition", from, to]),
  })

const plain = collection("plain")
  .fields(({ f }) => ({ name: f.text() }))
  .access(open)

// Without versions and workflow history: only the copy is written.
const bare = collection("bare")
  .fields(({ f }) => ({ name: f.text() }))
  .options({ workflow: true, timestamps: false, id: "client" })
  .access(open)

const settings = global("settings")
  .fields(({ f }) => ({ name: f.text(), motto: f.text() }))
  .options({ workflow: true, versions: true, revision: true })
  .access({ read: true, update: isEditor })

let app: TestApp

beforeAll(async () => {
  app = await testApp({
    resources: [posts, people, tags, comments, docs, plain, bare, settings],
    config: { locales: { default: "en", all: ["en", "sk"] } },
  })
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => void heard.splice(0))

const as = (session?: Session) => app.client(session).collections
const published = { stage: "published" }
const publish = (id: string) => as(ann)["posts"].transitionStage({ id, stage: "published" })
const worked = (id: string, options: object = {}) => as(ann)["posts"].findOne({ where: { id }, ...options })
const shown = (id: string, options: object = {}) => as()["posts"].findOne({ where: { id }, ...options })
const hotfix = (id: string, data: object, options: object = {}) =>
  as(ann)["posts"].updateById({ id, data }, { ...published, ...options })
const versionsOf = (id: string) => as(ann)["posts"].findVersions({ id })
const refused = (promise: Promise<unknown>) => promise.then(() => 200).catch(({ status }) => status)

async function publishedPost(data: object = {}): Promise<string> {
  const { id } = await as(ann)["posts"].create({ title: "Published", ...data })
  await publish(id)
  await as(ann)["posts"].updateById({ id, data: { title: "Draft" } })
  return id
}

test("an update of a stage changes the copy there, and not what is worked on", async () => {
  const id = await publishedPost({ views: 1 })
  const before = await worked(id)

  const written = await hotfix(id, { title: "Mended" })

  expect(written).toMatchObject({ id, title: "Mended", views: 1, stage: "published" })
  expect(await shown(id)).toEqual({ ...written })
  expect(await worked(id)).toEqual({ ...before, revision: before.revision + 1 })
  await publish(id)
  expect(await shown(id)).toMatchObject({ title: "Draft" })
})

test("revisions and versions count on, without a gap, and each number means one state", async () => {
  const id = await publishedPost()

  const written = await hotfix(id, { title: "Mended" })
  const draft = await as(ann)["posts"].updateById({ id, data: { views: 7 } })

  expect(written.revision).toBe(4)
  expect(draft).toMatchObject({ revision: 5, title: "Draft" })
  const told = (await versionsOf(id)).map((each: any) => [
    ...[each.versionNumber, each.versionOperation, each.versionStage, each.title, each.revision, each.versionUserId],
  ])
  expect(told).toEqual([
    [5, "update", null, "Draft", 5, "ann"],
    [4, "update", "published", "Mended", 4, "ann"],
    [3, "update", null, "Draft", 3, "ann"],
    [2, "transition", null, "Published", 2, "ann"],
    [1, "create", null, "Published", 1, "ann"],
  ])
  await as(ann)["posts"].revertToVersion({ id, version: 4 })
  expect(await worked(id)).toMatchObject({ title: "Mended", views: null, stage: "published" })
})

test("the expected revision is that of the copy", async () => {
  const id = await publishedPost()
  const { revision } = await shown(id)
  const change = (expectedRevision: number) =>
    as(ann)["posts"].updateById({ id, expectedRevision, data: { views: 3 } }, published)

  await expect(change(3)).rejects.toMatchObject({ status: 409, context: { revision: { expected: 3, actual: 2 } } })
  expect(await change(revision)).toMatchObject({ views: 3, revision: 4 })
  expect(await refused(change(revision))).toBe(409)
})

test("what a stage shows is not pruned, however old it is", async () => {
  const few = collection("few")
    .fields(({ f }) => ({ n: f.number() }))
    .options({ workflow: true, versions: { max: 2 } })
    .access({ ...open, versions: true })
  await using other = await testApp({ resources: [few] })
  const records = other.client(ann).collections["few"]
  const { id } = await records.create({ n: 1 })
  await records.transitionStage({ id, stage: "published" })
  await records.updateById({ id, data: { n: 3 } }, published)
  for (const n of [4, 5, 6]) await records.updateById({ id, data: { n } })

  const versions = await records.findVersions({ id })

  expect(versions.map((each: any) => [each.versionNumber, each.n])).toEqual([
    ...[
      [6, 6],
      [5, 5],
      [3, 3],
    ],
  ])
})

test("localized fields, links and relations are those of the copy", async () => {
  const [first, second, third] = await Promise.all(["a", "b", "c"].map((name) => as()["tags"].create({ name })))
  const person = await as()["people"].create({ name: "Someone" })
  const parent = await as(ann)["posts"].create({ title: "Never published" })
  const id = await publishedPost({ tags: { connect: [first.id] } })
  await as(ann)["posts"].updateById({ id, data: { tags: { set: [second.id] } } })

  await hotfix(id, { title: "Opravené" }, { locale: "sk" })
  await hotfix(id, {
    ...{ author: person.id, parent: parent.id },
    tags: { connect: [third.id], disconnect: [first.id], create: [{ name: "new" }] },
  })

  const withAll = { with: { tags: true, author: true, parent: true }, locale: "*" }
  const copy = await shown(id, withAll)
  expect(copy).toMatchObject({ title: { en: "Published", sk: "Opravené" }, author: { name: "Someone" }, parent: null })
  expect(copy.tags.map(({ name }: any) => name).sort()).toEqual(["c", "new"])
  expect(await worked(id, withAll)).toMatchObject({ title: { en: "Draft" }, tags: [{ name: "b" }], author: null })
  expect((await worked(id, { stage: "published" })).parent).toBe(parent.id)
  const [newest] = await versionsOf(id)
  const { rows } = { rows: await app.database.query(`select data from _kit_versions where id = '${newest.versionId}'`) }
  expect((rows[0] as any).data.tags).toEqual(copy.tags.map((tag: any) => tag.id).sort())
  expect(await as()["tags"].findVersions({ id: third.id })).toHaveLength(1)
  expect(await refused(hotfix(id, { author: crypto.randomUUID() }))).toBe(400)
  expect(await refused(hotfix(id, { title: null }))).toBe(400)
  expect(await refused(hotfix(id, { tags: { connect: [crypto.randomUUID()] } }))).toBe(400)
})

test("records that point here are not written along with a stage", async () => {
  const id = await publishedPost()

  const attempt = hotfix(id, { views: 9, comments: { create: [{ text: "x" }] } })

  await expect(attempt).rejects.toMatchObject({ status: 400, fieldErrors: [{ path: "comments" }] })
  expect(await shown(id)).toMatchObject({ views: null, revision: 2 })
  expect(await as()["comments"].count()).toBe(0)
})

test("unique is what the stage holds", async () => {
  const first = await publishedPost({ slug: "one" })
  const second = await publishedPost({ slug: "two" })

  await expect(hotfix(second, { slug: "one" })).rejects.toMatchObject({ status: 409, fieldErrors: [{ path: "slug" }] })
  expect(await shown(second)).toMatchObject({ slug: "two", revision: 2 })
  expect(await worked(second)).toMatchObject({ revision: 3 })
  await hotfix(first, { slug: "three" })
  expect(await hotfix(second, { slug: "one" })).toMatchObject({ slug: "one" })
  expect(await worked(first)).toMatchObject({ slug: "one" })
})

test("a record that is not in the stage cannot be changed there", async () => {
  const { id } = await as(ann)["posts"].create({ title: "Draft" })
  const gone = await publishedPost()
  await as(ann)["posts"].deleteById({ id: gone })

  await expect(hotfix(id, { title: "x" })).rejects.toMatchObject({
    status: 404,
    message: 'The record is not in the stage "published". Move it there with a transition.',
  })
  expect(await refused(hotfix(gone, { title: "x" }))).toBe(404)
  expect(await refused(hotfix(crypto.randomUUID(), { title: "x" }))).toBe(404)
  expect(await worked(id)).toMatchObject({ title: "Draft", revision: 1 })
})

test("the initial stage is what is worked on", async () => {
  const id = await publishedPost()

  await as(ann)["posts"].updateById({ id, data: { title: "Worked" } }, { stage: "draft" })
  const made = await as(ann)["posts"].create({ title: "New" }, { stage: "draft" })

  expect(await worked(id)).toMatchObject({ title: "Worked" })
  expect(await shown(id)).toMatchObject({ title: "Published" })
  expect(made).toMatchObject({ stage: "draft", revision: 1 })
})

test("it needs the right to update the record and the right to move it there, by the record as it is worked on", async () => {
  const { id } = await as(bob)["docs"].create({ title: "one", owner: "bob" })
  await as(bob)["docs"].transitionStage({ id, stage: "review" })
  await as(ann)["docs"].transitionStage({ id, stage: "live" })
  const change = (session: Session | undefined, stage: string, data: object = { title: "two" }) =>
    refused(as(session)["docs"].updateById({ id, data }, { stage }))

  expect(await change(bob, "review")).toBe(200)
  expect(await change(bob, "live")).toBe(403)
  expect(await change(undefined, "review")).toBe(401)
  expect(await change(bob, "review", { note: "mine" })).toBe(200)
  // Neither a copy nor the working record may leave the reach of the caller who writes it.
  expect(await change(bob, "review", { owner: "eva" })).toBe(403)
  await as(ann)["docs"].updateById({ id, data: { owner: "eva" } })
  expect(await change(bob, "review")).toBe(403)
  expect(await change(ann, "review", { note: "hers" })).toBe(403)
  expect(await as(ann)["docs"].findOne({ where: { id }, stage: "review" })).toMatchObject({
    ...{ title: "two", note: "mine", owner: "bob" },
  })
})

test("what a rule says of links is asked of the links of the copy, once it is written", async () => {
  const linked = collection("linked")
    .fields(({ f }) => ({ title: f.text(), tags: f.relation("tags").manyToMany({ through: "lending" }) }))
    .options({ workflow: true })
    .access({ ...open, update: () => ({ NOT: { tags: { none: { name: "open" } } } }) })
  await using other = await testApp({ resources: [linked, tags, posts, people, comments] })
  const { linked: records, tags: names } = other.client(bob).collections
  const tag = await names.create({ name: "open" })
  const { id } = await records.create({ title: "one", tags: { connect: [tag.id] } }, published)
  const change = (data: object, options: object) => refused(records.updateById({ id, data }, options))

  for (const locale of [{}, { localeFallback: false }]) {
    expect(await change({ title: "two" }, { ...published, ...locale })).toBe(200)
    expect(await change({ tags: { disconnect: [tag.id] } }, { ...published, ...locale })).toBe(403)
    expect(await change({ tags: { disconnect: [tag.id] } }, locale)).toBe(403)
  }
})

test("the answer is the copy as far as its writer may see it", async () => {
  const sealed = collection("sealed")
    .fields(({ f }) => ({ title: f.text() }))
    .options({ workflow: { stages: { draft: {}, review: {}, published: {} } } })
    .access({ ...open, drafts: false })
  await using other = await testApp({ resources: [sealed] })
  const system = (other.app.system.collections as Record<string, any>)["sealed"]
  const { id } = await system.create({ title: "one" })
  for (const stage of ["review", "published"]) await system.transitionStage({ id, stage })
  const records = other.client(bob).collections["sealed"]

  expect(await records.updateById({ id, data: { title: "two" } }, published)).toMatchObject({ title: "two" })
  expect(await records.updateById({ id, data: { title: "two" } }, { stage: "review" })).toEqual({ id })
  expect(await records.updateById({ id, data: {} })).toEqual({ id })
  expect(await system.findOne({ where: { id }, stage: "review" })).toMatchObject({ title: "two" })
})

test("hooks know the stage, and the copy as the original", async () => {
  const { id } = await as(ann)["docs"].create({ title: "one", owner: "ann" })
  await as(ann)["docs"].transitionStage({ id, stage: "review" })
  await as(ann)["docs"].updateById({ id, data: { title: "draft" } })
  heard.splice(0)

  const written = await as(ann)["docs"].updateById({ id, data: { title: "more" } }, { stage: "review" })
  const refusal = await refused(as(ann)["docs"].updateById({ id, data: { title: "never" } }, { stage: "review" }))

  expect(written).toMatchObject({ title: "more", note: "added" })
  expect(refusal).toBe(500)
  expect(heard.slice(0, 3)).toEqual([
    ["beforeValidate", "update", "review", "more", "one"],
    ["beforeChange", "update", "review", "more", "one"],
    ["afterChange", "update", "review", "more", "one"],
  ])
  expect(await as(ann)["docs"].findOne({ where: { id }, stage: "review" })).toMatchObject({ title: "more" })
  expect(await as(ann)["docs"].findOne({ where: { id } })).toMatchObject({ title: "draft" })
})

test("no hook hears of a change that the rules refuse", async () => {
  const { id } = await as(bob)["docs"].create({ title: "one", owner: "bob" })
  await as(bob)["docs"].transitionStage({ id, stage: "review" })
  heard.splice(0)

  const refusal = await refused(as(bob)["docs"].updateById({ id, data: { owner: "eva" } }, { stage: "review" }))

  expect(refusal).toBe(403)
  expect(heard.map(([moment]) => moment)).toEqual(["beforeValidate", "beforeChange"])
})

test("a record can be created in a stage: all of it or nothing", async () => {
  const person = await as()["people"].create({ name: "Author" })
  const hot = await publishedPost({ slug: "cold" })
  await hotfix(hot, { slug: "warm" })

  const made = await as(ann)["posts"].create({ title: "At once", slug: "at-once", author: person.id }, published)
  const operations = (await versionsOf(made.id)).map((each: any) => each.versionOperation)
  // The working record does not have the value: the conflict is with the copy of the stage.
  const refusal = as(ann)["posts"].create({ title: "Left over", slug: "warm" }, published)

  await expect(refusal).rejects.toMatchObject({ status: 409, fieldErrors: [{ path: "slug" }] })
  expect(await as(ann)["posts"].count({ where: { title: "Left over" } })).toBe(0)
  expect(made).toMatchObject({ stage: "published", title: "At once", revision: 2 })
  expect(await shown(made.id)).toMatchObject({ title: "At once" })
  expect(operations).toEqual(["transition", "create"])
})

test("to create in a stage needs the right to move there, and a way to it", async () => {
  const create = (session: Session | undefined, stage: string, data: object = { title: "x", owner: "bob" }) =>
    refused(as(session)["docs"].create(data, { stage }))

  expect(await create(bob, "review")).toBe(200)
  expect(heard.map(([moment]) => moment)).toEqual([
    ...["beforeValidate", "beforeChange", "afterChange", "beforeTransition"],
  ])
  expect(await create(ann, "live")).toBe(400)
  expect(await create(undefined, "review")).toBe(401)
  expect(await refused(as(bob)["posts"].create({ title: "Not his" }, published))).toBe(403)
  expect(await as(ann)["posts"].count({ where: { title: "Not his" } })).toBe(0)
})

test("the rule about moves is asked of the new record itself", async () => {
  const own = collection("own")
    .fields(({ f }) => ({ owner: f.text() }))
    .options({ workflow: true })
    .access({ ...open, transition: ({ session }) => session !== null && { owner: session.user.id } })
  await using other = await testApp({ resources: [own] })
  const records = other.client(bob).collections["own"]

  expect(await records.create({ owner: "bob" }, published)).toMatchObject({ owner: "bob", stage: "published" })
  expect(await refused(records.create({ owner: "eva" }, published))).toBe(403)
  expect(await records.count()).toBe(1)
})

test("a global has its copy changed too", async () => {
  const { settings } = app.client(ann).globals
  expect(await refused(settings.update({ name: "x" }, published))).toBe(404)
  await settings.update({ name: "One", motto: "m" })
  expect(await refused(settings.update({ name: "x" }, published))).toBe(404)
  const { updatedAt } = await settings.get()
  expect(await settings.transitionStage({ stage: "published" })).toMatchObject({ revision: 2, updatedAt })
  await settings.update({ name: "Two" })

  const written = await settings.update({ name: "Mended" }, { ...published, expectedRevision: 2 })

  expect(written).toMatchObject({ name: "Mended", motto: "m", revision: 4 })
  expect(await app.client().globals["settings"].get()).toMatchObject({ name: "Mended" })
  expect(await settings.get()).toMatchObject({ name: "Two", revision: 4 })
  expect((await settings.findVersions({ limit: 1 }))[0]).toMatchObject({ versionNumber: 4, versionStage: "published" })
  expect(await refused(app.client(bob).globals["settings"].update({ name: "x" }, published))).toBe(403)
})

test("where nothing is counted, the copy alone is written", async () => {
  const records = as(ann)["bare"]
  await records.create({ id: "one", name: "a" }, published)
  await records.updateById({ id: "one", data: { name: "b" } })

  expect(await records.updateById({ id: "one", data: { name: "c" } }, published)).toMatchObject({ name: "c" })
  expect(await records.updateById({ id: "one", data: {} }, published)).toMatchObject({ name: "c" })
  expect(await records.findOne({ where: { id: "one" } })).toMatchObject({ name: "b" })
  expect(await refused(records.create({ id: "one", name: "d" }, published))).toBe(409)
})

test("each write of a copy is noted as a change", async () => {
  const id = await publishedPost()
  const noted = () => app.database.query(`select kind from _kit_changes where record = '${id}'`)
  const before = await noted()

  await hotfix(id, { title: "Mended" })

  expect(await noted()).toHaveLength(before.length + 1)
})

test("a write names a stage that there is, and some writes only the initial one", async () => {
  const id = await publishedPost()
  const send = async (method: string, path: string, sent: string | null = '{"title":"x"}') => {
    const call = { method, session: ann, ...(sent !== null && { body: sent }) }
    const { status, body } = await app.fetch(path, call)
    return [status, body?.error?.fieldErrors?.[0]?.path]
  }
  const writes: [method: string, path: string, body?: string | null][] = [
    ["POST", "/posts"],
    ["PATCH", `/posts/${id}`],
    ["PATCH", "/globals/settings"],
    ["PATCH", "/posts", '{"all":true,"data":{}}'],
    ["POST", "/posts/update-batch", '{"updates":[]}'],
    ["POST", "/posts/delete-many", '{"all":true}'],
    ["DELETE", `/posts/${id}`, null],
    ["POST", `/posts/${id}/revert`, '{"version":1}'],
    ["POST", "/globals/settings/revert", '{"version":1}'],
  ]
  const wholes: typeof writes = [
    ["POST", `/posts/${id}/restore`, null],
    ["POST", `/posts/${id}/purge`, null],
    ["POST", `/posts/${id}/transition`, '{"stage":"draft"}'],
    ["DELETE", `/posts/${id}/transition`, null],
    ["POST", "/globals/settings/transition", '{"stage":"draft"}'],
  ]
  const reads = [`/posts/${id}/versions`, `/posts/${id}/transition`, "/globals/settings/versions"]
  const refusal = [400, "stage"]

  for (const stage of ["stage=lively", "stage=", "stage=published%00", "stage[]=published", "stage[eq]=published"]) {
    for (const [method, path, body] of [...writes, ...wholes])
      expect([path, await send(method, `${path}?${stage}`, body)]).toEqual([path, refusal])
    for (const path of reads) expect(await send("GET", `${path}?${stage}`, null)).toEqual(refusal)
  }
  for (const [method, path, body] of wholes)
    expect(await send(method, `${path}?stage=published`, body)).toEqual(refusal)
  expect(await send("GET", `/posts/${id}/transition?stage=published`, null)).toEqual(refusal)
  for (const path of ["/plain", "/plain/update-batch", "/plain/delete-many", `/plain/${id}/restore`])
    expect(await send("POST", `${path}?stage=published`)).toEqual(refusal)
  expect(await send("PATCH", `/plain/${id}?stage=published`)).toEqual(refusal)
  expect(await shown(id)).toMatchObject({ title: "Published", revision: 2 })
  expect(await worked(id)).toMatchObject({ title: "Draft", revision: 3 })
})

test("the initial stage is accepted by every write, and changes nothing", async () => {
  const id = await publishedPost()
  const draft = { stage: "draft" }
  const { posts } = as(ann)
  const inProcess = (app.app.as(ann).collections as any)["posts"]

  expect(await posts.updateMany({ where: { id }, data: { views: 1 } }, draft)).toMatchObject([{ title: "Draft" }])
  expect(await posts.updateBatch({ updates: [{ id, data: { views: 2 } }] }, draft)).toMatchObject([{ views: 2 }])
  expect(await posts.transitionStage({ id, stage: "published" }, draft)).toMatchObject({ views: 2 })
  expect(await posts.revertToVersion({ id, version: 1 }, draft)).toMatchObject({ title: "Published", views: null })
  expect(await posts.findTransition({ id }, draft)).toBeNull()
  expect(await posts.deleteById({ id }, draft)).toMatchObject({ success: true })
  expect(await posts.restoreById({ id }, draft)).toMatchObject({ id, deletedAt: null })
  expect(await posts.deleteMany({ where: { id } }, draft)).toMatchObject({ count: 1 })
  await expect(inProcess.restoreById({ id }, { stage: "published" })).rejects.toMatchObject({
    fieldErrors: [
      {
        path: "stage",
        message: 'This applies to the record in all its stages. Leave it out, or name the initial one, "draft".',
      },
    ],
  })
  expect(await inProcess.purgeById({ id }, draft)).toEqual({ success: true })
})

test("writers of a record and of its copy at once number their versions without a gap", async () => {
  const id = await publishedPost()
  const writes = Array.from({ length: 12 }, (_each, index) =>
    index % 2 === 0 ? hotfix(id, { views: index }) : as(ann)["posts"].updateById({ id, data: { views: index } }),
  )
  await Promise.all(writes)

  const versions = await versionsOf(id)
  expect(versions.map((each: any) => each.versionNumber)).toEqual(Array.from({ length: 15 }, (_each, n) => 15 - n))
  const last = (stage: string | null) => versions.find((each: any) => each.versionStage === stage)
  expect(await shown(id)).toMatchObject({ views: last("published").views, revision: last("published").versionNumber })
  expect(await worked(id)).toMatchObject({ views: last(null).views, revision: 15 })
})
