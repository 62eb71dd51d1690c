// @module-tag installed-postgres

import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { fingerprint } from "../support/worlds/attack-world.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const alice: Session = { user: { id: "alice" } }
const bob: Session = { user: { id: "bob" } }

const people = collection("people")
  .fields(({ f }) => ({ name: f.text().required(), email: f.text().unique(), pin: f.text().unique().hidden() }))
  .access({ read: true, create: isSignedIn })

const articles = collection("articles")
  .fields(({ f }) => ({
    title: f.text().required(),
    author: f.relation("people"),
    editor: f.relation("people").required(),
    comments: f.relation("comments").hasMany({ via: "article" }),
    stamps: f.relation("stamps").hasMany({ via: "article" }),
    tags: f.relation("tags").manyToMany(),
    pinned: f.relation("tags").manyToMany().readOnly(),
  }))
  .access({ read: true, create: isSignedIn, update: isSignedIn })

const comments = collection("comments")
  .fields(({ f }) => ({
    text: f.text().required().min(1),
    owner: f.text(),
    key: f.text().unique(),
    article: f.relation("articles"),
  }))
  .access({ read: true, create: ownRows, update: ownRows, delete: ownRows })

const stamps = collection("stamps")
  .fields(({ f }) => ({ owner: f.text(), article: f.relation("articles").required() }))
  .access({ read: ownRows, create: ownRows, update: ownRows, delete: ownRows })

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text().required().unique() }))
  .access({ read: () => ({ name: { ne: "secret" } }), create: isSignedIn, delete: isSignedIn })

const site = global("site")
  .fields(({ f }) => ({ home: f.relation("people") }))
  .access({ read: true, update: true })

function isSignedIn({ session }: { session: Session | null }) {
  return session !== null
}

function ownRows({ session }: { session: Session | null }) {
  return session && { owner: session.user.id }
}

let app: TestApp
let editor: string
let article: string

beforeAll(async () => {
  app = await testApp({ resources: [people, articles, comments, stamps, tags, site] })
  editor = await add("people", { name: "Eva" })
})

beforeEach(async () => {
  article = await add("articles", { title: "one", editor })
})

afterAll(() => app[Symbol.asyncDispose]())

async function add(name: string, data: Record<string, unknown>): Promise<string> {
  return String((await app.app.system.collections[name]?.create(data))?.["id"])
}

function patch(data: Record<string, unknown>, session: Session = alice) {
  const init = { method: "PATCH", body: JSON.stringify(data), session }
  return app.fetch(`/articles/${article}`, init)
}

async function textsOf(id: string): Promise<string[]> {
  const found = await app.app.system.collections["articles"]?.find({
    where: { id },
    with: { comments: { orderBy: { text: "asc" } } },
  })
  const related = (found?.docs[0]?.["comments"] ?? []) as { text: string }[]
  return related.map(({ text }) => text)
}

async function tagsOf(id: string): Promise<string[]> {
  const found = await app.app.system.collections["articles"]?.find({
    where: { id },
    with: { tags: { orderBy: { name: "asc" } } },
  })
  const related = (found?.docs[0]?.["tags"] ?? []) as { name: string }[]
  return related.map(({ name }) => name)
}

async function refused(data: Record<string, unknown>, session?: Session) {
  const before = await fingerprint(app)
  const answer = await patch(data, session)
  expect(await fingerprint(app)).toEqual(before)
  return { status: answer.status, error: answer.body.error }
}

describe("a relation to one record", () => {
  test("is created with the record that points to it", async () => {
    const made = await app.client(alice).collections["articles"].create({
      title: "new",
      editor: { create: { name: "Ida" } },
      author: {
        connectOrCreate: { where: { email: "ola@example.com" }, create: { name: "Ola", email: "ola@example.com" } },
      },
    })
    const again = await app.client(alice).collections["articles"].create({
      title: "newer",
      editor,
      author: { connectOrCreate: { where: { email: "ola@example.com" }, create: { name: "Nobody" } } },
    })

    expect(made.editor).toMatch(/^[0-9a-f-]{36}$/)
    expect(again.author).toBe(made.author)
  })

  test("is created once by many who connect or create it at the same time", async () => {
    const author = {
      connectOrCreate: { where: { email: "eva@example.com" }, create: { name: "Eva", email: "eva@example.com" } },
    }
    const create = (title: string) => app.client(alice).collections["articles"].create({ title, editor, author })

    const made = await Promise.all(Array.from({ length: 8 }, (_, index) => create(`race ${index}`)))

    expect(new Set(made.map((article) => article.author)).size).toBe(1)
  })

  test("is taken away by disconnect, unless it is required", async () => {
    await patch({ author: editor })
    expect((await patch({ author: { disconnect: true } })).body.author).toBeNull()

    const { status, error } = await refused({ editor: { disconnect: true } })

    expect(status).toBe(400)
    expect(error.fieldErrors).toEqual([{ path: "editor", message: "Required." }])
  })

  test.each([
    [{ author: { create: { nmae: "x" } } }, "author.create.nmae"],
    [{ author: { create: "x" } }, "author.create"],
    [
      { author: { connectOrCreate: { where: { name: "x" }, create: { name: "x" } } } },
      "author.connectOrCreate.where.name",
    ],
    [
      { author: { connectOrCreate: { where: { pin: "x" }, create: { name: "x" } } } },
      "author.connectOrCreate.where.pin",
    ],
    [{ author: { connectOrCreate: { where: {}, create: { name: "x" } } } }, "author.connectOrCreate.where"],
    [{ author: { create: { name: "x" }, disconnect: true } }, "author"],
    [{ author: { make: {} } }, "author"],
  ])("%j is refused at %s and leaves no trace", async (data, path) => {
    const { status, error } = await refused(data)

    expect(status).toBe(400)
    expect(error.fieldErrors[0].path).toBe(path)
  })

  test("is created with a global that points to it", async () => {
    const write = (name: string) => app.client(alice).globals["site"].update({ home: { create: { name } } })

    const first = await write("one")
    const later = await write("two")

    expect(await app.app.system.collections["people"]?.findOne({ where: { id: first.home } })).toMatchObject({
      name: "one",
    })
    expect(await app.app.system.collections["people"]?.findOne({ where: { id: later.home } })).toMatchObject({
      name: "two",
    })
  })
})

describe("hasMany", () => {
  test("takes every operation, in one transaction", async () => {
    const own = { owner: "alice" }
    const [kept, freed, gone, changed, other] = await Promise.all([
      add("comments", { text: "kept", article, ...own }),
      add("comments", { text: "freed", article, ...own }),
      add("comments", { text: "gone", article, ...own }),
      add("comments", { text: "changed", article, ...own }),
      add("comments", { text: "other", ...own }),
    ])

    const { status } = await patch({
      title: "two",
      comments: {
        disconnect: freed,
        delete: [{ id: gone }],
        update: [{ id: changed, data: { text: "better" } }],
        connect: { id: other },
        create: [{ text: "new", ...own }],
        connectOrCreate: { where: { key: `k-${article}` }, create: { text: "made", key: `k-${article}`, ...own } },
      },
    })

    expect(status).toBe(200)
    expect(await textsOf(article)).toEqual(["better", "kept", "made", "new", "other"])
    expect(await app.app.system.collections["comments"]?.count({ where: { id: gone } })).toBe(0)
    expect((await patch({ comments: [kept] })).status).toBe(200)
    expect(await textsOf(article)).toEqual(["kept"])
  })

  test("is written with a new record", async () => {
    const made = await app.client(alice).collections["articles"].create({
      title: "new",
      editor,
      comments: { create: { text: "first", owner: "alice" } },
      tags: { create: [{ name: `tag of ${article}` }] },
    })

    expect(await textsOf(made.id)).toEqual(["first"])
    expect(await tagsOf(made.id)).toEqual([`tag of ${article}`])
  })

  test("children of somebody else cannot be taken, changed or removed", async () => {
    const bobs = await add("comments", { text: "bobs", article, owner: "bob" })
    await add("comments", { text: "mine", article, owner: "alice" })
    const elsewhere = await add("comments", { text: "elsewhere", owner: "bob" })

    for (const comments of [
      { set: [] },
      [],
      { disconnect: bobs },
      { delete: bobs },
      { update: { id: bobs, data: { text: "x" } } },
      { connect: elsewhere },
      { create: { text: "x", owner: "bob" } },
    ]) {
      const { status, error } = await refused({ title: "taken", comments })
      expect([status, error.code]).toEqual([403, "FORBIDDEN"])
    }
    expect((await patch({ comments: { disconnect: bobs } }, bob)).status).toBe(200)
  })

  test("children that the caller may not read are never removed, and a set does not tell that they are there", async () => {
    const bobs = await add("stamps", { article, owner: "bob" })
    const mine = await add("stamps", { article, owner: "alice" })

    const { status } = await patch({ stamps: [mine] })

    expect(status).toBe(200)
    const rows = await app.database.query("select id from stamps where article = $1 order by id", [article])
    expect(rows.map(({ id }) => id)).toEqual([bobs, mine])
  })

  test("an unreadable child and a missing one get the same answer", async () => {
    const bobs = await add("stamps", { article, owner: "bob" })
    const missing = "01890000-0000-7000-8000-000000000000"

    for (const operation of ["connect", "disconnect", "delete"]) {
      const unreadable = await refused({ stamps: { [operation]: bobs } })
      const absent = await refused({ stamps: { [operation]: missing } })
      expect(unreadable.status).toBe(400)
      expect({ ...unreadable.error, requestId: "" }).toEqual({ ...absent.error, requestId: "" })
    }
  })

  test("a child that must have a parent cannot be left without one", async () => {
    const mine = await add("stamps", { article, owner: "alice" })

    const { status, error } = await refused({ stamps: { disconnect: mine } })

    expect(status).toBe(400)
    expect(error.fieldErrors).toEqual([{ path: "stamps.disconnect.article", message: "Required." }])
  })

  test.each([{ set: [] }, []])("a refusal of %j is told where it was asked for", async (stamps) => {
    await add("stamps", { article, owner: "alice" })

    const { error } = await refused({ stamps })

    expect(error.fieldErrors).toEqual([{ path: "stamps.set.article", message: "Required." }])
  })

  test.each([
    [{ comments: null }, "comments"],
    [{ comments: "x" }, "comments"],
    [{ comments: ["x"] }, "comments"],
    [{ comments: { add: [] } }, "comments"],
    [{ comments: { update: { id: "x" } } }, "comments"],
    [{ comments: { create: [{ text: "ok", owner: "alice" }, { text: "" }] } }, "comments.create.1.text"],
    [{ comments: { create: { text: "x", article: "y" } } }, "comments.create.0.article"],
    [{ comments: { create: Array.from({ length: 1001 }, () => ({ text: "x" })) } }, "comments"],
    [{ pinned: [] }, "pinned"],
  ])("%j is refused at %s", async (data, path) => {
    const { status, error } = await refused(data)

    expect(status).toBe(400)
    expect(error.fieldErrors[0].path).toBe(path)
  })
})

describe("manyToMany", () => {
  test("takes every operation", async () => {
    const [red, blue, green] = await Promise.all(
      ["red", "blue", "green"].map((name) => add("tags", { name: `${name} ${article}` })),
    )
    const names = async () => (await tagsOf(article)).map((name) => name.split(" ")[0])

    await patch({ tags: [red, blue] })
    expect(await names()).toEqual(["blue", "red"])
    await patch({ tags: { connect: [red, green], disconnect: blue } })
    expect(await names()).toEqual(["green", "red"])
    await patch({
      tags: {
        connectOrCreate: [
          { where: { name: `blue ${article}` }, create: { name: "never" } },
          { where: { name: `pink ${article}` }, create: { name: `pink ${article}` } },
        ],
      },
    })
    expect(await names()).toEqual(["blue", "green", "pink", "red"])
    await patch({ tags: { set: [green], create: { name: `black ${article}` } } })
    expect(await names()).toEqual(["black", "green"])
  })

  test("a hidden target and a missing one get the same answer, and a hidden link stays", async () => {
    const secret = await add("tags", { name: "secret" })
    const connect = await refused({ tags: { connect: secret } })
    const missing = await refused({ tags: { connect: "01890000-0000-7000-8000-000000000000" } })
    expect(connect.status).toBe(400)
    expect({ ...connect.error, requestId: "" }).toEqual({ ...missing.error, requestId: "" })

    await app.app.system.collections["articles"]?.updateById({ id: article, data: { tags: [secret] } })

    expect((await patch({ tags: [] })).status).toBe(200)
    expect(await tagsOf(article)).toEqual(["secret"])
  })
})
