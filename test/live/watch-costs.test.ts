import { collection } from "kit"
import { afterEach, expect, test, vi } from "vitest"
import { openEvents } from "../support/oracles/live-events.ts"
import { createTestDatabase } from "../support/test-database.ts"
import { testApp } from "../support/worlds/test-app.ts"

const everyone = { read: true, create: true, update: true, delete: true } as const
const ROWS = 100
const ROW_BYTES = 20_000
const MOST_PERCENT = 10

afterEach(() => {
  vi.unstubAllGlobals()
})

test("a list with few columns costs at most a tenth of the bytes of a list with all columns", async () => {
  const articles = collection("articles")
    .fields(({ f }) => ({ title: f.text().required(), status: f.text(), body: f.textarea() }))
    .access(everyone)
  await using app = await testApp({ resources: [articles] })
  const body = "x".repeat(ROW_BYTES)
  const { articles: own } = app.app.system.collections
  const made = await own?.create({ title: "first", body })
  for (let count = 1; count < ROWS; count++) await own?.create({ title: `Article ${count}`, body })
  const topic = { resourceType: "collection", resource: "articles", limit: ROWS }
  const read = { columns: { title: true, status: true } }
  await using stream = await openEvents({
    ...{
      url: app.url,
      topics: [
        { id: "all", ...topic },
        { id: "few", ...topic, read },
      ],
    },
  })
  for (const id of ["all", "few"]) await stream.next("snapshot", ({ topicId }) => topicId === id)

  await own?.updateById({ id: String(made?.["id"]), data: { status: "done" } })
  const [all, few] = await Promise.all(
    ["all", "few"].map((id) => stream.next("snapshot", ({ topicId }) => topicId === id)),
  )

  expect(JSON.stringify(all).length).toBeGreaterThan(ROWS * ROW_BYTES)
  expect((JSON.stringify(few).length / JSON.stringify(all).length) * 100).toBeLessThanOrEqual(MOST_PERCENT)
})

test("a count runs again for a record that enters or leaves, and for no other", async () => {
  const posts = collection("posts")
    .fields(({ f }) => ({
      title: f.text().required(),
      status: f.text().default("open"),
      // Counts how often the record is read.
      read: f.virtual(f.number().integer(), "case when nextval('reads') > 0 then 1 end"),
    }))
    .access(everyone)
  const database = await createTestDatabase()
  await using _dropped = { [Symbol.asyncDispose]: () => database.drop() }
  await database.query("create sequence reads")
  await using app = await testApp({ resources: [posts], config: { db: { url: database.url } } })
  const reads = async () => Number((await database.query("select last_value from reads"))[0]?.["last_value"])
  const { posts: own } = app.client().collections
  const { id } = await own.create({ title: "first" })
  const [where, read] = [{ OR: [{ read: 2 }, { status: "open" }] }, { operation: "count" }]
  const topic = { resourceType: "collection", resource: "posts" }
  await using stream = await openEvents({
    ...{
      url: app.url,
      topics: [
        { id: "count", ...topic, where, read },
        { id: "list", ...topic, read: { columns: { title: true } } },
      ],
    },
  })
  const next = (topicId: string) => stream.next("snapshot", (event) => event.topicId === topicId)
  await Promise.all([next("count"), next("list")])

  const before = await reads()
  await own.updateById({ id, data: { title: "second" } })
  // The list shows the change, so the count has seen it, too.
  await next("list")
  await own.updateById({ id, data: { status: "done" } })
  const { data } = await next("count")

  // Each write reads its record once, to answer, and the count has run once.
  expect((await reads()) - before).toBe(3)
  expect(data).toEqual({ count: 0 })
})

test("a page that was never shown has no stream, and shows what is current when it is", async () => {
  const posts = collection("posts")
    .fields(({ f }) => ({ title: f.text().required() }))
    .access(everyone)
  await using app = await testApp({ resources: [posts] })
  const page = Object.assign(new EventTarget(), { visibilityState: "hidden" })
  vi.stubGlobal("document", page)
  const requested: string[] = []
  const client = app.client(undefined, {
    fetch: (url, init) => {
      requested.push(String(url))
      return fetch(url, init)
    },
  })
  const counts: number[] = []

  client.collections["posts"].total.watch({}, (count: number) => counts.push(count))
  await client.collections["posts"].create({ title: "One" })
  const whileHidden = requested.filter((url) => url.endsWith("/realtime"))
  page.visibilityState = "visible"
  page.dispatchEvent(new Event("visibilitychange"))
  await vi.waitFor(() => expect(counts).toEqual([1]), { timeout: 60_000 })
  client.realtime.destroy()

  expect(whileHidden).toEqual([])
})
