import { channel, collection, route } from "kit"
import {
  KitProvider,
  type Presence,
  type Upload,
  useChannel,
  useLive,
  useLocale,
  useMutation,
  usePresence,
  useRoute,
  useUpload,
} from "kit/react"
import { StrictMode } from "react"
import { renderToString } from "react-dom/server"
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { z } from "zod"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { GatedFetch } from "./support/gated-fetch.ts"
import { Network } from "./support/network.ts"
import { type Mounted, mount } from "./support/page.ts"
import { Probe } from "./support/probe.tsx"

const WAIT = { timeout: 60_000 }
const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text().required().localized() }))
  .access({ read: true, create: true, update: true })
const media = collection("media").upload({ maxSize: 100 }).access({ read: true, create: true })
const room = channel("room-[roomId]")
  .events({ said: z.string() })
  .access({ subscribe: ({ params }) => params.roomId !== "closed", publish: true })
  .presence(({ session }) => ({ name: session?.user["name"] }))

let calls = 0
let app: TestApp
let client: ReturnType<TestApp["client"]>
let gate: GatedFetch
let page: Mounted | undefined

beforeAll(async () => {
  const stats = route()
    .get()
    .access(true)
    .handler(({ input }) => ({ input, calls: ++calls }))
  const failing = route()
    .access(true)
    .handler(() => {
      throw new Error("not for the caller")
    })
  app = await testApp({
    resources: [posts, media],
    routes: { stats, failing },
    channels: { room },
    config: { locales: { default: "en", all: ["en", "sk"] } },
  })
})

afterAll(() => app[Symbol.asyncDispose]())

beforeEach(() => {
  calls = 0
  gate = new GatedFetch()
  client = app.client({ user: { id: "u1", name: "Eva" } } as never, { fetch: gate.fetch })
})

afterEach(() => {
  page?.unmount()
  client.realtime.destroy()
})

/** Shows the result of a hook in strict mode, and returns every result that was committed. */
function shown<Result>(useResult: () => Result): Result[] {
  const results: Result[] = []
  page = mount(
    <StrictMode>
      <Probe useResult={useResult} onCommit={(result) => results.push(result)} />
    </StrictMode>,
  )
  return results
}

test("a route is called once for all components with equal input, again by refetch, and not for null", async () => {
  const results: unknown[] = []
  const read = (input: object | null) => (
    <Probe useResult={() => useRoute<any, any>(client.routes.stats.get, input)} onCommit={(one) => results.push(one)} />
  )
  page = mount(
    <StrictMode>
      {read({ a: "1", b: "2" })}
      {read({ b: "2", a: "1" })}
      {read(null)}
    </StrictMode>,
  )
  const successes = () => results.filter((result: any) => result.status === "success") as any[]

  await vi.waitFor(() => expect(successes()).not.toHaveLength(0), WAIT)
  expect(successes()[0]).toMatchObject({ data: { calls: 1, input: { a: "1", b: "2" } }, isFetching: false })
  await successes()[0].refetch()
  await vi.waitFor(() => expect(successes().at(-1).data.calls).toBe(2), WAIT)

  expect(results).toContainEqual(expect.objectContaining({ status: "idle", data: undefined }))
  expect(calls).toBe(2)
})

test("another input of a route keeps the old data until the new is there, and the error of a route is a value", async () => {
  const results: any[] = []
  const read = (call: unknown, input: object) => (
    <Probe useResult={() => useRoute<any, any>(call as never, input)} onCommit={(result) => results.push(result)} />
  )
  page = mount(read(client.routes.stats.get, { a: "1" }))
  await vi.waitFor(() => expect(results.at(-1).data?.input).toEqual({ a: "1" }), WAIT)
  const first = results.length - 1

  page.render(read(client.routes.stats.get, { a: "2" }))
  await vi.waitFor(() => expect(results.at(-1).data?.input).toEqual({ a: "2" }), WAIT)
  expect(results.slice(first).every(({ data }) => data !== undefined)).toBe(true)
  page.render(read(client.routes.failing, {}))
  await vi.waitFor(() => expect(results.at(-1).error?.status).toBe(500), WAIT)

  expect(results.at(-1).data).toBe(undefined)
})

test("a read of what is no route is refused at the call", () => {
  const noRoute = () => Promise.resolve()

  expect(() => renderToString(<Probe useResult={() => useRoute(noRoute)} />)).toThrow("client.routes.<name>")
})

test("events of a room call the newest callback, and only another room subscribes again", async () => {
  const heard: string[] = []
  const follow = (name: string, roomId: string | null) => (
    <StrictMode>
      <Probe
        useResult={() =>
          useChannel(client.channels["room"], roomId === null ? null : { roomId }, ({ event, data }: any) =>
            heard.push(`${name}: ${event} ${data}`),
          ).error?.message
        }
      />
    </StrictMode>
  )
  const say = (roomId: string, data: string) =>
    client.channels["room"].publish({ params: { roomId }, event: "said", data })
  page = mount(follow("first", "a"))
  await vi.waitFor(async () => {
    await say("a", "one")
    expect(heard.length).toBeGreaterThan(0)
  }, WAIT)

  const { subscriberCount } = client.realtime
  page.render(follow("second", "a"))
  await say("a", "two")
  await vi.waitFor(() => expect(heard.at(-1)).toBe("second: said two"), WAIT)
  expect(client.realtime.subscriberCount).toBe(subscriberCount)
  page.render(follow("third", "b"))
  await vi.waitFor(async () => {
    await say("b", "three")
    expect(heard.at(-1)).toBe("third: said three")
  }, WAIT)
  page.render(follow("fourth", null))

  await vi.waitFor(() => expect(client.realtime.subscriberCount).toBe(0), WAIT)
})

test("a room that is closed to the user is an error, and another room works", async () => {
  const errors: unknown[] = []
  const follow = (roomId: string) => (
    <Probe
      useResult={() => useChannel(client.channels["room"], { roomId }, () => {}).error?.status}
      onCommit={(status) => errors.push(status)}
    />
  )
  page = mount(follow("closed"))
  await vi.waitFor(() => expect(errors.at(-1)).toBe(403), WAIT)

  page.render(follow("open"))
  await vi.waitFor(() => expect(errors.at(-1)).toBe(undefined), WAIT)
})

test("a lost connection is an error of a room until events can arrive again", async () => {
  const network = new Network()
  client = app.client(undefined, { fetch: network.fetch })
  const results = shown(() => useChannel(client.channels["room"], { roomId: "far" }, () => {}).error?.status)
  await vi.waitFor(() => expect(network.streamed).toContain("event: subscribed"), WAIT)

  network.cut()
  await vi.waitFor(() => expect(results.at(-1)).toBe(0), WAIT)
  network.repair()

  await vi.waitFor(() => expect(results.at(-1)).toBe(undefined), WAIT)
})

test("presence shows the members of a room, and members who stay keep their identity", async () => {
  const results = shown(() => usePresence(client.channels["room"], { roomId: "a" })) as Presence<unknown>[]
  await vi.waitFor(() => expect(results.at(-1)?.members).toHaveLength(1), WAIT)
  const before = results.at(-1)

  const other = app.client({ user: { id: "u2", name: "Jan" } } as never)
  const leave = other.channels["room"].presence({ roomId: "a" }, () => {})
  await vi.waitFor(() => expect(results.at(-1)?.members).toHaveLength(2), WAIT)
  leave()
  await vi.waitFor(() => expect(results.at(-1)?.members).toHaveLength(1), WAIT)
  other.realtime.destroy()

  expect(results[0]).toMatchObject({ status: "pending", members: [] })
  expect(before).toMatchObject({ status: "live", members: [{ id: "u1", data: { name: "Eva" } }] })
  expect(results.at(-1)?.members[0]).toBe(before?.members[0])
})

test("an upload tells its progress and its record, and its error until the next one", async () => {
  const results = shown(() => useUpload(client.collections["media"])) as Upload<any>[]
  await vi.waitFor(() => expect(results).not.toHaveLength(0), WAIT)
  const last = () => results.at(-1) as Upload<any>

  const record = await last().upload(new Blob(["hello"], { type: "text/plain" }))
  await vi.waitFor(() => expect(last()).toMatchObject({ progress: 100, isPending: false, error: undefined }), WAIT)
  await expect(last().upload(new Blob(["x".repeat(200)]))).rejects.toThrow()
  await vi.waitFor(() => expect(last()).toMatchObject({ isPending: false, error: expect.any(Error) }), WAIT)
  expect(last().error).toMatchObject({ name: "QuestpieClientError", status: 413, code: "PAYLOAD_TOO_LARGE" })
  expect(last().error?.message).toContain("100 bytes")
  last().reset()
  await vi.waitFor(() => expect(last()).toMatchObject({ progress: 0, error: undefined }), WAIT)

  expect(record).toMatchObject({ id: expect.any(String) })
  expect(results.some(({ isPending }) => isPending)).toBe(true)
  expect(new Set(results.map(({ upload }) => upload)).size).toBeLessThanOrEqual(2)
})

test("the error of an upload has the server's sentence, status and code, also if a mutation has uploaded", async () => {
  const { media } = client.collections as any
  const results = shown(() => ({
    own: useUpload(media) as Upload<any>,
    attach: useMutation((file: Blob) => media.upload(file)),
  })) as any[]
  await vi.waitFor(() => expect(results).not.toHaveLength(0), WAIT)
  const large = new Blob(["x".repeat(200)])

  await expect(results.at(-1).own.upload(large)).rejects.toThrow("Upload failed")
  await results.at(-1).attach.runSafe(large)
  const errors = () => [results.at(-1).own.error, results.at(-1).attach.error]
  await vi.waitFor(() => expect(errors()).toEqual([expect.any(Error), expect.any(Error)]), WAIT)

  const refused = { status: 413, code: "PAYLOAD_TOO_LARGE", message: expect.stringContaining("100 bytes") }
  expect(errors()).toEqual([expect.objectContaining(refused), expect.objectContaining(refused)])
})

test("an aborted upload rejects, and is no error", async () => {
  const results = shown(() => useUpload(client.collections["media"])) as Upload<any>[]
  await vi.waitFor(() => expect(results).not.toHaveLength(0), WAIT)

  const { release } = gate.hold("POST", "request")
  const uploading = results.at(-1)?.upload(new Blob(["hello"]))
  await vi.waitFor(() => expect(results.at(-1)?.isPending).toBe(true), WAIT)
  results.at(-1)?.abort()
  release()
  await expect(uploading).rejects.toThrow()

  await vi.waitFor(() => expect(results.at(-1)).toMatchObject({ isPending: false, error: undefined }), WAIT)
})

test("a new locale is shown, and all lists are read in it", async () => {
  const { id } = await app.client().collections["posts"].create({ title: "River" })
  const slovak = app.client()
  slovak.setLocale("sk")
  await slovak.collections["posts"].update({ id, data: { title: "Rieka" } })
  const results: { setLocale: (locale: string) => void; locale: unknown; titles: unknown }[] = []
  page = mount(
    <KitProvider client={client}>
      <Probe
        useResult={() => {
          const { locale, setLocale } = useLocale()
          const { data } = useLive(client.collections["posts"], { where: { id } })
          return { locale, setLocale, titles: (data as any)?.docs.map(({ title }: any) => title) }
        }}
        onCommit={(result) => results.push(result)}
      />
    </KitProvider>,
  )
  await vi.waitFor(() => expect(results.at(-1)?.titles).toEqual(["River"]), WAIT)

  results.at(-1)?.setLocale("sk")
  await vi.waitFor(() => expect(results.at(-1)).toMatchObject({ locale: "sk", titles: ["Rieka"] }), WAIT)
  client.setLocale("en")
  await vi.waitFor(() => expect(results.at(-1)).toMatchObject({ locale: "en", titles: ["River"] }), WAIT)
})

test("a change in one locale is not shown in another one", async () => {
  const { id } = await app.client().collections["posts"].create({ title: "River" })
  client.setLocale("en")
  const posts: any = client.collections["posts"]
  let translate: (title: string) => Promise<unknown> = () => Promise.reject()
  const write = (title: string, call?: object): Promise<unknown> =>
    posts.updateById({ id, data: { title } }, { locale: "sk", ...call })
  const results = shown(() => {
    translate = useMutation(write, {
      optimistic: (view, title) => view.in({ locale: "sk" }).patch(posts, id, { title }),
    }).run
    const [en, sk]: any[] = [useLive(posts.record(id)), useLive(posts.record(id), { locale: "sk" })]
    return `${en.data?.title} ${sk.data?.title}`
  })
  const shows = (titles: string) => vi.waitFor(() => expect(results.at(-1)).toBe(titles), WAIT)
  await shows("River River")

  const answer = gate.hold("PATCH", "request")
  const done = translate("Rieka")
  await shows("River Rieka")
  answer.release()
  await done
  await app.client().collections["posts"].update({ id, data: { title: "Stream" } })
  await shows("Stream Rieka")

  expect(results.filter((titles) => titles.startsWith("Rieka"))).toEqual([])
})
