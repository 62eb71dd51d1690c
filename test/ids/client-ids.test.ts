import { collection, route } from "kit"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const OPEN = { read: true, create: true, update: true, delete: true } as const

const languages = collection("languages")
  .fields(({ f }) => ({ name: f.text() }))
  .access(OPEN)
  .options({ id: "client" })

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text() }))
  .access(OPEN)

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text() }))
  .access(OPEN)
  .options({ id: "client", timestamps: false })

const kept = collection("kept")
  .fields(({ f }) => ({ name: f.text() }))
  .access({ ...OPEN, purge: true })
  .options({ id: "client", softDelete: true, revision: true })

const made = collection("made")
  .fields(({ f }) => ({ title: f.text() }))
  .access(OPEN)
  .hooks({
    beforeValidate: ({ data, operation }) =>
      operation === "create" && data["id"] === undefined ? { ...data, id: data["title"] } : data,
    beforeChange: ({ data, operation }) => {
      if (operation === "update") return data["title"] === "moved" ? { ...data, id: "elsewhere" } : data
      return data["id"] === "dropped" ? { title: data["title"] } : { ...data, id: String(data["id"]).toLowerCase() }
    },
  })
  .options({ id: "client" })

let app: TestApp

beforeAll(async () => {
  const touchTwo = route().handler(({ touch }) => touch("languages", ["sk", "Sk"]))
  const touchNone = route().handler(({ touch }) => touch("languages", "a/b"))
  const resources = [languages, posts, tags, kept, made]
  app = await testApp({ resources, routes: { "touch-two": touchTwo, "touch-none": touchNone } })
})

beforeEach(async () => {
  await app.database.query('truncate languages, posts, tags, kept, made, "_kit_changes"')
})

afterAll(() => app[Symbol.asyncDispose]())

function send(method: string, path: string, body: unknown) {
  return app.fetch(path, { method, body: JSON.stringify(body) })
}

function system(name: string): any {
  return app.app.system.collections[name]
}

describe("a record with an id of its caller's", () => {
  const strange = [
    "sk",
    "a b",
    " ",
    "50%",
    "%2F",
    "..a",
    "?x=1#y",
    "'",
    '"',
    "\\",
    "{a,b}",
    "NULL",
    "null",
    "1",
    "__proto__",
    "😀",
  ]

  test.each([...strange, "constructor", "Count", "+", "&", "é", "\u{2028}", "x".repeat(200)])(
    "is created, read, changed and deleted under the id %j",
    async (id) => {
      const { languages: client } = app.client().collections

      const created = await client.create({ id, name: "one" })
      const read = await client.findOne({ where: { id } })
      const filtered = await client.find({ where: { id: { in: [id, "other"] } } })
      const changed = await client.updateById({ id, data: { name: "two" } })
      const batched = await client.updateBatch({ updates: [{ id, data: { name: "three" } }] })
      const deleted = await client.deleteById({ id })

      expect(created).toMatchObject({ id, name: "one" })
      expect(read).toEqual(created)
      expect(filtered.docs).toEqual([created])
      expect(changed).toMatchObject({ id, name: "two" })
      expect(batched).toMatchObject([{ id, name: "three" }])
      expect(deleted).toMatchObject({ success: true, data: { id } })
      expect(await client.findOne({ where: { id } })).toBeNull()
      const noted = await app.database.query('select kind from "_kit_changes" where record = $1 order by xid, id', [id])
      expect(noted.map(({ kind }) => kind)).toEqual(["create", "update", "update", "delete"])
    },
  )

  test.each([
    ["nothing", undefined, "Required."],
    ["null", null, "Required."],
    ["no text", 7, "Expected the id of a record."],
    ["an object", { toString: "x" }, "Expected the id of a record."],
    ["an empty text", "", "Must not be empty."],
    ["a slash", "ä/b", 'Must not contain "/".'],
    ["this folder", ".", 'Must not be ".", which means another path.'],
    ["the folder above", "..", 'Must not be "..", which means another path.'],
    ["201 characters", "x".repeat(201), "Must have at most 200 characters."],
    ["a line feed", "a\nb", "Must not contain control characters."],
    ["U+0000", "a\0", "Must not contain control characters."],
    ["U+0085", "a\u0085", "Must not contain control characters."],
    ["half a character", "\ud800", "Must be well-formed Unicode."],
  ])("is refused with %s in place of it", async (_name, id, message) => {
    const { status, body } = await send("POST", "/languages", { id, name: "one" })

    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: "VALIDATION_ERROR", fieldErrors: [{ path: "id", message }] })
  })

  test("is refused with a word that the API has in its place", async () => {
    for (const id of ["count", "meta", "schema", "upload", "update-batch", "delete-many", "files", "query"]) {
      const { status, body } = await send("POST", "/languages", { id })

      expect({ id, status }).toEqual({ id, status: 400 })
      expect(body.error.fieldErrors).toEqual([
        { path: "id", message: `Must not be "${id}", which is a path of the API.` },
      ])
    }
  })

  test("is another one in another case, also within one batch", async () => {
    const { languages: client } = app.client().collections
    await client.create({ id: "SK", name: "upper" })
    await client.create({ id: "sk", name: "lower" })

    await client.updateBatch({
      updates: [
        { id: "sk", data: { name: "small" } },
        { id: "SK", data: { name: "large" } },
      ],
    })
    const twice = send("POST", "/languages/update-batch", {
      updates: [
        { id: "sk", data: {} },
        { id: "sk", data: {} },
      ],
    })

    expect(await client.findOne({ where: { id: "SK" } })).toMatchObject({ name: "large" })
    expect(await client.findOne({ where: { id: "sk" } })).toMatchObject({ name: "small" })
    expect(await twice).toMatchObject({ status: 400 })
  })

  test("keeps its id: no change can name it, not even the same one", async () => {
    await system("languages").create({ id: "sk" })

    const single = await send("PATCH", "/languages/sk", { id: "sk" })
    const many = await send("PATCH", "/languages", { where: { id: "sk" }, data: { id: "cs" } })
    const batch = await send("POST", "/languages/update-batch", { updates: [{ id: "sk", data: { id: "cs" } }] })

    const message = "The id of a record never changes."
    expect(single).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: "id", message }] } } })
    expect(many).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: "id", message }] } } })
    expect(batch).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: "updates.0.data.id" }] } } })
    await expect(system("languages").updateById({ id: "sk", data: { id: "cs" } })).rejects.toThrow()
    expect(await system("languages").find()).toMatchObject({ docs: [{ id: "sk" }] })
  })

  test("is made once, however many ask for it at once", async () => {
    const answers = await Promise.all([1, 2, 3, 4].map((n) => send("POST", "/languages", { id: "sk", name: `${n}` })))

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body.error.fieldErrors).toEqual([{ path: "id", message: "Another record has this value already." }])
    expect(app.logged.filter(({ message }) => message.includes("failed"))).toEqual([])
  })

  test("cannot be found where no id can be", async () => {
    const paths = ["/languages/a%2Fb", `/languages/${"x".repeat(201)}`, "/languages/%0A", "/languages/nothing"]

    for (const path of paths) expect(await app.fetch(path)).toMatchObject({ status: 404 })
    expect(await app.fetch("/languages/%ff")).toMatchObject({ status: 400 })
    expect(await send("PATCH", "/languages/files", { name: "x" })).toMatchObject({ status: 404 })
    expect(await app.client().collections["languages"].findOne({ where: { id: "count" } })).toBeNull()
    expect(await app.fetch("/languages?where[id]=a%2Fb")).toMatchObject({ status: 200, body: { docs: [] } })
    expect(await app.fetch("/languages?where[id][in][0]=%00")).toMatchObject({ status: 400 })
  })

  test("keeps its id taken while it is deleted and kept, and gives it free when it is purged", async () => {
    const { kept: client } = app.client().collections
    const { revision } = await client.create({ id: "one" })
    await client.deleteById({ id: "one", expectedRevision: revision })

    const again = await send("POST", "/kept", { id: "one" })
    const restored = await client.restoreById({ id: "one" })
    await client.deleteById({ id: "one" })
    await client.purgeById({ id: "one" })

    expect(again).toMatchObject({ status: 409, body: { error: { fieldErrors: [{ path: "id" }] } } })
    expect(restored).toMatchObject({ id: "one", deletedAt: null })
    expect(await send("POST", "/kept", { id: "one" })).toMatchObject({ status: 201 })
  })

  test("sorts by its id where nothing else tells records apart", async () => {
    for (const id of ["b", "c", "a"]) await system("tags").create({ id, name: "same" })

    expect(ids(await system("tags").find())).toEqual(["a", "b", "c"])
    expect(ids(await system("tags").find({ orderBy: { name: "desc" } }))).toEqual(["c", "b", "a"])
    expect(ids(await system("tags").find({ orderBy: { id: "asc" }, limit: 1, offset: 1 }))).toEqual(["b"])
  })

  test("can be touched by its id", async () => {
    await send("POST", "/touch-two", {})

    const noted = await app.database.query('select record from "_kit_changes" order by id')
    expect(noted).toEqual([{ record: "sk" }, { record: "Sk" }])
    expect(await send("POST", "/touch-none", {})).toMatchObject({ status: 500 })
  })
})

describe("ids that the server makes", () => {
  test("are still its own, and what does not look like one is no id", async () => {
    const id = "01890a5d-ac96-774b-bcce-b302099a8057"

    expect(await send("POST", "/posts", { id, title: "x" })).toMatchObject({
      status: 400,
      body: { error: { fieldErrors: [{ path: "id", message: "This field is kept by the server." }] } },
    })
    expect(await app.fetch("/posts/sk")).toMatchObject({ status: 404 })
    expect(await app.fetch("/posts?where[id]=sk")).toMatchObject({ status: 400 })
  })
})

describe("hooks", () => {
  test("may make the id of a new record, or another one of it", async () => {
    const made = await send("POST", "/made", { title: "From The Title" })
    const changed = await send("POST", "/made", { id: "GIVEN", title: "x" })
    const missing = await send("POST", "/made", {})

    expect(made).toMatchObject({ status: 201, body: { id: "from the title" } })
    expect(changed).toMatchObject({ status: 201, body: { id: "given" } })
    expect(missing).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: "id" }] } } })
    expect(await send("PATCH", "/made/given", { title: "y" })).toMatchObject({ status: 200, body: { title: "y" } })
  })

  test("may not take it away, and may not change that of a record", async () => {
    await send("POST", "/made", { id: "here" })

    expect(await send("POST", "/made", { id: "dropped" })).toMatchObject({ status: 500 })
    expect(await send("PATCH", "/made/here", { title: "moved" })).toMatchObject({ status: 500 })
    expect(ids(await system("made").find())).toEqual(["here"])
  })
})

function ids(page: { docs: readonly { id: string }[] }): string[] {
  return page.docs.map(({ id }) => id)
}
