import { collection, global } from "kit"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type BrowserWorld, browserWorld, type OpenPage } from "./support/browser-world.ts"

const everybody = { read: true, create: true, update: true, delete: true }
const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text(20).required(),
    at: f.datetime(),
    size: f.number().bigint(),
    tags: f.array(f.text(20)),
    author: f.relation("people"),
  }))
  .access(everybody)
const people = collection("people")
  .fields(({ f }) => ({ name: f.text(20).required(), born: f.datetime() }))
  .access(everybody)
const settings = global("settings")
  .fields(({ f }) => ({ motto: f.text(), since: f.datetime() }))
  .access({ read: true, update: true })

let world: BrowserWorld
let kit: OpenPage["kit"]

beforeAll(async () => {
  world = await browserWorld({ collections: [posts, people, settings] })
  kit = (await world.open()).kit
})

afterAll(() => world[Symbol.asyncDispose]())

beforeEach(async () => {
  await world.database.query('truncate posts, people, "global_settings" cascade')
})

describe("records in a page", () => {
  test("are written and read with their dates and big integers", async () => {
    const seen = await kit.evaluate(async ({ client }) => {
      const { posts, people } = client.collections
      const author = await people.create({ name: "Eva", born: new Date(0) })
      const created = await posts.create({ title: "One", at: new Date(5), size: 2n ** 62n, author: author.id })
      const where = { at: { gte: new Date(5) }, size: 2n ** 62n }
      const { docs } = await posts.find({ where, with: { author: true } })
      const [found] = docs
      return {
        found,
        isSame: created.id === found.id,
        kinds: [found.at instanceof Date, typeof found.size, found.author.born instanceof Date],
      }
    })

    expect(seen.kinds).toEqual([true, "bigint", true])
    expect(seen.isSame).toBe(true)
    expect(seen.found).toMatchObject({ at: new Date(5), size: 2n ** 62n, author: { born: new Date(0) } })
  })

  test("are changed, counted and deleted, one by one and many at once", async () => {
    const seen = await kit.evaluate(async ({ client }) => {
      const { posts } = client.collections
      const { id } = await posts.create({ title: "One", tags: ["a"] })
      await posts.create({ title: "Two" })
      const updated = await posts.update({ id, data: { at: new Date(7), tags: ["a", "b"] } })
      const many = await posts.updateMany({ where: { title: "Two" }, data: { size: 3n } })
      const deleted = await posts.delete({ id })
      return {
        updated,
        sizes: many.map(({ size }: { size: bigint }) => size),
        isDeleted: deleted.success,
        gone: await posts.findOne({ where: { id } }),
        left: await posts.count(),
      }
    })

    expect(seen).toMatchObject({
      updated: { title: "One", at: new Date(7), tags: ["a", "b"] },
      sizes: [3n],
      isDeleted: true,
      gone: null,
      left: 1,
    })
  })

  test("are found by a filter that no URL can hold", async () => {
    const found = await kit.evaluate(async ({ client }) => {
      const { posts } = client.collections
      await posts.create({ title: "One" })
      const others = Array.from({ length: 2_000 }, (_, index) => `none of these ${index}`)
      return posts.find({ where: { title: { in: [...others, "One"] } } })
    })

    expect(found.docs).toMatchObject([{ title: "One" }])
  })

  test("are never what the browser has kept of an earlier answer", async () => {
    const find = () => kit.evaluate(({ client }) => client.collections["posts"].find())

    const before = await find()
    await world.app.system.collections["posts"]?.create({ title: "New" } as never)
    const after = await find()

    expect([before.totalDocs, after.totalDocs]).toEqual([0, 1])
  })

  test("of a global are null before they are written", async () => {
    const seen = await kit.evaluate(async ({ client: { globals } }) => [
      await globals["settings"].get(),
      await globals["settings"].update({ motto: "On", since: new Date(9) }),
      await globals["settings"].get(),
    ])

    expect(seen).toMatchObject([null, { motto: "On" }, { motto: "On", since: new Date(9) }])
  })
})

describe("what a page is told when something is wrong", () => {
  test("names the fields", async () => {
    const failure = await kit.evaluate(({ client, QuestpieClientError }) =>
      client.collections["posts"].create({ title: "longer than twenty characters", size: "many" }).catch(
        (error: unknown) =>
          error instanceof QuestpieClientError && {
            isError: error instanceof Error,
            status: error.status,
            isInvalid: error.isCode("VALIDATION_ERROR"),
            fields: Object.keys(error.getFieldErrorsMap()).sort(),
            title: error.getFieldError("title")?.message,
            requestId: error.requestId,
          },
      ),
    )

    expect(failure).toEqual({
      isError: true,
      status: 400,
      isInvalid: true,
      fields: ["size", "title"],
      title: expect.stringContaining("20"),
      requestId: expect.stringMatching(/\S/),
    })
  })

  test("says where to look when nobody answers", async () => {
    const failure = await kit.evaluate(({ newClient }) =>
      newClient({ baseURL: "http://127.0.0.1:1" })
        .collections["posts"].find({ where: { title: "secret" } })
        .catch(({ name, status, message }: any) => ({ name, status, message })),
    )

    expect(failure).toMatchObject({ name: "QuestpieClientError", status: 0 })
    expect(failure.message).toMatch(/^No answer from http:\/\/127\.0\.0\.1:1\/api\/posts: .*baseURL right, CORS set/)
  })
})
