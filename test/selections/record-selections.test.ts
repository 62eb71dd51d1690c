import { collection, type Session } from "kit"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann", role: "editor" } }
const bob: Session = { user: { id: "bob" } }
const isEditor = ({ session }: { session: Session | null }) => session?.user.role === "editor"

const people = collection("people")
  .fields(({ f }) => ({
    name: f.text(),
    phone: f.text().access({ read: isEditor }),
    isHidden: f.boolean(),
    posts: f.relation("posts").hasMany({ via: "author" }),
  }))
  .access({ create: true, read: (caller) => isEditor(caller) || { isHidden: { ne: true } } })

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text() }))
  .access({ read: true, create: true })

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text() }))
  .access({ create: true })

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text().localized(),
    body: f.text(),
    key: f.text().access({ read: isEditor }),
    fee: f.number().access({ read: ({ session }) => ({ body: { eq: session?.user.id ?? "" } }) }),
    author: f.relation("people"),
    note: f.relation("notes"),
    reviewer: f.relation("people").access({ read: isEditor }),
    tags: f.relation("tags").manyToMany(),
  }))
  .options({ revision: true, workflow: true, softDelete: true, versions: true })
  .access({ read: true, create: true, update: true, delete: true, transition: true, drafts: true })

const letters = collection("letters")
  .fields(({ f }) => ({ text: f.text().required(), sender: f.relation("people"), isSent: f.boolean() }))
  .access({ create: true, update: true })

const plain = collection("plain")
  .fields(({ f }) => ({ name: f.text(), text: f.text(), count: f.number() }))
  .options({ revision: true })
  .access({ read: true, create: true, update: true })

let app: TestApp
let author: string

beforeAll(async () => {
  const resources = [people, tags, notes, posts, letters, plain]
  app = await testApp({ resources, config: { locales: { default: "en", all: ["en", "sk"] } } })
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  author = (await app.client(ann).collections["people"].create({ name: "Eva", phone: "1" })).id
})

const api = (session: Session = ann) => app.client(session).collections["posts"]
const local = (session: Session) => app.app.as(session).collections["posts"] as any
const post = () => ({ title: "T", body: "ann", key: "k", fee: 7, author, tags: { create: [{ name: "red" }] } })

const SELECTIONS: readonly object[] = [
  {},
  { columns: { title: true } },
  { columns: { revision: false } },
  { columns: { fee: true } },
  { with: { author: true, note: true } },
  { with: { author: { columns: { name: true }, with: { posts: { orderBy: { id: "asc" }, _count: true } } } } },
  {
    columns: { body: false },
    with: { author: { where: { name: "Eva" } }, tags: { limit: 1, where: { name: "red" } } },
  },
]

describe("the answer of a write of one record", () => {
  test.each(SELECTIONS)("has the selection of a read: %o", async (selection) => {
    for (const session of [ann, bob]) {
      for (const collections of [api(session), local(session)]) {
        const created = await collections.create(post(), selection)
        const { id } = created
        expect(created).toEqual(await collections.findOne({ where: { id }, ...selection }))
        const updated = await collections.updateById({ id, data: { body: "bob" } }, selection)
        expect(updated).toEqual(await collections.findOne({ where: { id }, ...selection }))
        expect(await collections.updateById({ id, data: { body: "ann" }, ...selection })).toEqual(
          await collections.findOne({ where: { id }, ...selection }),
        )
      }
    }
  })

  test("has the header with the revision, whether or not the columns have it", async () => {
    for (const name of ["plain", "posts"]) {
      const init = { session: ann, body: JSON.stringify({}) }
      const created = await app.fetch(`/${name}?columns[id]=true`, { ...init, method: "POST" })
      expect([created.status, created.headers.get("x-revision"), Object.keys(created.body)]).toEqual([201, "1", ["id"]])
      const path = `/${name}/${created.body.id}?columns[revision]=false&expectedRevision=1`
      const updated = await app.fetch(path, { ...init, method: "PATCH" })
      expect([updated.status, updated.headers.get("x-revision")]).toEqual([200, "2"])
      expect(updated.body).not.toHaveProperty("revision")
      expect((await app.fetch(path, { ...init, method: "PATCH" })).status).toBe(409)
    }
  })

  test("has what a dry run of the write would have", async () => {
    const selection = { with: { author: true, tags: { columns: { name: true } } }, columns: { title: true } }

    const dry = await api().create({ ...post(), author: { create: { name: "Ida" } } }, { ...selection, dryRun: true })

    expect(dry).toMatchObject({ title: "T", author: { name: "Ida" }, tags: [{ name: "red" }] })
    expect(await api().findOne({ where: { id: dry.id } })).toBeNull()
    const { id } = await api().create(post())
    const data = { title: "D", tags: { create: [{ name: "blue" }] } }
    const rehearsed = await api().updateById({ id, data }, { ...selection, dryRun: true })
    expect(rehearsed.tags.map(({ name }: { name: string }) => name).sort()).toEqual(["blue", "red"])
    expect(await api().findOne({ where: { id }, ...selection })).toMatchObject({ title: "T", tags: [{ name: "red" }] })
  })

  test("is in the written stage and in the locale of the call", async () => {
    const selection = { columns: { title: true }, with: { tags: { columns: { name: true } } } }

    const copy = await api().create(post(), { ...selection, stage: "published" })
    const { id } = copy
    expect(copy).toEqual(await api().findOne({ where: { id }, ...selection, stage: "published" }))
    const draft = await api().updateById({ id, data: { title: "Návrh" } }, { ...selection, locale: "sk" })
    expect(draft).toMatchObject({ title: "Návrh", tags: [{ name: "red" }] })
    const bare = await api().create(
      { ...post(), title: undefined },
      { ...selection, locale: "sk", localeFallback: false },
    )
    expect(bare).toMatchObject({ title: null })
    const written = await api().updateById({ id, data: { title: "W" } }, { ...selection, stage: "published" })
    expect(written).toEqual(await api().findOne({ where: { id }, ...selection, stage: "published" }))
    expect(written.title).toBe("W")
    await expect(api().updateById({ id, data: {} }, { ...selection, locale: "*" })).rejects.toMatchObject({
      fieldErrors: [{ path: "locale" }],
    })
  })

  test("has related records as the caller may read them", async () => {
    const hidden = (await app.client(ann).collections["people"].create({ name: "Ida", isHidden: true })).id
    const { id } = await api().create({ ...post(), author: hidden })

    expect(await api().updateById({ id, data: {} }, { with: { author: true } })).toMatchObject({
      author: { name: "Ida" },
    })
    expect(await api(bob).updateById({ id, data: {} }, { with: { author: true } })).toMatchObject({ author: null })
  })

  test("has the id alone for a caller who may not read the record", async () => {
    const api = app.client(bob).collections["letters"]
    const selection = { columns: { text: true }, with: { sender: true } }

    const created = await api.create({ text: "Hello", sender: author }, selection)

    expect(created).toEqual({ id: expect.any(String) })
    expect(await api.create({ text: "Hello" }, { with: { nobody: true } })).toEqual({ id: expect.any(String) })
  })
})

test.each([
  ["with[auther]=true", "with.auther"],
  ["with[reviewer]=true", "with.reviewer"],
  ["with[author][columns][fone]=true", "with.author.columns.fone"],
  ["with[author][columns][phone]=true", "with.author.columns.phone"],
  ["with[author]=maybe", "with.author"],
  ["with=author", "with"],
  [
    `${"with[author]".replace("author", "author][with][posts][with][author][with][posts][with][author][with][posts")}=true`,
    "with.author.with.posts.with.author.with.posts.with.author.with",
  ],
  ["with[author][with][posts][limit]=1000&with[author][with][posts][with][tags][limit]=1000", "with"],
  ["columns[titel]=true", "columns.titel"],
  ["columns[key]=true", "columns.key"],
  ["columns[title]=true&columns[body]=false", "columns"],
  ["columns=title", "columns"],
  ["columns[tags]=true", "columns.tags"],
  ["where[title]=x", "where"],
  ["includeDeleted=true", "includeDeleted"],
])("%s is refused, and nothing is written", async (query, path) => {
  const { id } = await api().create({ title: "Before" })
  const before = await api().count()

  for (const [method, url] of [
    ["PATCH", `/posts/${id}`],
    ["POST", "/posts"],
  ] as const) {
    const { status, body } = await app.fetch(`${url}?${query}`, {
      ...{ method, session: bob, body: JSON.stringify({ title: "After" }) },
    })
    expect([status, body.error.fieldErrors?.[0]?.path]).toEqual([400, path])
  }

  expect(await api().findOne({ where: { id } })).toMatchObject({ title: "Before" })
  expect(await api().count()).toBe(before)
})

test("the other writes refuse the options", async () => {
  const { id } = await api().create({ title: "T" })
  const calls: [string, string, unknown][] = [
    ["DELETE", `/posts/${id}`, undefined],
    ["POST", `/posts/${id}/restore`, undefined],
    ["POST", `/posts/${id}/revert`, { version: 1 }],
    ["POST", `/posts/${id}/transition`, { stage: "published" }],
    ["PATCH", "/posts", { where: { id }, data: {} }],
    ["POST", "/posts/update-batch", { updates: [{ id, data: {} }] }],
  ]

  for (const [method, path, body] of calls) {
    for (const option of ["with[author]", "columns[title]"]) {
      const init = { method, session: ann, ...(body !== undefined && { body: JSON.stringify(body) }) }
      const { status, body: answer } = await app.fetch(`${path}?${option}=true`, init)
      expect([path, status, answer.error.fieldErrors?.[0]?.path]).toEqual([path, 400, option.split("[")[0]])
    }
  }
})
