import { collection, global } from "kit"
import { type LiveResult, useLive } from "kit/react"
import { memo, StrictMode } from "react"
import { renderToString } from "react-dom/server"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { clientOf } from "./support/client-of.ts"
import { Network } from "./support/network.ts"
import { type Mounted, mount } from "./support/page.ts"
import { Probe } from "./support/probe.tsx"

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text().required().localized(), at: f.datetime(), size: f.number().bigint() }))
  .access({ read: true, create: true, update: true, delete: true })
const secrets = collection("secrets")
  .fields(({ f }) => ({ text: f.text() }))
  .access({ read: ({ session }) => session !== null, create: true })
const settings = global("settings")
  .fields(({ f }) => ({ motto: f.text() }))
  .access({ read: true, update: true })

const WAIT = { timeout: 20_000 }
const ROWS = 1_000

let app: TestApp
let network: Network
let client: ReturnType<typeof newClient>
let shown: Mounted | undefined

const newClient = () => clientOf<"posts" | "secrets", "settings">(app, { fetch: network.fetch })

beforeAll(async () => {
  const locales = { default: "en", all: ["en", "sk"] }
  app = await testApp({ resources: [posts, secrets, settings], config: { locales } })
})

afterAll(() => app[Symbol.asyncDispose]())

beforeEach(async () => {
  await app.database.query('truncate posts, secrets, "global_settings" cascade')
  network = new Network()
  client = newClient()
})

afterEach(() => {
  shown?.unmount()
  shown = undefined
  client.realtime.destroy()
})

interface Post {
  readonly id?: unknown
  readonly title?: unknown
}

const titles = ({ docs }: { readonly docs: readonly Post[] }) => docs.map(({ title }) => title)
const BY_TITLE = { orderBy: { title: "asc" } } as const

test("a live list shows what is stored, then every change, and follows nothing after it was unmounted", async () => {
  const { posts } = client.collections
  await posts.create({ title: "One" })

  const page = mount(
    <StrictMode>
      <Probe useResult={() => useLive(posts, BY_TITLE, { select: titles }).data} />
    </StrictMode>,
  )
  await vi.waitFor(() => expect(page.text).toBe('["One"]'), WAIT)
  await posts.create({ title: "Two" })
  await vi.waitFor(() => expect(page.text).toBe('["One","Two"]'), WAIT)
  const topics = client.realtime.topicCount
  page.unmount()

  expect(topics).toBe(1)
  expect(network.requestsTo("/realtime")).toHaveLength(1)
  await vi.waitFor(() => expect(client.realtime.topicCount).toBe(0), WAIT)
})

test("a result says what is going on: pending, live, stale while the connection is away, and live again", async () => {
  const { posts } = client.collections
  await posts.create({ title: "One" })
  const results: LiveResult<unknown>[] = []

  shown = mount(
    <Probe
      useResult={() => useLive(posts, BY_TITLE, { select: titles })}
      onCommit={(result) => results.push(result)}
    />,
  )
  await vi.waitFor(() => expect(results.at(-1)?.status).toBe("live"), WAIT)
  network.cut()
  await vi.waitFor(() => expect(results.at(-1)?.status).toBe("stale"), WAIT)
  const away = results.at(-1)
  network.repair()
  await vi.waitFor(() => expect(results.at(-1)?.status).toBe("live"), WAIT)

  expect(results[0]).toEqual({
    status: "pending",
    data: undefined,
    error: undefined,
    isLive: false,
    updatedAt: undefined,
  })
  expect(results[1]).toMatchObject({ data: ["One"], isLive: true, updatedAt: expect.any(Date) })
  expect(away).toMatchObject({ data: ["One"], isLive: false })
  expect(results.at(-1)).toMatchObject({ data: ["One"], isLive: true })
  expect(results.at(-1)?.data).toBe(results[1]?.data)
})

test("a record, a number and a global are live, too, and so is every option of find", async () => {
  const { posts } = client.collections
  const { settings } = client.globals
  const id = String((await posts.create({ title: "One", size: 7n }))["id"])
  const latest: Record<string, unknown> = {}
  const noting = (name: string, useResult: () => LiveResult<unknown>) => (
    <Probe
      useResult={useResult}
      onCommit={({ data }) => {
        latest[name] = data
      }}
    />
  )

  shown = mount(
    <>
      {noting("record", () => useLive(posts.record(id), { columns: { size: true } }))}
      {noting("total", () => useLive(posts.total, { where: { title: { like: "O%" } } }))}
      {noting("global", () => useLive(settings, {}, { select: (record) => record?.["motto"] ?? "none" }))}
      {noting("groups", () => useLive(posts, { groupBy: "size", columns: { size: true }, total: false }))}
    </>,
  )
  await vi.waitFor(() => expect(latest).toMatchObject({ record: { id, size: 7n }, total: 1, global: "none" }), WAIT)
  await posts.create({ title: "Other" })
  await posts.update({ id, data: { size: 8n } })
  await settings.update({ motto: "All the news" })
  await vi.waitFor(
    () => expect(latest).toMatchObject({ record: { id, size: 8n }, total: 2, global: "All the news" }),
    WAIT,
  )

  await vi.waitFor(
    async () =>
      expect(latest["groups"]).toEqual(await posts.find({ groupBy: "size", columns: { size: true }, total: false })),
    WAIT,
  )
})

test("50 components with one query, whose options are written in any order, share one topic", async () => {
  const { posts } = client.collections
  await posts.create({ title: "One" })
  const orders = [
    { where: { title: "One" }, limit: 3 },
    { limit: 3, where: { title: "One" } },
  ]

  const page = mount(
    [...Array(50).keys()].map((number) => (
      <Probe key={number} useResult={() => useLive(posts, orders[number % 2], { select: titles }).data} />
    )),
  )
  await vi.waitFor(() => expect(page.text).toBe('["One"]'.repeat(50)), WAIT)
  const topics = [client.realtime.topicCount, client.realtime.subscriberCount]
  page.unmount()

  expect(topics).toEqual([1, 1])
  await vi.waitFor(() => expect(client.realtime.subscriberCount).toBe(0), WAIT)
})

const Row = memo(function Row({ post, onRender }: { post: Post; onRender(id: unknown): void }) {
  onRender(post.id)
  return <li>{String(post.title)}</li>
})

function Rows({ onRender }: { onRender(id: unknown): void }) {
  const { data } = useLive(client.collections.posts, { orderBy: { title: "asc" }, limit: ROWS })
  return data?.docs.map((post) => <Row key={String(post["id"])} post={post} onRender={onRender} />)
}

test("one changed row of 1,000 renders one row again: dates and big numbers of the others are equal", async () => {
  const { posts } = client.collections
  await app.database.query(
    `insert into posts (id, title, at, size, "createdAt", "updatedAt")
     select gen_random_uuid(), jsonb_build_object('en', 'Post ' || lpad(n::text, 4, '0')), now(), n, now(), now()
     from generate_series(1, ${ROWS}) n`,
  )
  const { docs } = await posts.find({ ...BY_TITLE, limit: 1 })
  const rendered: unknown[] = []

  shown = mount(<Rows onRender={(id) => rendered.push(id)} />)
  await vi.waitFor(() => expect(new Set(rendered).size).toBe(ROWS), WAIT)
  rendered.length = 0
  await posts.update({ id: String(docs[0]?.["id"]), data: { title: "Changed" } })
  await vi.waitFor(() => expect(shown?.text).toContain("Changed"), WAIT)

  expect(rendered).toEqual([docs[0]?.["id"]])
})

describe("options", () => {
  test("that change keep the old data until the new data is there, unless `keep` is false", async () => {
    const { posts } = client.collections
    await posts.create({ title: "One" })
    await posts.create({ title: "Two" })
    const kept: unknown[] = []
    const dropped: unknown[] = []
    const node = (title: string) => (
      <>
        <Probe
          useResult={() => useLive(posts, { where: { title } }, { select: titles })}
          onCommit={({ status, data }) => kept.push([status, data])}
        />
        <Probe
          useResult={() => useLive(posts, { where: { title } }, { select: titles, keep: false })}
          onCommit={({ status, data }) => dropped.push([status, data])}
        />
      </>
    )

    shown = mount(node("One"))
    await vi.waitFor(() => expect(kept.at(-1)).toEqual(["live", ["One"]]), WAIT)
    shown.render(node("Two"))
    await vi.waitFor(() => expect(kept.at(-1)).toEqual(["live", ["Two"]]), WAIT)

    expect(unrepeated(kept)).toEqual([
      ["pending", undefined],
      ["live", ["One"]],
      ["pending", ["One"]],
      ["live", ["Two"]],
    ])
    expect(unrepeated(dropped)[2]).toEqual(["pending", undefined])
    await vi.waitFor(() => expect(client.realtime.topicCount).toBe(1), WAIT)
  })

  test("that are null read nothing", async () => {
    const { posts } = client.collections
    const results: unknown[] = []

    shown = mount(<Probe useResult={() => useLive(posts, null)} onCommit={(result) => results.push(result)} />)
    await vi.waitFor(() => expect(results).toHaveLength(1), WAIT)

    expect(results).toEqual([
      { status: "idle", data: undefined, error: undefined, isLive: false, updatedAt: undefined },
    ])
    expect(client.realtime.subscriberCount).toBe(0)
  })

  test("that cannot be sent are refused at the call", () => {
    const { posts } = client.collections

    expect(errorOf(() => useLive(posts, { where: { title: undefined } }))).toContain("title")
    expect(errorOf(() => useLive(posts, { limit: Number.NaN }))).toContain("limit")
  })
})

test.each([
  ["undefined", undefined],
  ["null", null],
  ["a value of type object", { docs: [] }],
  ["a value of type function", () => {}],
])("a first argument that is %s is refused with what to pass", (description, handle) => {
  // The cast is safe: the call is expected to fail.
  expect(errorOf(() => useLive(handle as never))).toBe(
    `TypeError: The first argument of useLive is ${description}, not a handle. ` +
      "Handles are client.collections.<name>, its record(id) and total, and client.globals.<name>.",
  )
})

test("`initial` is shown until the first result has arrived", async () => {
  const { settings } = client.globals
  const results: unknown[] = []

  shown = mount(
    <Probe
      useResult={() => useLive(settings, {}, { initial: { motto: "Soon" } })}
      onCommit={({ status, data }) => results.push([status, data])}
    />,
  )
  await vi.waitFor(() => expect(results).toHaveLength(2), WAIT)

  expect(results).toEqual([
    ["pending", { motto: "Soon" }],
    ["live", null],
  ])
})

describe("select", () => {
  test("renders again only if the selected part has changed", async () => {
    const { posts } = client.collections
    const first = await posts.create({ title: "One" })
    const commits: unknown[] = []

    shown = mount(
      <Probe
        useResult={() => useLive(posts, BY_TITLE, { select: ({ docs }) => ({ count: docs.length }) })}
        onCommit={({ data }) => commits.push(data)}
      />,
    )
    await vi.waitFor(() => expect(commits.at(-1)).toEqual({ count: 1 }), WAIT)
    await posts.update({ id: String(first["id"]), data: { title: "Uno" } })
    await posts.create({ title: "Two" })
    await vi.waitFor(() => expect(commits.at(-1)).toEqual({ count: 2 }), WAIT)

    expect(commits).toEqual([undefined, { count: 1 }, { count: 2 }])
  })

  test("that never returns an equal value does not render for ever", async () => {
    const { posts } = client.collections
    await posts.create({ title: "One" })
    let renders = 0
    const numbered = () => ({ number: ++renders, again: () => renders })

    shown = mount(<Probe useResult={() => useLive(posts, BY_TITLE, { select: () => numbered() })} />)
    await vi.waitFor(() => expect(shown?.text).toContain('"live"'), WAIT)
    const after = renders
    await posts.create({ title: "Two" })
    await vi.waitFor(() => expect(renders).toBeGreaterThan(after), WAIT)

    expect(renders).toBeLessThan(10)
  })
})

test("setLocale reads again in the new locale, and keeps the old texts meanwhile", async () => {
  const { posts } = client.collections
  const { id } = await posts.create({ title: "River" }, { locale: "en" })
  await posts.update({ id: String(id), data: { title: "Rieka" } }, { locale: "sk" })
  const results: unknown[] = []

  shown = mount(
    <Probe
      useResult={() => useLive(posts, {}, { select: titles })}
      onCommit={({ status, data }) => results.push([status, data])}
    />,
  )
  await vi.waitFor(() => expect(results.at(-1)).toEqual(["live", ["River"]]), WAIT)
  client.setLocale("sk")
  await vi.waitFor(() => expect(results.at(-1)).toEqual(["live", ["Rieka"]]), WAIT)

  expect(unrepeated(results).slice(1)).toEqual([
    ["live", ["River"]],
    ["pending", ["River"]],
    ["live", ["Rieka"]],
  ])
})

describe("errors", () => {
  test("a topic that the server refuses is an error with its code, and later options work", async () => {
    const { secrets, posts } = client.collections
    const errors: unknown[] = []
    const results: LiveResult<unknown>[] = []
    const node = (handle: typeof posts) => (
      <Probe
        useResult={() => useLive(handle, {}, { onError: ({ code }) => errors.push(code) })}
        onCommit={(result) => results.push(result)}
      />
    )

    shown = mount(node(secrets))
    await vi.waitFor(() => expect(results.at(-1)?.status).toBe("error"), WAIT)
    const refused = results.at(-1)
    shown.render(node(posts))
    await vi.waitFor(() => expect(results.at(-1)?.status).toBe("live"), WAIT)

    expect(refused).toMatchObject({ data: undefined, isLive: false, error: { code: "UNAUTHORIZED" } })
    expect(errors).toEqual(["UNAUTHORIZED"])
  })

  test("a server that cannot be reached is an error, until it is there", async () => {
    const { posts } = client.collections
    await posts.create({ title: "One" })
    const results: LiveResult<unknown>[] = []
    network.cut()

    shown = mount(<Probe useResult={() => useLive(posts)} onCommit={(result) => results.push(result)} />)
    await vi.waitFor(() => expect(results.at(-1)?.status).toBe("error"), WAIT)
    network.repair()
    await vi.waitFor(() => expect(results.at(-1)?.status).toBe("live"), WAIT)

    expect(results.map(({ status }) => status)).toEqual(["pending", "error", "live"])
    expect(results[1]?.error?.message).toContain("The network is down.")
  })
})

/** Returns the values without those that equal the one before. */
function unrepeated(values: readonly unknown[]): unknown[] {
  return values.filter((value, index) => JSON.stringify(value) !== JSON.stringify(values[index - 1]))
}

/** Returns the message of the error with which the render of a hook fails. */
function errorOf(useResult: () => unknown): string {
  try {
    return renderToString(<Probe useResult={useResult} />)
  } catch (error) {
    return String(error)
  }
}
