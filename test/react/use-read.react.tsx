import { channel, collection, global, type Session } from "kit"
import { useRoute } from "kit/react"
import { useRead, useSearch } from "kit/react-reads"
import { StrictMode } from "react"
import { renderToString } from "react-dom/server"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { z } from "zod"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { Network } from "./support/network.ts"
import { type Mounted, mount } from "./support/page.ts"
import { Probe } from "./support/probe.tsx"

const WAIT = { timeout: 60_000 }
const eva: Session = { user: { id: "eva", role: "editor" } }

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text().required().label({ en: "Title", sk: "Názov" }) }))
  .title("title")
  .searchable({ fields: [] })
  .options({ versions: true, workflow: true })
  .access({ read: true, drafts: true, update: ({ session }) => session !== null, transition: true })
const page1 = global("page")
  .fields(({ f }) => ({ motto: f.text() }))
  .options({ workflow: true })
  .access({ read: true, update: true, transition: true, drafts: true })
const room = channel("room-[roomId]")
  .events({ said: z.object({ text: z.string() }) })
  .access({ subscribe: true })

let app: TestApp
let client: ReturnType<TestApp["client"]>
let network: Network
let page: Mounted | undefined
let id: string
/** Decides which requests hang. */
let held: (init: RequestInit | undefined) => boolean
let aborted: string[]
let isHanging = () => {}

beforeAll(async () => {
  app = await testApp({
    resources: [posts, page1],
    channels: { room },
    config: { locales: { default: "en", all: ["en", "sk"] } },
  })
  const system = app.app.system.collections["posts"]
  id = String((await system?.create({ title: "Flood" }))?.["id"])
  await system?.updateById({ id, data: { title: "Flood again" } })
  await app.app.channels["room"]?.publish({ params: { roomId: "1" }, event: "said", data: { text: "Hello" } })
})
afterAll(() => app[Symbol.asyncDispose]())

beforeEach(() => {
  network = new Network()
  held = () => false
  aborted = []
  client = app.client(eva, { fetch: (input, init) => (held(init) ? hang(init) : network.fetch(input, init)) })
})
afterEach(() => {
  page?.unmount()
  client.realtime.destroy()
})

// Sends nothing, and ends when the client aborts the request.
function hang(init: RequestInit | undefined): Promise<Response> {
  return new Promise((_, reject) => {
    init?.signal?.addEventListener("abort", () => {
      aborted.push(String(init.body))
      reject(init.signal?.reason)
    })
    isHanging()
  })
}

/** Shows the result of a hook twice, in strict mode, and returns every result that was committed. */
function shown<Result>(useResult: () => Result): Result[] {
  const results: Result[] = []
  const probe = <Probe useResult={useResult} onCommit={(result) => results.push(result)} />
  page = mount(
    <StrictMode>
      {probe}
      {probe}
    </StrictMode>,
  )
  return results
}

const PAGE = () => ({ id, limit: 1, after: null })
const events = () => useRead((client.channels["room"] as any).findEvents, { params: { roomId: "1" } } as never)

test.each<[name: string, read: () => any, part: unknown, path: string]>([
  ["schema", () => useRead(client.collections["posts"].schema), { name: "posts" }, "/posts/schema"],
  ["meta", () => useRead(client.collections["posts"].meta, { locale: "sk" }), { kind: "collection" }, "/posts/meta"],
  ["access", () => useRead(client.collections["posts"].access, { id }), { operations: { update: true } }, "/access"],
  ["accessMany", () => useRead(client.collections["posts"].accessMany, { ids: [id, "x"] }), [{}, null], "/_kit/access"],
  ["findVersions", () => useRead(client.collections["posts"].findVersions, { id }), [{}, {}], "/versions"],
  ["a page", () => useRead<any, any>(client.collections["posts"].findVersions, PAGE()), { docs: [{}] }, "/versions"],
  ["findTransition", () => useRead(client.collections["posts"].findTransition, { id }), null, "/transition"],
  ["a global's schema", () => useRead(client.globals["page"].schema), { kind: "global" }, "/globals/page/schema"],
  ["a global's findTransition", () => useRead(client.globals["page"].findTransition), null, "/globals/page/transition"],
  ["a channel's findEvents", events, { docs: [{ data: { text: "Hello" } }] }, "/_kit/channels/room/events"],
  ["the index", () => useRead(client.schema as never), { resources: [{}, {}] }, "/_kit/schema"],
  ["search", () => useSearch(client.search, { query: "flood" }), { total: 1 }, "/search"],
])("%s is read once for all components with equal input", async (_, useResult, part, path) => {
  const results = shown(useResult)

  await vi.waitFor(() => expect(results.at(-1).status).toBe("success"), WAIT)

  const { data } = results.at(-1)
  if (part === null) expect(data).toBeNull()
  else expect(data).toMatchObject(part as object)
  expect(network.requestsTo(path)).toHaveLength(1)
})

test("refetch reads again, and input that is null reads nothing", async () => {
  const results = shown(() => useRead<any, any>(client.collections["posts"].access, { id }))
  await vi.waitFor(() => expect(results.at(-1)?.status).toBe("success"), WAIT)

  await results.at(-1)?.refetch()

  expect(network.requestsTo("/access")).toHaveLength(2)
  page?.unmount()
  const idle = shown(() => useRead<any, any>(client.collections["posts"].access, null))
  await vi.waitFor(() => expect(idle).not.toHaveLength(0), WAIT)
  expect(idle.at(-1)).toMatchObject({ status: "idle", data: undefined, isFetching: false })
  expect(network.requestsTo("/access")).toHaveLength(2)
})

test("a record that the caller may not read is an error as a value", async () => {
  const results = shown(() => useRead<any, any>(client.collections["posts"].access, { id: "missing" }))

  await vi.waitFor(() => expect(results.at(-1)?.error?.status).toBe(404), WAIT)
})

test("labels are read again in another locale of the client", async () => {
  const results = shown(() => useRead<any, any>(client.collections["posts"].schema))
  await vi.waitFor(() => expect(results.at(-1)?.data?.fields.title.label).toBe("Title"), WAIT)

  client.setLocale?.("sk")

  await vi.waitFor(() => expect(results.at(-1)?.data?.fields.title.label).toBe("Názov"), WAIT)
})

test("another search aborts the one before, whose results stay until then", async () => {
  const results: any[] = []
  const search = (query: string | null) => (
    <Probe
      useResult={() => useSearch<any, any>(client.search, query === null ? null : { query })}
      onCommit={(result) => results.push(result)}
    />
  )
  page = mount(search("flood"))
  await vi.waitFor(() => expect(results.at(-1).status).toBe("success"), WAIT)
  const first = results.length
  const hanging = new Promise<void>((resolve) => {
    isHanging = resolve
  })
  held = (init) => String(init?.body).includes('"flo"')

  page.render(search("flo"))
  await hanging
  page.render(search("floo"))
  await vi.waitFor(() => expect(aborted).toHaveLength(1), WAIT)
  await vi.waitFor(() => expect(results.at(-1).status).toBe("success"), WAIT)

  expect(results.slice(first).every(({ data }) => data?.total === 1)).toBe(true)
  expect(aborted[0]).toContain('"flo"')
  page.render(search(null))
  await vi.waitFor(() => expect(results.at(-1).status).toBe("idle"), WAIT)
})

test("a read that is under way when its component is unmounted is aborted", async () => {
  const hanging = new Promise<void>((resolve) => {
    isHanging = resolve
  })
  held = () => true
  shown(() => useRead<any, any>(client.collections["posts"].findVersions, { id }))
  await hanging

  page?.unmount()

  await vi.waitFor(() => expect(aborted).toHaveLength(1), WAIT)
})

describe("what is not read by useRead", () => {
  const html = (useResult: () => unknown) => () => renderToString(<Probe useResult={useResult} />)

  test.each<[name: string, operation: () => any]>([
    ["find", () => client.collections["posts"].find],
    ["create", () => client.collections["posts"].create],
    ["update", () => client.collections["posts"].update],
    ["deleteById", () => client.collections["posts"].deleteById],
    ["a global's update", () => client.globals["page"].update],
    ["reindex", () => client.search.reindex],
    ["a route", () => client.routes.stats.get],
    ["a function", () => () => Promise.resolve()],
    ["nothing", () => undefined],
  ])("%s is refused at the call", (_, operation) => {
    expect(html(() => useRead<any, any>(operation(), {}))).toThrow("useRead takes aggregate, schema")
  })

  test("an operation is no route", () => {
    expect(html(() => useRoute<any, any>(client.collections["posts"].create, {}))).toThrow("client.routes.<name>")
  })
})

test("a client can be printed with its operations marked", () => {
  expect(JSON.stringify(client.collections["posts"])).toBe('{"total":{},"aggregates":{}}')
  expect(Object.keys(client.collections["posts"].access)).toEqual([])
})
