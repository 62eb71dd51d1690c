import { collection, global } from "kit"
import { type LiveResult, useLive } from "kit/react"
import { memo, StrictMode } from "react"
import { renderToString } from "react-dom/server"
import { describe, expect, test, vi } from "vitest"
import { clientOf } from "./support/client-of.ts"
import { mount } from "./support/page.ts"
import { Probe } from "./support/probe.tsx"
import { readsWorld, titles, WAIT } from "./support/reads-world.ts"

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text().required().localized(), at: f.datetime(), size: f.number().bigint() }))
  .access({ read: true, create: true, update: true, delete: true })
const secrets = collection("secrets")
  .fields(({ f }) => ({ text: f.text() }))
  .access({ read: ({ session }) => session !== null, create: true })
const settings = global("settings")
  .fields(({ f }) => ({ motto: f.text() }))
  .access({ read: true, update: true })

const ROWS = 1_000

const locales = { default: "en", all: ["en", "sk"] }
const world = readsWorld<"posts" | "secrets", "settings">({
  resources: [posts, secrets, settings],
  config: { locales },
})

interface Post {
  readonly id?: unknown
  readonly title?: unknown
}

const BY_TITLE = { orderBy: { title: "asc" } } as const

test("a live list shows what is stored, then every change, and follows nothing after it was unmounted", async () => {
  const { posts } = world.client.collections
  await posts.create({ title: "One" })

  const page = mount(
    <StrictMode>
      <Probe useResult={() => useLive(posts, BY_TITLE, { select: titles }).data} />
    </StrictMode>,
  )
  await vi.waitFor(() => expect(page.text).toBe('["One"]'), WAIT)
  await posts.create({ title: "Two" })
  await vi.waitFor(() => expect(page.text).toBe('["One","Two"]'), WAIT)
  const topics = world.client.realtime.topicCount
  page.unmount()

  expect(topics).toBe(1)
  expect(world.network.requestsTo("/realtime")).toHaveLength(1)
  await vi.waitFor(() => expect(world.client.realtime.topicCount).toBe(0), WAIT)
})

test("a result says what is going on: pending, live, stale while the connection is away, and live again", async () => {
  const { posts } = world.client.collections
  await posts.create({ title: "One" })
  const results: LiveResult<unknown>[] = []

  world.mount(
    <Probe
      useResult={() => useLive(posts, BY_TITLE, { select: titles })}
      onCommit={(result) => results.push(result)}
    />,
  )
  await vi.waitFor(() => expect(results.at(-1)?.status).toBe("live"), WAIT)
  world.network.cut()
  await vi.waitFor(() => expect(results.at(-1)?.status).toBe("stale"), WAIT)
  const away = results.at(-1)
  world.network.repair()
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
  const { posts } = world.client.collections
  const { settings } = world.client.globals
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

  world.mount(
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
  const { posts } = world.client.collections
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
  const topics = [world.client.realtime.topicCount, world.client.realtime.subscriberCount]
  page.unmount()

  expect(topics).toEqual([1, 1])
  await vi.waitFor(() => expect(world.client.realtime.subscriberCount).toBe(0), WAIT)
})

const Row = memo(function Row({ post, onRender }: { post: Post; onRender(id: unknown): void }) {
  onRender(post.id)
  return <li>{String(post.title)}</li>
})

function Rows({ onRender }: { onRender(id: unknown): void }) {
  const { data } = useLive(world.client.collections.posts, { orderBy: { title: "asc" }, limit: ROWS })
  return data?.docs.map((post) => <Row key={String(post["id"])} post={post} onRender={onRender} />)
}

test("one changed row of 1,000 renders one row again: dates and big numbers of the others are equal", async () => {
  const { posts } = world.client.collections
  await world.app.database.query(
    `insert into posts (id, title, at, size, "createdAt", "updatedAt")
     select gen_random_uuid(), jsonb_build_object('en', 'Post ' || lpad(n::text, 4, '0')), now(), n, now(), now()
     from generate_series(1, ${ROWS}) n`,
  )
  const { docs } = await posts.find({ ...BY_TITLE, limit: 1 })
  const rendered: unknown[] = []

  const shown = world.mount(<Rows onRender={(id) => rendered.push(id)} />)
  await vi.waitFor(() => expect(new Set(rendered).size).toBe(ROWS), WAIT)
  rendered.length = 0
  await posts.update({ id: String(docs[0]?.["id"]), data: { title: "Changed" } })
  await vi.waitFor(() => expect(shown.text).toContain("Changed"), WAIT)

  expect(rendered).toEqual([docs[0]?.["id"]])
})

describe("options", () => {
  test("that change keep the old data until the new data is there, unless `keep` is false", async () => {
    const { posts } = world.client.collections
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

    const shown = world.mount(node("One"))
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
    await vi.waitFor(() => expect(world.client.realtime.topicCount).toBe(1), WAIT)
  })

  test("that were null start without the data of earlier options", async () => {
    const { posts } = world.client.collections
    await posts.create({ title: "One" })
    await posts.create({ title: "Two" })
    const results: unknown[] = []
    const node = (options: object | null) => (
      <Probe
        useResult={() => useLive(posts, options, { select: titles })}
        onCommit={({ status, data }) => results.push([status, data])}
      />
    )

    const shown = world.mount(node({ where: { title: "One" } }))
    await vi.waitFor(() => expect(results.at(-1)).toEqual(["live", ["One"]]), WAIT)
    shown.render(node(null))
    await vi.waitFor(() => expect(results.at(-1)).toEqual(["idle", undefined]), WAIT)
    results.length = 0
    shown.render(node({ where: { title: "Two" } }))
    await vi.waitFor(() => expect(results.at(-1)).toEqual(["live", ["Two"]]), WAIT)

    expect(results[0]).toEqual(["pending", undefined])
  })

  test("that are null read nothing", async () => {
    const { posts } = world.client.collections
    const results: unknown[] = []

    world.mount(<Probe useResult={() => useLive(posts, null)} onCommit={(result) => results.push(result)} />)
    await vi.waitFor(() => expect(results).toHaveLength(1), WAIT)

    expect(results).toEqual([
      { status: "idle", data: undefined, error: undefined, isLive: false, updatedAt: undefined },
    ])
    expect(world.client.realtime.subscriberCount).toBe(0)
  })

  test("that cannot be sent are refused at the call", () => {
    const { posts } = world.client.collections

    expect(errorOf(() => useLive(posts, { where: { title: undefined } }))).toContain("title")
    expect(errorOf(() => useLive(posts, { limit: Number.NaN }))).toContain("limit")
  })
})

test("the handle of another client starts without the data of the first client", async () => {
  const { posts } = world.client.collections
  const others = clientOf<"posts">(world.app)
  await posts.create({ title: "One" })
  const results: unknown[] = []
  const node = (handle: typeof posts) => (
    <Probe useResult={() => useLive(handle)} onCommit={({ status, data }) => results.push([status, data?.totalDocs])} />
  )

  const shown = world.mount(node(posts))
  await vi.waitFor(() => expect(results.at(-1)).toEqual(["live", 1]), WAIT)
  results.length = 0
  shown.render(node(others.collections.posts))
  await vi.waitFor(() => expect(results.at(-1)).toEqual(["live", 1]), WAIT)

  expect(results[0]).toEqual(["pending", undefined])
  others.realtime.destroy()
})

test("a result is stale when the client's stream has been ended for good", async () => {
  const { posts } = world.client.collections

  const shown = world.mount(<Probe useResult={() => useLive(posts).status} />)
  await vi.waitFor(() => expect(shown.text).toBe('"live"'), WAIT)
  world.client.realtime.destroy()

  await vi.waitFor(() => expect(shown.text).toBe('"stale"'), WAIT)
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
  const { settings } = world.client.globals
  const results: unknown[] = []

  world.mount(
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
    const { posts } = world.client.collections
    const first = await posts.create({ title: "One" })
    const commits: unknown[] = []

    world.mount(
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
    const { posts } = world.client.collections
    await posts.create({ title: "One" })
    let renders = 0
    const numbered = () => ({ number: ++renders, again: () => renders })

    const shown = world.mount(<Probe useResult={() => useLive(posts, BY_TITLE, { select: () => numbered() })} />)
    await vi.waitFor(() => expect(shown.text).toContain('"live"'), WAIT)
    const after = renders
    await posts.create({ title: "Two" })
    await vi.waitFor(() => expect(renders).toBeGreaterThan(after), WAIT)

    expect(renders).toBeLessThan(10)
  })
})

test("setLocale reads again in the new locale, and keeps the old texts meanwhile", async () => {
  const { posts } = world.client.collections
  const { id } = await posts.create({ title: "River" }, { locale: "en" })
  await posts.update({ id: String(id), data: { title: "Rieka" } }, { locale: "sk" })
  const results: unknown[] = []

  world.mount(
    <Probe
      useResult={() => useLive(posts, {}, { select: titles })}
      onCommit={({ status, data }) => results.push([status, data])}
    />,
  )
  await vi.waitFor(() => expect(results.at(-1)).toEqual(["live", ["River"]]), WAIT)
  world.client.setLocale("sk")
  await vi.waitFor(() => expect(results.at(-1)).toEqual(["live", ["Rieka"]]), WAIT)

  expect(unrepeated(results).slice(1)).toEqual([
    ["live", ["River"]],
    ["pending", ["River"]],
    ["live", ["Rieka"]],
  ])
})

describe("errors", () => {
  test("a topic that the server refuses is an error with its code, and later options work", async () => {
    const { secrets, posts } = world.client.collections
    const errors: unknown[] = []
    const results: LiveResult<unknown>[] = []
    const node = (handle: typeof posts) => (
      <Probe
        useResult={() => useLive(handle, {}, { onError: ({ code }) => errors.push(code) })}
        onCommit={(result) => results.push(result)}
      />
    )

    const shown = world.mount(node(secrets))
    await vi.waitFor(() => expect(results.at(-1)?.status).toBe("error"), WAIT)
    const refused = results.at(-1)
    shown.render(node(posts))
    await vi.waitFor(() => expect(results.at(-1)?.status).toBe("live"), WAIT)

    expect(refused).toMatchObject({ data: undefined, isLive: false, error: { code: "UNAUTHORIZED" } })
    expect(errors).toEqual(["UNAUTHORIZED"])
  })

  test("a server that cannot be reached is an error, until it is there", async () => {
    const { posts } = world.client.collections
    await posts.create({ title: "One" })
    const results: LiveResult<unknown>[] = []
    world.network.cut()

    world.mount(<Probe useResult={() => useLive(posts)} onCommit={(result) => results.push(result)} />)
    await vi.waitFor(() => expect(results.at(-1)?.status).toBe("error"), WAIT)
    world.network.repair()
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
