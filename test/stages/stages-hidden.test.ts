import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann", role: "editor" } }
const bob: Session = { user: { id: "bob" } }
type Call = { session: Session | null }
const isEditor = ({ session }: Call) => session?.user.role === "editor"
const isSomebody = ({ session }: Call) => session !== null

// Every signed-in user may write; only editors see drafts.
const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text(200).required(),
    slug: f.text().unique(),
    owner: f.text(),
    parent: f.relation("posts").onDelete("setNull"),
    topic: f.relation("topics").onDelete("setNull"),
    children: f.relation("posts").hasMany({ via: "parent" }),
    tags: f.relation("tags").manyToMany({ through: "tagging" }),
    notes: f.relation("notes").hasMany({ via: "post" }),
  }))
  .searchable({ fields: ["title"] })
  .options({ workflow: true, versions: true, softDelete: true, revision: true })
  .access({
    read: true,
    create: isSomebody,
    update: isSomebody,
    delete: ({ session }) => isEditor({ session }) || (session !== null && { owner: session.user.id }),
    restore: isSomebody,
    purge: isSomebody,
    transition: isSomebody,
    drafts: isEditor,
  })

const topics = collection("topics")
  .fields(({ f }) => ({ name: f.text(), posts: f.relation("posts").hasMany({ via: "topic" }) }))
  .options({ workflow: true })
  .access({ read: true, create: isSomebody, update: isSomebody, delete: isSomebody, drafts: isEditor })

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text(), posts: f.relation("posts").manyToMany({ through: "tagging" }) }))
  .access({ read: true, create: isSomebody, update: isSomebody, delete: isSomebody })

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text(), post: f.relation("posts").onDelete("cascade") }))
  .access({ read: true, create: isSomebody, update: isSomebody, delete: isSomebody })

// The rule names the readers of each stage except the public one.
const papers = collection("papers")
  .fields(({ f }) => ({ title: f.text(), about: f.relation("papers"), folder: f.relation("folders") }))
  .options({ workflow: { stages: { draft: {}, review: {}, secret: {}, published: {} } } })
  .access({
    read: true,
    create: true,
    update: isEditor,
    drafts: ({ session, stage }) => isEditor({ session }) || (session !== null && stage === "review"),
  })

const folders = collection("folders")
  .fields(({ f }) => ({ name: f.text(), papers: f.relation("papers").hasMany({ via: "folder" }) }))
  .options({ workflow: { stages: { draft: {}, review: {}, secret: {}, published: {} } } })
  .access({ read: true, create: true, update: isEditor, drafts: isSomebody })

const front = global("front")
  .fields(({ f }) => ({ lead: f.relation("posts").onDelete("setNull") }))
  .access({ read: true, update: true })

const unseen = (name: string) =>
  global(name)
    .fields(({ f }) => ({ text: f.text() }))
    .options({ workflow: true, revision: true })
    .access({ read: true, update: true, drafts: isEditor })

let app: TestApp

beforeAll(async () => {
  app = await testApp({
    resources: [posts, topics, tags, notes, papers, folders, front, unseen("plan"), unseen("nothing")],
  })
})
afterAll(() => app[Symbol.asyncDispose]())

const as = (session?: Session) => app.client(session).collections
const system = (name: string) => (app.app.system.collections as Record<string, any>)[name]

/** Creates a post whose draft has more content than the published copy. */
async function changedPost(more: object = {}) {
  const { id } = await system("posts").create({ title: "Shown", owner: "eva", ...more })
  await system("posts").transitionStage({ id, stage: "published" })
  await system("posts").updateById({ id, data: { title: "Secret" } })
  return id
}

test("whoever may write but not see drafts is answered the id alone", async () => {
  const id = await changedPost({ owner: "bob" })
  const posts = as(bob)["posts"]

  expect(await posts.create({ title: "Mine" })).toEqual({ id: expect.any(String) })
  expect(await posts.updateById({ id, data: { slug: "answered" } })).toEqual({ id })
  expect(await posts.updateBatch({ updates: [{ id, data: { slug: "batch" } }] })).toEqual([{ id }])
  expect(await posts.transitionStage({ id, stage: "draft" })).toEqual({ id })
  expect(await posts.deleteById({ id })).toEqual({ success: true, data: { id } })
  expect(await posts.restoreById({ id })).toEqual({ id })
  expect(await as(ann)["posts"].updateById({ id, data: {} })).toMatchObject({ id, title: "Secret" })
})

test("a draft is not there for those who may neither see nor write it, and what is published is refused to them", async () => {
  const draft = await system("posts").create({ title: "Draft", owner: "eva" })
  const shown = await changedPost()
  const status = (id: string) =>
    as(bob)
      ["posts"].deleteById({ id })
      .catch((error: { status: number }) => error.status)

  expect(await status(draft.id)).toBe(404)
  expect(await status(crypto.randomUUID())).toBe(404)
  expect(await status(shown)).toBe(403)
})

test("the filter of a bulk write finds no drafts that its caller may not see", async () => {
  const id = await changedPost({ owner: "bob" })
  const tag = await system("tags").create({ name: "bulk" })
  const note = await system("notes").create({ text: "bulk", post: id })
  await system("posts").updateById({ id, data: { tags: { connect: [tag.id] } } })
  const byDraft = { title: "Secret" }

  expect(await as(bob)["posts"].updateMany({ where: { id, ...byDraft }, data: {} })).toEqual([])
  expect(await as(bob)["posts"].deleteMany({ where: { id, ...byDraft } })).toEqual({ success: true, count: 0 })
  const ofNote = (where: object) => as(bob)["notes"].updateMany({ where: { id: note.id, post: where }, data: {} })
  expect(await ofNote({ title: "Secret" })).toEqual([])
  expect(await ofNote({ title: "Shown" })).toHaveLength(1)
  const ofTag = { id: tag.id, posts: { some: {} } }
  expect(await as(bob)["tags"].updateMany({ where: ofTag, data: {} })).toEqual([])
  expect(await as(bob)["tags"].deleteMany({ where: ofTag })).toMatchObject({ count: 0 })
  expect(await as(ann)["posts"].updateMany({ where: { id, ...byDraft }, data: {} })).toHaveLength(1)
  expect(await as(ann)["tags"].updateMany({ where: ofTag, data: {} })).toHaveLength(1)
})

test("the rule about drafts is asked for the stage that is read", async () => {
  const folder = await system("folders").create({ name: "F" })
  const { id } = await system("papers").create({ title: "in review", folder: folder.id })
  for (const stage of ["review", "secret"]) {
    await system("papers").updateById({ id, data: { title: `in ${stage}` } })
    await system("papers").transitionStage({ id, stage })
    await system("folders").transitionStage({ id: folder.id, stage })
  }
  const titles = async (stage?: string) => {
    const found = await as(bob)["folders"].findOne({ where: { id: folder.id }, with: { papers: true }, stage })
    return found.papers.map((paper: any) => paper.title)
  }

  expect(await titles("review")).toEqual(["in review"])
  expect(await titles("secret")).toEqual([])
  expect(await titles()).toEqual([])
  expect(await as(bob)["papers"].count()).toBe(0)
  expect(await as(bob)["papers"].count({ stage: "review" })).toBe(1)
  await expect(as(bob)["papers"].count({ stage: "draft" })).rejects.toMatchObject({ status: 403 })
  await expect(as(bob)["papers"].count({ stage: "secret" })).rejects.toMatchObject({ status: 403 })
})

test("no way through relations shows or tells of drafts", async () => {
  const hidden = await system("topics").create({ name: "Hidden topic" })
  const tag = await system("tags").create({ name: "way" })
  const id = await changedPost({ topic: hidden.id, slug: "way" })
  const child = await changedPost({ parent: id })
  const draft = await system("posts").create({ title: "Only draft", parent: id, topic: hidden.id })
  await system("tags").updateById({ id: tag.id, data: { posts: { set: [id, draft.id] } } })
  await system("posts").transitionStage({ id: child, stage: "published" })
  await app.client().globals["front"].update({})
  await (app.app.system.globals as Record<string, any>)["front"].update({ lead: draft.id })
  const posts = as(bob)["posts"]
  const count = (where: object) => posts.count({ where })

  const deep = { with: { parent: { with: { children: { with: { parent: { with: { topic: true } } } } } } } }
  const { parent } = await posts.findOne({ where: { id: child }, ...deep })
  expect(parent).toMatchObject({ title: "Shown", children: [{ id: child, parent: { title: "Shown", topic: null } }] })
  const counted = await posts.findOne({ where: { id }, with: { children: { _count: true } } })
  expect(counted).toMatchObject({ title: "Shown", _count: { children: 1 } })
  expect(await count({ id, topic: { name: { startsWith: "Hidden" } } })).toBe(0)
  expect(await count({ id, topic: { is: {} } })).toBe(0)
  expect(await count({ id, children: { some: { title: "Only draft" } } })).toBe(0)
  expect(await count({ id, children: { none: { title: "Only draft" } } })).toBe(1)
  expect(await count({ id, children: { every: { title: { ne: "Only draft" } } } })).toBe(1)
  expect(await count({ id: child, parent: { title: "Secret" } })).toBe(0)
  expect(await count({ id: child, parent: { children: { some: { parent: { title: "Secret" } } } } })).toBe(0)
  const tagged = await as(bob)["tags"].findOne({ where: { id: tag.id }, with: { posts: { _count: true } } })
  expect(tagged).toMatchObject({ posts: [], _count: { posts: 0 } })
  expect(await as(bob)["tags"].count({ where: { id: tag.id, posts: { some: {} } } })).toBe(0)
  expect((await app.client(bob).globals["front"].get({ with: { lead: true } })).lead).toBeNull()
  expect((await posts.find({ search: "Only draft" })).docs).toEqual([])
  const groups = await posts.find({ where: { id: { in: [id, child, draft.id] } }, groupBy: "title" })
  expect(groups.groups.map((group: any) => group.key).sort()).toEqual(["Secret", "Shown"])
})

test("links to drafts are refused as links to what does not exist, by id and by a unique value", async () => {
  const draft = await system("posts").create({ title: "Draft", slug: "only-draft" })
  const messageOf = (data: object) =>
    as(bob)
      ["notes"].create(data)
      .then(() => "linked")
      .catch((error: any) => `${error.status} ${JSON.stringify(error.fieldErrors)}`)

  expect(await messageOf({ post: draft.id })).toBe(await messageOf({ post: crypto.randomUUID() }))
  const nested = (id: string) => as(bob)["tags"].create({ posts: { connect: [id] } })
  await expect(nested(draft.id)).rejects.toMatchObject({ status: 400 })
  await expect(nested(crypto.randomUUID())).rejects.toMatchObject({ status: 400 })
})

test("a unique value names what the caller sees: of those who see no drafts, what is published", async () => {
  const id = await changedPost({ slug: "seen" })
  await system("posts").updateById({ id, data: { slug: "unseen" } })
  const connect = (session: Session, slug: string) =>
    as(session)["notes"].create({ post: { connectOrCreate: { where: { slug }, create: { title: "New", slug } } } })

  expect((await connect(bob, "seen")).post).toBe(id)
  await expect(connect(bob, "unseen")).rejects.toMatchObject({ status: 409 })
  expect((await connect(ann, "unseen")).post).toBe(id)
  expect((await connect(ann, "seen")).post).not.toBe(id)
})

test("a draft that the write itself makes may be pointed to by those who see no drafts", async () => {
  const note = await as(bob)["notes"].create({ text: "n", post: { create: { title: "Made along" } } })
  const tag = await as(bob)["tags"].create({ name: "t", posts: { create: [{ title: "Made along" }] } })
  await as(bob)["notes"].updateById({ id: note.id, data: { post: { create: { title: "Made later" } } } })

  const kept = await system("notes").findOne({ where: { id: note.id }, with: { post: true } })
  expect(kept.post).toMatchObject({ title: "Made later", stage: "draft" })
  expect(await system("posts").count({ where: { tags: { some: { id: tag.id } } } })).toBe(1)
})

test("a stale expectation tells the revision of a draft to those alone who may see it", async () => {
  const id = await changedPost({ owner: "bob" })
  await app.client().globals["plan"].update({ text: "first" })
  const send = async (session: Session | undefined, [method, path, body]: readonly [string, string, object?]) => {
    const init = { method, ...(body && { body: JSON.stringify(body) }), ...(session && { session }) }
    const { status, body: answer } = await app.fetch(path, init)
    return [status, answer.error?.context?.revision]
  }
  const batch = { updates: [{ id, data: {}, expectedRevision: 99 }] }
  const writes = [
    ["PATCH", `/posts/${id}?expectedRevision=99`, {}],
    ["PATCH", `/posts/${id}?expectedRevision=99`, { tags: { create: { name: "t" } } }],
    ["DELETE", `/posts/${id}?expectedRevision=99`],
    ["POST", `/posts/${id}/transition?expectedRevision=99`, { stage: "published" }],
    ["POST", "/posts/update-batch", batch],
  ] as const

  for (const write of writes) {
    expect([write, await send(bob, write)]).toEqual([write, [409, { expected: 99 }]])
    expect([write, await send(ann, write)]).toEqual([write, [409, { expected: 99, actual: 3 }]])
  }
  // Everyone sees the published copy.
  const published = ["PATCH", `/posts/${id}?expectedRevision=99&stage=published`, {}] as const
  expect(await send(bob, published)).toEqual([409, { expected: 99, actual: 2 }])
  const written = ["PATCH", "/globals/plan?expectedRevision=99", {}] as const
  const unwritten = ["PATCH", "/globals/nothing?expectedRevision=99", {}] as const
  expect(await send(undefined, written)).toEqual([409, { expected: 99 }])
  expect(await send(undefined, unwritten)).toEqual([409, { expected: 99 }])
  expect(await send(ann, unwritten)).toEqual([409, { expected: 99, actual: 0 }])
  expect(
    (await app.fetch(`/posts/${id}`, { method: "PATCH", headers: { "if-match": '"2"' }, body: "{}", session: bob }))
      .status,
  ).toBe(412)
  // A correct guess reveals nothing either.
  expect(await send(bob, ["PATCH", `/posts/${id}?expectedRevision=3`, {}])).toEqual([409, { expected: 3 }])
  expect(await send(ann, ["PATCH", `/posts/${id}?expectedRevision=3`, {}])).toEqual([200, undefined])
})

test("whoever may not see drafts does not bring one back either", async () => {
  const id = await changedPost()

  for (const version of [1, 99]) {
    await expect(as(bob)["posts"].revertToVersion({ id, version })).rejects.toMatchObject({ status: 403 })
  }
  expect(await as(ann)["posts"].revertToVersion({ id, version: 1 })).toMatchObject({ title: "Shown" })
})

test.each([
  "stage[]=draft&stage[]=published",
  "stage[eq]=draft",
  "stage=draft%00",
  "stage=",
  "stage=__proto__",
  "stage=constructor",
  "stage[__proto__]=draft",
])("%s is no stage", async (query) => {
  for (const path of ["/posts", "/posts/count", `/posts/${crypto.randomUUID()}`, "/folders"]) {
    const answer = await app.fetch(`${path}?${query}`, { session: ann })
    expect(answer.status).toBe(400)
  }
})

test.each([null, 1, true, ["published"], {}, { eq: "published" }])(
  "%o is no stage of a posted query",
  async (stage) => {
    const answer = await app.fetch("/posts/query", { method: "POST", body: JSON.stringify({ stage }), session: ann })

    expect(answer.status).toBe(400)
  },
)
