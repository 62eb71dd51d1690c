import { collection } from "kit"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const OPEN = { read: true, create: true, update: true, delete: true } as const

const languages = collection("languages")
  .fields(({ f }) => ({
    name: f.text(),
    country: f.relation("countries"),
    posts: f.relation("posts").hasMany({ via: "language" }),
  }))
  .access(OPEN)
  .options({ id: "client" })

const countries = collection("countries")
  .fields(({ f }) => ({
    name: f.text(),
    neighbour: f.relation("countries"),
    languages: f.relation("languages").hasMany({ via: "country" }),
  }))
  .access(OPEN)
  .options({ id: "client" })

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text(),
    language: f.relation("languages").default("en"),
    tags: f.relation("tags").manyToMany({ through: "tagging" }),
  }))
  .access(OPEN)

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text(), posts: f.relation("posts").manyToMany({ through: "tagging" }) }))
  .access(OPEN)
  .options({ id: "client", timestamps: false })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [languages, countries, posts, tags] })
})

beforeEach(() => app.database.query('truncate languages, countries, posts, tags, "tagging.links", "_kit_changes"'))

afterAll(() => app[Symbol.asyncDispose]())

function send(method: string, path: string, body: unknown) {
  return app.fetch(path, { method, body: JSON.stringify(body) })
}

function system(name: string): any {
  return app.app.system.collections[name]
}

describe("relations to such records", () => {
  beforeEach(async () => {
    await system("languages").create({ id: "en", name: "English" })
  })

  test("are stored, hydrated, filtered, sorted and grouped by", async () => {
    await system("languages").create({ id: "s/k".replace("/", "'"), name: "Slovak" })
    const { posts: client, languages: related } = app.client().collections
    const first = await client.create({ title: "by default" })
    const second = await client.create({ title: "given", language: "s'k" })
    const third = await client.create({ title: "connected", language: { connect: { id: "s'k" } } })
    const none = await client.create({ title: "none", language: null })

    const hydrated = await client.find({
      with: { language: true },
      orderBy: { language: { name: "asc" }, title: "asc" },
    })
    const filtered = await client.find({ where: { language: "s'k" }, orderBy: { title: "asc" } })
    const listed = await client.find({ where: { language: { notIn: ["s'k"] } } })
    const through = await client.find({ where: { language: { is: { id: "en" } } } })
    const grouped = await client.find({ groupBy: { field: "language", order: "asc" } })
    const back = await related.find({
      with: { posts: { columns: { title: true }, _count: true } },
      orderBy: { id: "asc" },
    })

    expect(hydrated.docs.map(({ language }: any) => language?.name)).toEqual(["English", "Slovak", "Slovak", undefined])
    expect(ids(filtered)).toEqual([third.id, second.id])
    expect(ids(listed).sort()).toEqual([first.id, none.id].sort())
    expect(ids(through)).toEqual([first.id])
    expect(grouped.groups.map(({ key, count }: any) => [key, count])).toEqual([
      ["en", 1],
      ["s'k", 2],
      ["__empty", 1],
    ])
    expect(back.docs.map(({ id, posts: list }: any) => [id, list.docs?.length ?? list.length])).toEqual([
      ["en", 1],
      ["s'k", 2],
    ])
  })

  test("to nothing are refused, whatever they look like", async () => {
    for (const language of [
      "nowhere",
      "EN",
      "a/b",
      "count",
      "01890a5d-ac96-774b-bcce-b302099a8057",
      { connect: { id: "no" } },
    ]) {
      const { status, body } = await send("POST", "/posts", { language })

      expect({ language, status }).toEqual({ language, status: 400 })
      expect(body.error.fieldErrors[0].path).toBe("language")
    }
  })

  test("are written through nested operations, in both directions", async () => {
    const { posts: client, tags: other, countries: places } = app.client().collections
    await other.create({ id: "red" })

    const post = await client.create({
      title: "one",
      language: { connectOrCreate: { where: { id: "sk" }, create: { id: "sk", country: { create: { id: "sk" } } } } },
      tags: {
        connect: ["red"],
        create: [{ id: "blue" }],
        connectOrCreate: [
          { where: { id: "red" }, create: { id: "red" } },
          { where: { id: "ALT" }, create: { id: "ALT" } },
        ],
      },
    })
    const again = await client.create({ language: { connectOrCreate: { where: { id: "sk" }, create: { id: "sk" } } } })
    const place = await places.create({ id: "cz", languages: { connect: [{ id: "sk" }], create: { id: "cs" } } })

    expect(again.language).toBe("sk")
    expect(await tagsOf(post.id)).toEqual(["ALT", "blue", "red"])
    expect(await languagesOf(place.id)).toEqual(["cs", "sk"])
    expect(await languagesOf("sk")).toEqual([])

    await client.updateById({ id: post.id, data: { tags: { set: ["ALT"], create: { id: "new" } } } })
    await other.updateById({ id: "red", data: { posts: [post.id] } })
    await other.updateById({ id: "ALT", data: { posts: { disconnect: [post.id] } } })
    await places.updateById({
      id: "cz",
      data: { languages: { delete: ["cs"], update: [{ id: "sk", data: { name: "Slovak" } }] } },
    })

    expect(await tagsOf(post.id)).toEqual(["new", "red"])
    expect(await languagesOf("cz")).toEqual(["sk"])
    expect(await system("languages").findOne({ where: { id: "sk" } })).toMatchObject({ name: "Slovak" })
  })

  test("refuse nested operations on what is no such record, at its place", async () => {
    await system("countries").create({ id: "sk" })

    const taken = await send("POST", "/countries", { id: "cz", languages: { create: [{ id: "en" }] } })
    const without = await send("POST", "/countries", { id: "cz", languages: { create: [{ name: "x" }] } })
    const missing = await send("PATCH", "/countries/sk", { languages: { update: [{ id: "en", data: {} }] } })
    const reserved = await send("PATCH", "/countries/sk", { languages: ["count"] })

    expect(taken).toMatchObject({ status: 409, body: { error: { fieldErrors: [{ path: "languages.create.0.id" }] } } })
    expect(without).toMatchObject({
      status: 400,
      body: { error: { fieldErrors: [{ path: "languages.create.0.id", message: "Required." }] } },
    })
    expect(missing).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: "languages" }] } } })
    expect(reserved).toMatchObject({ status: 400 })
    expect(ids(await system("countries").find())).toEqual(["sk"])
  })

  test("hold back what they point to, and links go with either end", async () => {
    const { posts: client, tags: other } = app.client().collections
    const post = await client.create({ tags: { create: [{ id: "red" }, { id: "blue" }] } })

    const held = await app.fetch("/languages/en", { method: "DELETE" })
    await app.database.query('truncate "_kit_changes"')
    await other.deleteById({ id: "red" })
    const noted = await app.database.query('select resource, record, kind from "_kit_changes" order by resource')
    await client.deleteMany({ where: { id: post.id } })

    expect(held).toMatchObject({ status: 409, body: { error: { context: { relation: { field: "language" } } } } })
    expect(noted).toEqual([
      { resource: "posts", record: post.id, kind: "update" },
      { resource: "tags", record: "red", kind: "delete" },
    ])
    expect(await app.database.query('select * from "tagging.links"')).toEqual([])
  })
})

describe("many such records", () => {
  test("are changed and deleted together, each with what it is given", async () => {
    const given = ["a", "B", "c'", '"d"', "e,f", "{g}", "NULL"]
    for (const id of given) await system("languages").create({ id, name: "old" })
    const { languages: client } = app.client().collections

    const same = await client.updateMany({ where: { id: { in: given } }, data: { name: "same" } })
    const each = await client.updateBatch({ updates: given.map((id) => ({ id, data: { name: `of ${id}` } })) })
    const missing = await send("POST", "/languages/update-batch", {
      updates: [
        { id: "a", data: {} },
        { id: "A", data: {} },
      ],
    })
    const gone = await client.deleteMany({ where: { id: { in: ["a", "B", "NULL", "nobody"] } } })

    expect(same.map(({ name }: any) => name)).toEqual(given.map(() => "same"))
    expect(each).toMatchObject(given.map((id) => ({ id, name: `of ${id}` })))
    expect(missing).toMatchObject({ status: 404, body: { error: { context: { id: "A" } } } })
    expect(gone).toEqual({ success: true, count: 3 })
    expect(ids(await client.find()).sort()).toEqual(['"d"', "c'", "e,f", "{g}"])
  })
})

function ids(page: { docs: readonly { id: string }[] }): string[] {
  return page.docs.map(({ id }) => id)
}

async function tagsOf(id: string): Promise<string[]> {
  return ids(await system("tags").find({ where: { posts: { some: { id } } } })).sort()
}

async function languagesOf(id: string): Promise<string[]> {
  return ids(await system("languages").find({ where: { country: id } })).sort()
}
