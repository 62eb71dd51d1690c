import { collection, global } from "kit"
import { buildCollectionTopic, type QuestpieClientError } from "kit/client"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text().required().localized(),
    at: f.datetime(),
    size: f.number().bigint(),
    author: f.relation("people"),
    secret: f.text().hidden(),
  }))
  .access({ read: true, create: true, update: true, delete: true })
const people = collection("people")
  .fields(({ f }) => ({ name: f.text().required() }))
  .access({ read: true, create: true, update: true })
const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text().required() }))
  .access({ read: ({ session }) => session !== null, create: true })
const settings = global("settings")
  .fields(({ f }) => ({ motto: f.text() }))
  .access({ read: true, update: true })

const WAIT = { timeout: 60_000 }
const locales = { default: "en", all: ["en", "sk"] }

let app: TestApp
let client: ReturnType<TestApp["client"]>

beforeAll(async () => {
  app = await testApp({ resources: [posts, people, notes, settings], config: { locales } })
})

afterAll(() => app[Symbol.asyncDispose]())

beforeEach(async () => {
  await app.database.query('truncate posts, people, notes, "global_settings" cascade')
  client = app.client()
})

afterEach(() => client.realtime.destroy())

const titles = (page: any): string[] => page.docs.map(({ title }: { title: string }) => title)

describe("a client that follows a collection", () => {
  test("has what find answers, with dates and big integers, and has it again when it changes", async () => {
    const { posts, people } = client.collections
    const author = await people.create({ name: "Eva" })
    await posts.create({ title: "One", at: new Date(0), size: 2n ** 60n, author: author.id })
    const options = {
      where: { at: { gte: new Date(0) }, author: author.id },
      with: { author: true },
      orderBy: { title: "asc" },
    }
    const pages: any[] = []

    const stop = posts.live(options, (page: any) => pages.push(page))
    await vi.waitFor(() => expect(pages).toHaveLength(1), WAIT)
    await posts.create({ title: "Two", at: new Date(1), author: author.id })
    await vi.waitFor(async () => expect(pages.at(-1)).toEqual(await posts.find(options)), WAIT)
    await people.update({ id: author.id, data: { name: "Eva B." } })
    await vi.waitFor(() => expect(pages.at(-1).docs[0].author.name).toBe("Eva B."), WAIT)
    stop()

    expect(pages[0].docs[0]).toMatchObject({ at: new Date(0), size: 2n ** 60n })
    expect(titles(pages.at(-1))).toEqual(["One", "Two"])
    expect(client.realtime.subscriberCount).toBe(0)
  })

  test("keeps a condition that is null", async () => {
    const { posts } = client.collections
    await posts.create({ title: "Undated" })
    await posts.create({ title: "Dated", at: new Date(0) })

    const { value } = await posts.liveIter({ where: { at: null } }).next()

    expect(titles(value)).toEqual(["Undated"])
  })

  test("takes on and drops topics on one stream", async () => {
    const { posts, people } = client.collections
    const fetch = vi.fn(globalThis.fetch)
    client.realtime.destroy()
    client = app.client(undefined, { fetch })
    const heard: Record<string, any> = {}

    client.collections["posts"].live({}, (page: any) => Object.assign(heard, { posts: page.totalDocs }))
    await vi.waitFor(() => expect(heard["posts"]).toBe(0), WAIT)
    const stop = client.collections["people"].live({}, (page: any) => Object.assign(heard, { people: page.totalDocs }))
    client.globals["settings"].live({}, (record: any) => Object.assign(heard, { motto: record?.motto ?? "none" }))
    await vi.waitFor(() => expect(heard).toEqual({ posts: 0, people: 0, motto: "none" }), WAIT)
    stop()
    await client.globals["settings"].update({ motto: "On" })
    await people.create({ name: "Eva" })
    await posts.create({ title: "One" })
    await vi.waitFor(() => expect(heard).toEqual({ posts: 1, people: 0, motto: "On" }), WAIT)

    const bodies = fetch.mock.calls.filter(([url]) => String(url).endsWith("/realtime")).map(([, init]) => init?.body)
    expect(bodies.filter((body) => !String(body).includes("sessionId"))).toHaveLength(1)
  })

  test("has the locale that was set when it began", async () => {
    const { posts } = client.collections
    const post = await posts.create({ title: "Bread" })
    await posts.update({ id: post.id, data: { title: "Chlieb" } }, { locale: "sk" })
    const seen: string[] = []
    const follow = (options: object) => posts.live(options, (page: any) => seen.push(...titles(page)))
    const loose = client as unknown as { setLocale(locale: string): void }

    loose.setLocale("sk")
    follow({})
    loose.setLocale("en")
    follow({ limit: 1 })
    await vi.waitFor(() => expect(seen.sort()).toEqual(["Bread", "Chlieb"]), WAIT)
  })

  test("has the language that its header likes best, as a find has", async () => {
    await client.collections["posts"].create({ title: "Bread" })
    client.realtime.destroy()
    client = app.client(undefined, { headers: { "accept-language": "sk-SK" } })
    const { posts } = client.collections

    const { value } = await posts.liveIter({}).next()

    expect(value).toEqual(await posts.find())
  })

  test("is told what is wrong with a topic, and the others go on", async () => {
    const { posts } = client.collections
    const errors: QuestpieClientError[] = []
    const pages: any[] = []

    posts.live({ where: { secret: "x" } }, () => {}, { onError: (error: QuestpieClientError) => errors.push(error) })
    posts.live({}, (page: any) => pages.push(page))
    await vi.waitFor(() => expect([errors.length, pages.length]).toEqual([1, 1]), WAIT)
    const iterator = client.collections["nothing"].liveIter({})

    expect(errors[0]).toMatchObject({ name: "QuestpieClientError", status: 400, code: "VALIDATION_ERROR" })
    await expect(iterator.next()).rejects.toMatchObject({ name: "QuestpieClientError", code: "NOT_FOUND" })
    expect(client.realtime.topicCount).toBe(1)
  })

  test("has nothing that it may not read", async () => {
    const iterator = client.realtime.stream(buildCollectionTopic("notes"))

    await expect(iterator.next()).rejects.toMatchObject({ status: 401 })
  })
})
