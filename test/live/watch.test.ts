import { collection, global } from "kit"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { openEvents } from "../support/oracles/live-events.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ALL = { read: true, create: true, update: true, delete: true } as const

const people = collection("people")
  .fields(({ f }) => ({ name: f.text().required() }))
  .access(ALL)
const articles = collection("articles")
  .fields(({ f }) => ({
    title: f.text().required().localized(),
    status: f.select(["open", "done"]).default("open"),
    words: f.number().integer().default(0),
    author: f.relation("people").onDelete("setNull"),
    isLong: f.computed(({ row }) => Number(row["words"]) > 100),
  }))
  .title("title")
  .options({ softDelete: true, timestamps: false })
  .searchable({
    with: { author: true },
    content: ({ author }: { author: { name: string } | null }) => author?.name,
  })
  .access({ ...ALL, delete: ({ session }) => session?.user.role === "editor" })
const pages = collection("pages")
  .fields(({ f }) => ({ title: f.text().required() }))
  .options({ workflow: true })
  .access({ ...ALL, transition: true, drafts: ({ session }) => session !== null })
const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text().required(), isOpen: f.boolean().default(false), secret: f.text().hidden() }))
  .access({ ...ALL, read: () => ({ isOpen: true }) })
const settings = global("settings")
  .fields(({ f }) => ({ motto: f.text(), color: f.text() }))
  .access({ read: true, update: true })

const WAIT = { timeout: 60_000 }
const EDITOR = { user: { id: "u1", email: "u1@example.com", role: "editor" } }

let app: TestApp
let client: ReturnType<TestApp["client"]>
let editor: ReturnType<TestApp["client"]>

beforeAll(async () => {
  const locales = { default: "en", all: ["en", "sk"] }
  app = await testApp({ resources: [people, articles, pages, notes, settings], config: { locales } })
})

afterAll(() => app[Symbol.asyncDispose]())

beforeEach(async () => {
  await app.database.query('truncate people, articles, pages, notes, "global_settings" cascade')
  client = app.client()
  editor = app.client(EDITOR)
})

afterEach(() => {
  client.realtime.destroy()
  editor.realtime.destroy()
})

/** Follows a handle, and waits until it shows what the read answers. */
function follow(handle: any, options: object | undefined, read: () => Promise<unknown>) {
  const shown: unknown[] = []
  const errors: Error[] = []
  const stop = handle.watch(options, (given: unknown) => shown.push(given), {
    onError: (error: Error) => errors.push(error),
  })
  return {
    shown,
    errors,
    stop,
    agrees: async () => {
      await vi.waitFor(async () => expect(shown.at(-1)).toEqual(await read()), WAIT)
      return shown.at(-1)
    },
  }
}

async function failureOf(handle: any, options: object): Promise<Error> {
  const errors: Error[] = []
  handle.watch(options, () => {}, { onError: (error: Error) => errors.push(error) })
  return await vi.waitFor(() => {
    expect(errors).not.toEqual([])
    return errors[0] as Error
  }, WAIT)
}

describe("a watched list", () => {
  test("has the columns, the locale without fallback and the page that find answers with these options", async () => {
    const { articles } = client.collections
    for (const title of ["A", "B", "C"]) await articles.create({ title, words: 200 })
    const options = {
      columns: { title: true, isLong: true },
      orderBy: { title: "asc" },
      locale: "sk",
      localeFallback: false,
      page: 2,
      limit: 2,
      total: false,
    }
    const list = follow(articles, options, () => articles.find(options))

    await list.agrees()
    await articles.create({ title: "D" })
    const page: any = await list.agrees()

    expect(page.docs.map(Object.keys)).toEqual([
      ["id", "title", "isLong"],
      ["id", "title", "isLong"],
    ])
    expect(page).toMatchObject({ docs: [{ title: null }, { title: null }], totalDocs: -1, page: 2 })
  })

  test("has the groups that find answers with groupBy, and counts a record that changes its group", async () => {
    const { articles } = client.collections
    const one = await articles.create({ title: "One" })
    await articles.create({ title: "Two" })
    const options = { groupBy: { field: "status", docs: 1 }, columns: { title: true }, orderBy: { id: "asc" } }
    const list = follow(articles, options, () => articles.find(options))

    await list.agrees()
    await articles.updateById({ id: one.id, data: { status: "done" } })
    const { groups }: any = await list.agrees()

    expect(groups.map(({ key, count }: any) => [key, count])).toEqual([
      ["done", 1],
      ["open", 1],
    ])
  })

  test("follows a search, also through the content that is made of related records", async () => {
    const { articles, people } = client.collections
    const eva = await people.create({ name: "Eva" })
    const one = await articles.create({ title: "River flood", author: eva.id })
    const byTitle = follow(articles, { search: "flood" }, () => articles.find({ search: "flood" }))
    const byContent = follow(articles, { search: "lucia" }, () => articles.find({ search: "lucia" }))
    await byTitle.agrees()
    await byContent.agrees()

    await people.updateById({ id: eva.id, data: { name: "Lucia" } })
    const found: any = await byContent.agrees()
    await articles.updateById({ id: one.id, data: { title: "River" } })
    const none: any = await byTitle.agrees()

    expect([found.totalDocs, none.totalDocs]).toEqual([1, 0])
  })

  test("has a named stage, as far as the caller may read it", async () => {
    const { pages } = editor.collections
    const one = await pages.create({ title: "One" })
    const options = { stage: "published", columns: { title: true } }
    const published = follow(client.collections["pages"], options, () => client.collections["pages"].find(options))
    const drafts = follow(pages, { stage: "draft" }, () => pages.find({ stage: "draft" }))
    await published.agrees()
    await drafts.agrees()

    await pages.transitionStage({ id: one.id, stage: "published" })
    await pages.updateById({ id: one.id, data: { title: "Other" } })
    const [draft, shown]: any[] = [await drafts.agrees(), await published.agrees()]
    const refused = await failureOf(client.collections["pages"], { stage: "draft" })

    expect([draft.docs[0].title, shown.docs[0].title]).toEqual(["Other", "One"])
    expect(refused).toMatchObject({ code: "UNAUTHORIZED" })
  })

  test("includes deleted records for those who may delete them, and is refused to others", async () => {
    const { articles } = editor.collections
    const one = await articles.create({ title: "One" })
    const options = { includeDeleted: true }
    const all = follow(articles, options, () => articles.find(options))
    const count = follow(articles.total, options, () => articles.count(options))
    const active = follow(articles.total, {}, () => articles.count())
    for (const each of [all, count, active]) await each.agrees()

    await articles.deleteById({ id: one.id })
    const { docs }: any = await all.agrees()
    const refused = await failureOf(client.collections["articles"], options)
    await app.app.system.collections["articles"]?.purgeById({ id: one.id })

    expect(docs[0].deletedAt).toBeInstanceOf(Date)
    expect(refused).toMatchObject({ code: "UNAUTHORIZED" })
    expect([await count.agrees(), await active.agrees()]).toEqual([0, 0])
  })
})

describe("a watched count", () => {
  test("changes with the records that enter and leave, and with no other", async () => {
    const { articles } = client.collections
    const where = { status: "open", words: { gt: 5 } }
    const [one, two] = [await articles.create({ title: "One", words: 9 }), await articles.create({ title: "Two" })]
    const count = follow(articles.total, { where }, () => articles.count({ where }))
    const first = await count.agrees()

    await articles.updateById({ id: two.id, data: { words: 6 } })
    const second = await count.agrees()
    await articles.updateById({ id: one.id, data: { words: 10, title: "Uno" } })
    await articles.updateById({ id: one.id, data: { status: "done" } })
    const third = await count.agrees()

    expect([first, second, third]).toEqual([1, 2, 1])
    expect(count.shown).toEqual([1, 2, 1])
  })
})

describe("a watched record", () => {
  test("is null until it exists and may be read, and null again after that", async () => {
    const { notes } = client.collections
    const made = await app.app.system.collections["notes"]?.create({ text: "One", secret: "x" })
    const id = String(made?.["id"])
    const record = follow(notes.record(id), { columns: { text: true } }, () =>
      notes.findOne({ where: { id }, columns: { text: true } }),
    )
    const first = await record.agrees()

    await app.app.system.collections["notes"]?.updateById({ id, data: { isOpen: true } })
    const second = await record.agrees()
    await app.app.system.collections["notes"]?.deleteById({ id })
    const third = await record.agrees()

    expect([first, second, third]).toEqual([null, { id, text: "One" }, null])
  })

  test("shows its related records, and is null for an id that no record can have", async () => {
    const { articles, people } = client.collections
    const eva = await people.create({ name: "Eva" })
    const { id } = await articles.create({ title: "One", author: eva.id })
    const options = { with: { author: true } }
    const record = follow(articles.record(id), options, () => articles.findOne({ where: { id }, ...options }))
    const none = follow(articles.record("no id"), options, async () => null)
    await record.agrees()

    await people.updateById({ id: eva.id, data: { name: "Eve" } })
    const shown: any = await record.agrees()

    expect(shown.author.name).toBe("Eve")
    expect(await none.agrees()).toBe(null)
  })
})

describe("a watched global", () => {
  test("has the columns that get answers", async () => {
    const { settings } = client.globals
    const options = { columns: { motto: true } }
    const record = follow(settings, options, () => settings.get(options))
    const first = await record.agrees()

    await settings.update({ motto: "Onwards", color: "red" })
    const second: any = await record.agrees()

    expect(first).toBe(null)
    expect(second).toMatchObject({ motto: "Onwards" })
    expect(second).not.toHaveProperty("color")
  })
})

describe("a read that find would refuse", () => {
  const record = { operation: "record" }
  test.each([
    ["an unknown column", { columns: { titel: true } }, "columns.titel", "title"],
    ["an unknown option", { colums: {} }, "colums", "columns"],
    ["a wrong page", { page: 0 }, "page", "whole number"],
    ["a wrong flag", { total: "perhaps" }, "total", "true, false"],
    ["groups of one record", { ...record, id: "x", groupBy: "status" }, "groupBy", "Only a list"],
    ["groups of a count", { operation: "count", groupBy: "status" }, "groupBy", "Only a list"],
    ["an unknown operation", { operation: "sum" }, "read.operation", '"find", "count", "aggregate" or "record"'],
    ["a record without an id", record, "read.id", "Expected the id"],
    ["an id that is not a text", { ...record, id: 7 }, "read.id", "Expected the id"],
    ["an id of a list", { id: "x" }, "read.id", "Only the operation"],
    ["a stage of a collection without stages", { stage: "draft" }, "stage", "has no stages"],
    ["a search that is not a text", { search: 7 }, "search", "Expected well-formed text"],
  ])("is %s", async (_name, read, path, reason) => {
    const topic = { id: "t", resourceType: "collection", resource: "articles", read }
    const well = { id: "well", resourceType: "collection", resource: "people" }
    await using stream = await openEvents({ url: app.url, topics: [topic, well] })

    const { topicId, code, message } = await stream.next("error")
    const { data } = await stream.next("snapshot")

    expect({ topicId, code }).toEqual({ topicId: "t", code: "VALIDATION_ERROR" })
    expect(message).toContain(path)
    expect(message).toContain(reason)
    expect(data).toMatchObject({ docs: [] })
  })

  test.each([
    ["columns of a count that the caller may not read", { operation: "count", columns: { secret: true } }],
    ["columns of a list that the caller may not read", { columns: { secret: true } }],
  ])("does not tell of hidden fields: %s", async (_name, read) => {
    const topic = { id: "t", resourceType: "collection", resource: "notes" }
    await using stream = await openEvents({ url: app.url, topics: [{ ...topic, read }] })
    await using other = await openEvents({
      ...{ url: app.url, topics: [{ ...topic, read: JSON.parse(JSON.stringify(read).replace("secret", "sacred")) }] },
    })

    const { message } = await stream.next("error")

    expect(message.replaceAll("secret", "sacred")).toBe((await other.next("error")).message)
  })

  test.each([
    ["not an object", { read: "count" }, "topics.0.read"],
    ["an option that belongs into the topic", { read: { where: {} } }, "topics.0.read.where"],
  ])("is refused with 400 if it is %s", async (_name, members, path) => {
    const topics = [{ id: "t", resourceType: "collection", resource: "articles", ...members }]
    const { status, body } = await app.fetch("/realtime", { method: "POST", body: JSON.stringify({ topics }) })

    expect(status).toBe(400)
    expect(body.error.fieldErrors).toEqual([expect.objectContaining({ path })])
  })

  test.each([{ operation: "find" }, { id: "1" }, { where: {} }])("is %o of a global", async (read) => {
    const topic = { id: "t", resourceType: "global", resource: "settings", read }
    await using stream = await openEvents({ url: app.url, topics: [topic] })

    expect(await stream.next("error")).toMatchObject({ code: "VALIDATION_ERROR" })
  })
})
