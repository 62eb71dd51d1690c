import { collection, type Session } from "kit"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann", role: "editor" } }
const bob: Session = { user: { id: "bob" } }
const isEditor = ({ session }: { session: Session | null }) => session?.user.role === "editor"
const open = { read: true, create: true, update: true, delete: true } as const

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text(200).required().localized(),
    slug: f.text().unique(),
    views: f.number().integer(),
    tags: f.relation("tags").manyToMany({ through: "tagging" }),
    comments: f.relation("comments").hasMany({ via: "post" }),
  }))
  .options({ workflow: true, versions: true, softDelete: true, revision: true })
  .access({ ...open, restore: true, purge: true, drafts: isEditor, transition: isEditor })

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text(), posts: f.relation("posts").manyToMany({ through: "tagging" }) }))
  .access(open)

const comments = collection("comments")
  .fields(({ f }) => ({ text: f.text(), post: f.relation("posts").onDelete("cascade") }))
  .access(open)

const heard: any[] = []

// Owners may change their notes in each stage but the last one, and nobody but the system may delete a note.
const notes = collection("notes")
  .fields(({ f }) => ({
    title: f.text(),
    owner: f.text(),
    note: f.text().access({ update: ({ session }) => ({ owner: session?.user.id ?? "" }) }),
  }))
  .options({ workflow: { stages: { idea: {}, review: {}, live: {} }, public: "live" } })
  .access({
    read: true,
    create: true,
    update: ({ session }) => isEditor({ session }) || (session !== null && { owner: session.user.id }),
    transition: ({ session, stage }) =>
      isEditor({ session }) || (session !== null && stage !== "live" && { owner: session.user.id }),
    drafts: ({ session }) => isEditor({ session }) || (session !== null && { owner: session.user.id }),
  })
  .hooks({
    beforeChange: ({ stage, data, original }) =>
      void heard.push(["beforeChange", stage, data["title"], original?.title]),
    afterChange: ({ stage, row }) => void heard.push(["afterChange", stage, row["title"]]),
    beforeDelete: ({ stage, original, operation }) =>
      void heard.push(["beforeDelete", stage, original["title"], operation]),
    afterDelete: ({ stage, original }) => {
      heard.push(["afterDelete", stage, original["title"]])
      if (original["title"] === "never") throw new Error("No.")
    },
  })

// Without counters and times, a write changes nothing but the copy.
const bare = collection("bare")
  .fields(({ f }) => ({ name: f.text() }))
  .options({ workflow: true, timestamps: false, id: "client" })
  .access(open)

const versioned = collection("versioned")
  .fields(({ f }) => ({ name: f.text() }))
  .options({ workflow: true, timestamps: false, versions: true })
  .access(open)

let app: TestApp

beforeAll(async () => {
  app = await testApp({
    resources: [posts, tags, comments, notes, bare, versioned],
    config: { locales: { default: "en", all: ["en", "sk"] } },
  })
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => void heard.splice(0))

const as = (session?: Session) => app.client(session).collections
const published = { stage: "published" } as const
const worked = (id: string, options: object = {}) => as(ann)["posts"].findOne({ where: { id }, ...options })
const shown = (id: string, options: object = {}) => as()["posts"].findOne({ where: { id }, ...options })
const refused = (promise: Promise<unknown>) => promise.then(() => 200).catch(({ status }) => status)
const newest = async (id: string) => (await as(ann)["posts"].findVersions({ id, limit: 1 }))[0]

async function publishedPost(data: object = {}): Promise<string> {
  const { id } = await as(ann)["posts"].create({ title: "Published", ...data }, published)
  await as(ann)["posts"].updateById({ id, data: { title: "Draft" } })
  return id
}

async function liveNote(data: object = {}): Promise<string> {
  const { id } = await as(bob)["notes"].create({ title: "one", owner: "bob", ...data })
  for (const stage of ["review", "live"]) await as(ann)["notes"].transitionStage({ id, stage })
  heard.splice(0)
  return id
}

describe("updateMany", () => {
  test("changes the copies that match as they are in the stage, and no working record", async () => {
    const [first, second] = [await publishedPost({ views: 1 }), await publishedPost({ views: 1 })]
    const { id: never } = await as(ann)["posts"].create({ title: "Published", views: 1 })
    await as(ann)["posts"].updateById({ id: second, data: { views: 2 } })
    const before = await worked(first)
    const where = { title: "Published", views: 1, id: { in: [first, second, never] } }

    const written = await as(ann)["posts"].updateMany({ where, data: { title: "Mended" } }, published)

    expect(written).toEqual([await shown(first), await shown(second)])
    expect(written[0]).toMatchObject({ title: "Mended", views: 1, revision: 4, stage: "published" })
    expect(await worked(first)).toEqual({ ...before, revision: 4 })
    expect(await newest(first)).toMatchObject({
      ...{ versionNumber: 4, versionOperation: "update", versionStage: "published", versionUserId: "ann" },
      ...{ title: "Mended", revision: 4 },
    })
    expect(await worked(never)).toMatchObject({ title: "Published", revision: 1 })
    expect(await as(ann)["posts"].updateMany({ where, data: { title: "No more" } }, published)).toEqual([])
  })

  test("writes one locale, and the links of each copy", async () => {
    const [tag, other] = await Promise.all(["a", "b"].map((name) => as()["tags"].create({ name })))
    const made = [await publishedPost({ tags: [tag.id] }), await publishedPost({ tags: [tag.id] })]
    const where = { id: { in: made } }
    const data = { title: "Opravené", tags: { connect: [other.id], disconnect: [tag.id] } }

    await as(ann)["posts"].updateMany({ where, data }, { ...published, locale: "sk" })

    for (const id of made) {
      expect(await shown(id, { with: { tags: true }, locale: "*" })).toMatchObject({
        ...{ title: { en: "Published", sk: "Opravené" }, tags: [{ name: "b" }] },
      })
      expect(await worked(id, { locale: "*" })).toMatchObject({ title: { en: "Draft" } })
    }
    expect((await worked(made[0] ?? "", { with: { tags: true } })).tags).toMatchObject([{ name: "a" }])
  })

  test("is refused as a whole: a conflict, records that point here, and a result that a rule forbids", async () => {
    const [first, second] = [await publishedPost({ slug: "one" }), await publishedPost({ slug: "two" })]
    const where = { id: { in: [first, second] } }
    const send = (data: object) => refused(as(ann)["posts"].updateMany({ where, data }, published))

    expect(await send({ slug: "same" })).toBe(409)
    expect(await send({ comments: { create: [{ text: "x" }] } })).toBe(400)
    expect(await send({ title: null })).toBe(400)
    expect([(await shown(first)).revision, (await shown(second)).revision]).toEqual([2, 2])
    const mine = await liveNote()
    const given = { where: { id: mine }, data: { owner: "eva" } }
    expect(await refused(as(bob)["notes"].updateMany(given, { stage: "review" }))).toBe(403)
  })

  test("reaches the records that the caller may update and move there, by the working record", async () => {
    const [mine, hers] = [await liveNote(), await liveNote({ owner: "eva" })]
    const change = (session: Session, stage: string, data: object = { title: "two" }) =>
      as(session)["notes"].updateMany({ where: { id: { in: [mine, hers] } }, data }, { stage })

    expect(await change(bob, "review")).toMatchObject([{ id: mine, title: "two" }])
    expect(await change(bob, "review", { note: "mine" })).toMatchObject([{ id: mine, note: "mine" }])
    expect(await refused(change(bob, "live"))).toBe(403)
    expect(await change(ann, "live")).toHaveLength(2)
    await as(ann)["notes"].updateById({ id: mine, data: { owner: "eva" } })
    expect(await change(bob, "review")).toEqual([])
  })

  test("runs the hooks for each copy, with the stage and the copy as the original", async () => {
    const id = await liveNote()
    await as(bob)["notes"].updateById({ id, data: { title: "draft" } })
    heard.splice(0)

    await as(ann)["notes"].updateMany({ where: { id }, data: { title: "two" } }, { stage: "live" })

    expect(heard).toEqual([
      ["beforeChange", "live", "two", "one"],
      ["afterChange", "live", "two"],
    ])
  })

  test("works where nothing is counted, and counts where nothing is changed", async () => {
    for (const id of ["a", "b"]) await as()["bare"].create({ id, name: "x" }, published)
    const { id } = await as()["versioned"].create({ name: "x" }, published)
    const stage = { all: true, data: {} }

    expect(await as()["bare"].updateMany({ all: true, data: { name: "y" } }, published)).toHaveLength(2)
    expect(await as()["bare"].updateMany(stage, published)).toMatchObject([{ name: "y" }, { name: "y" }])
    expect(await as()["bare"].findOne({ where: { id: "a" }, stage: "draft" })).toMatchObject({ name: "x" })
    expect(await as()["versioned"].updateMany(stage, published)).toMatchObject([{ id, name: "x" }])
    expect(await as()["versioned"].findVersions({ id })).toHaveLength(3)
  })
})

describe("updateBatch", () => {
  test("changes each copy with its own data, all of them or none", async () => {
    const [first, second] = [await publishedPost(), await publishedPost()]
    const { id: never } = await as(ann)["posts"].create({ title: "Never published" })
    const batch = (...updates: object[]) => as(ann)["posts"].updateBatch({ updates }, published)
    const change = { id: first, data: { title: "First", views: 1 } }

    await expect(batch(change, { id: never, data: { views: 1 } })).rejects.toMatchObject({
      ...{ status: 404, message: 'The record is not in the stage "published". Move it there with a transition.' },
      context: { id: never },
    })
    expect((await shown(first)).revision).toBe(2)
    const written = await batch({ id: second, data: { title: "Second" } }, change)

    expect(written).toEqual([await shown(second), await shown(first)])
    expect(written).toMatchObject([
      { title: "Second", views: null, revision: 4 },
      { title: "First", views: 1, revision: 4 },
    ])
    expect(await worked(first)).toMatchObject({ title: "Draft", views: null, revision: 4 })
    expect(await newest(second)).toMatchObject({ versionNumber: 4, versionStage: "published", title: "Second" })
  })

  test("expects the revision of the copy", async () => {
    const id = await publishedPost()
    const batch = (expectedRevision: number) =>
      as(ann)["posts"].updateBatch({ updates: [{ id, expectedRevision, data: { views: 3 } }] }, published)

    await expect(batch(3)).rejects.toMatchObject({ status: 409, context: { revision: { expected: 3, actual: 2 } } })
    expect(await batch(2)).toMatchObject([{ views: 3, revision: 4 }])
  })

  test("needs the right to update each record and to move it there", async () => {
    const [mine, hers] = [await liveNote(), await liveNote({ owner: "eva" })]
    const change = (session: Session | undefined, stage: string, ...updates: object[]) =>
      refused(as(session)["notes"].updateBatch({ updates }, { stage }))
    const two = { title: "two" }

    expect(await change(bob, "review", { id: mine, data: { ...two, note: "mine" } })).toBe(200)
    expect(await change(bob, "live", { id: mine, data: two })).toBe(403)
    expect(await change(bob, "live")).toBe(403)
    expect(await change(undefined, "review", { id: mine, data: two })).toBe(401)
    expect(await change(bob, "review", { id: mine, data: two }, { id: hers, data: two })).toBe(403)
    expect(await change(bob, "review", { id: mine, data: { owner: "eva" } })).toBe(403)
    expect(await change(ann, "review", { id: hers, data: { note: "not hers" } })).toBe(403)
  })

  test("names the place of a mistake", async () => {
    const id = await publishedPost()
    const updates = [{ id, data: { comments: { create: [] } } }]

    const answer = as(ann)["posts"].updateBatch({ updates }, published)

    await expect(answer).rejects.toMatchObject({ fieldErrors: [{ path: "updates.0.data.comments" }] })
  })
})

describe("delete", () => {
  test("withdraws the record from the stage, and leaves the record", async () => {
    const tag = await as()["tags"].create({ name: "t" })
    const id = await publishedPost({ views: 1, tags: [tag.id] })
    const [copy, before] = [await shown(id), await worked(id)]

    const answer = await as(ann)["posts"].deleteById({ id }, published)

    expect(answer).toEqual({ success: true, data: copy })
    expect(await shown(id)).toBeNull()
    expect(await as(ann)["posts"].count({ ...published, where: { id } })).toBe(0)
    const withoutCopy = { changedSincePublished: null, revision: before.revision + 1 }
    expect(await worked(id)).toEqual({ ...before, ...withoutCopy })
    expect(await newest(id)).toMatchObject({
      ...{ versionNumber: 4, versionOperation: "delete", versionStage: "published", versionUserId: "ann" },
      ...{ title: "Published", views: 1, revision: 4, deletedAt: null },
    })
    const stored = `select data->'tags' as tags from _kit_versions where record = '${id}' and number = 4`
    expect(await app.database.query(stored)).toEqual([{ tags: [tag.id] }])
    const tables = await app.database.query("select tablename from pg_tables where tablename like 'tagging%stage%'")
    expect(tables).toHaveLength(1)
    const links = `select from "${tables[0]?.["tablename"]}" where "posts_id" = '${id}'`
    expect(await app.database.query(links)).toEqual([])
    expect(await as(ann)["posts"].transitionStage({ id, stage: "published" })).toMatchObject({ revision: 5 })
    expect(await shown(id)).toMatchObject({ title: "Draft" })
  })

  test("expects the revision of the copy, and a record that is in the stage", async () => {
    const id = await publishedPost()
    const { id: never } = await as(ann)["posts"].create({ title: "Draft" })
    const remove = (target: object) => refused(as(ann)["posts"].delete(target, published))

    expect(await remove({ id: never })).toBe(404)
    expect(await remove({ id: crypto.randomUUID() })).toBe(404)
    expect(await remove({ id, expectedRevision: 3 })).toBe(409)
    expect(await remove({ id, expectedRevision: 2 })).toBe(200)
    expect(await remove({ id })).toBe(404)
    await as(ann)["posts"].transitionStage({ id, stage: "published" })
    await as(ann)["posts"].deleteById({ id })
    expect(await remove({ id })).toBe(404)
    expect(await refused(as(ann)["posts"].restoreById({ id }))).toBe(200)
    expect(await shown(id)).toMatchObject({ title: "Draft" })
  })

  test("needs the right to move the record there, and not the right to delete it", async () => {
    const id = await liveNote()
    const remove = (session: Session | undefined, stage: string) =>
      refused(as(session)["notes"].deleteById({ id }, { stage }))

    expect(await remove(undefined, "review")).toBe(401)
    expect(await remove(bob, "live")).toBe(403)
    expect(await remove(bob, "review")).toBe(200)
    expect(await remove(ann, "live")).toBe(200)
    expect(await refused(as(ann)["notes"].deleteById({ id }))).toBe(403)
    expect(await refused(as(ann)["notes"].deleteById({ id }, { stage: "idea" }))).toBe(403)
    expect(await as(ann)["notes"].findOne({ where: { id } })).toMatchObject({ title: "one", stage: "live" })
  })

  test("runs the hooks of a delete with the stage, and rolls back if one of them throws", async () => {
    const id = await liveNote({ title: "never" })
    await as(ann)["notes"].updateById({ id, data: { title: "draft" } })
    const { id: other } = await as(ann)["notes"].create({ title: "kept", owner: "ann" }, { stage: "review" })
    heard.splice(0)

    expect(await refused(as(ann)["notes"].deleteById({ id }, { stage: "live" }))).toBe(500)
    expect(await as()["notes"].findOne({ where: { id } })).toMatchObject({ title: "never" })
    await as(ann)["notes"].deleteById({ id: other }, { stage: "review" })

    expect(heard).toEqual([
      ["beforeDelete", "live", "never", "delete"],
      ["afterDelete", "live", "never"],
      ["beforeDelete", "review", "kept", "delete"],
      ["afterDelete", "review", "kept"],
    ])
  })
})

describe("deleteMany", () => {
  test("withdraws the records whose copies match", async () => {
    const made = [
      await publishedPost({ views: 5 }),
      await publishedPost({ views: 5 }),
      await publishedPost({ views: 6 }),
    ]
    await as(ann)["posts"].updateMany({ where: { id: { in: made } }, data: { views: 7 } })
    const where = { id: { in: made }, views: 5 }

    expect(await as(ann)["posts"].deleteMany({ where }, published)).toEqual({ success: true, count: 2 })
    expect(await as(ann)["posts"].deleteMany({ where }, published)).toEqual({ success: true, count: 0 })

    expect(await as()["posts"].count({ where: { id: { in: made } } })).toBe(1)
    expect(await as(ann)["posts"].count({ where: { id: { in: made }, views: 7 } })).toBe(3)
    expect(await newest(made[0] ?? "")).toMatchObject({
      versionOperation: "delete",
      versionStage: "published",
      views: 5,
    })
    expect(await worked(made[0] ?? "")).toMatchObject({ revision: 5 })
  })

  test("reaches the records that the caller may move there, and runs the hooks for each", async () => {
    const [mine, hers] = [await liveNote(), await liveNote({ owner: "eva" })]
    const remove = (session: Session | undefined, stage: string) =>
      as(session)["notes"].deleteMany({ where: { id: { in: [mine, hers] } } }, { stage })

    expect(await remove(bob, "review")).toMatchObject({ count: 1 })
    expect(heard.map(([moment, stage]) => [moment, stage])).toEqual([
      ["beforeDelete", "review"],
      ["afterDelete", "review"],
    ])
    expect(await refused(remove(bob, "live"))).toBe(403)
    expect(await refused(remove(undefined, "review"))).toBe(401)
    expect(await remove(ann, "live")).toMatchObject({ count: 2 })
    expect(await as(ann)["notes"].count({ where: { id: { in: [mine, hers] } } })).toBe(2)
    expect(await refused(as(ann)["notes"].deleteMany({ where: { id: mine } }))).toBe(403)
  })

  test("needs a filter, or all", async () => {
    expect(await refused(as(ann)["posts"].deleteMany({ where: {} }, published))).toBe(400)
    await as()["bare"].create({ id: "c", name: "x" }, published)
    expect(await as()["bare"].deleteMany({ all: true }, published)).toMatchObject({ success: true })
    expect(await as()["bare"].count(published)).toBe(0)
    expect(await as()["bare"].count({ where: { id: "c" }, stage: "draft" })).toBe(1)
  })
})

test("a live query of the public stage hears of changed and withdrawn copies", async () => {
  const [first, second] = [await publishedPost({ views: 70 }), await publishedPost({ views: 70 })]
  const where = { id: { in: [first, second] } }
  const seen: string[][] = []
  const stop = as()["posts"].live({ where, orderBy: { createdAt: "asc" } }, ({ docs }: any) =>
    seen.push(docs.map(({ title }: any) => title)),
  )
  const last = () => seen.at(-1)

  await expect.poll(last).toEqual(["Published", "Published"])
  await as(ann)["posts"].updateMany({ where: { ...where, views: 70 }, data: { title: "Many" } }, published)
  await expect.poll(last).toEqual(["Many", "Many"])
  await as(ann)["posts"].updateBatch({ updates: [{ id: second, data: { title: "Batch" } }] }, published)
  await expect.poll(last).toEqual(["Many", "Batch"])
  await as(ann)["posts"].deleteById({ id: first }, published)
  await expect.poll(last).toEqual(["Batch"])
  await as(ann)["posts"].deleteMany({ where }, published)
  await expect.poll(last).toEqual([])
  stop()
})

test("writers of copies, one or many at once, number the versions of each record without a gap", async () => {
  const made = [await publishedPost(), await publishedPost(), await publishedPost()]
  const where = { id: { in: made } }
  const { posts } = as(ann)
  const ways = [
    (views: number) => posts.updateMany({ where, data: { views } }, published),
    (views: number) =>
      posts.updateBatch({ updates: [...made].reverse().map((id) => ({ id, data: { views } })) }, published),
    (views: number) => Promise.all(made.map((id) => posts.updateById({ id, data: { views } }, published))),
    (views: number) => posts.updateMany({ where, data: { views } }),
  ]

  await Promise.all(Array.from({ length: 12 }, (_each, views) => ways[views % 4]?.(views)))

  for (const id of made) {
    const versions = await posts.findVersions({ id })
    expect(versions.map((each: any) => each.versionNumber)).toEqual(Array.from({ length: 15 }, (_each, n) => 15 - n))
    const last = versions.find((each: any) => each.versionStage === "published")
    expect(await shown(id)).toMatchObject({ views: last.views, revision: last.versionNumber })
  }
})
