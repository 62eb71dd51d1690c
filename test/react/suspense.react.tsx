import { collection } from "kit"
import { useFindSuspense, useLiveSuspense } from "kit/react"
import { Component, type ReactNode, StrictMode, Suspense } from "react"
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { clientOf } from "./support/client-of.ts"
import { Network } from "./support/network.ts"
import { type Mounted, mount } from "./support/page.ts"
import { Probe } from "./support/probe.tsx"

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text().required() }))
  .access({ read: true, create: true })

const WAIT = { timeout: 20_000 }

let app: TestApp
let network: Network
let client: ReturnType<typeof newClient>
let shown: Mounted | undefined

const newClient = () => clientOf<"posts">(app, { fetch: network.fetch })

beforeAll(async () => {
  app = await testApp({ resources: [posts] })
})

afterAll(() => app[Symbol.asyncDispose]())

beforeEach(async () => {
  await app.database.query("truncate posts cascade")
  network = new Network()
  client = newClient()
})

afterEach(() => {
  shown?.unmount()
  shown = undefined
  client.realtime.destroy()
})

const titles = ({ docs }: { readonly docs: readonly { readonly title?: unknown }[] }) => docs.map(({ title }) => title)

/** Shows the message of an error below it. */
class Boundary extends Component<{ readonly children: ReactNode }, { readonly message?: string }> {
  override state: { readonly message?: string } = {}

  static getDerivedStateFromError(error: Error) {
    return { message: error.message }
  }

  override render() {
    return this.state.message === undefined ? this.props.children : `failed: ${this.state.message}`
  }
}

const inBoundaries = (node: ReactNode, key: string, fallback: ReactNode = "loading") => (
  <StrictMode key={key}>
    <Boundary>
      <Suspense fallback={fallback}>{node}</Suspense>
    </Boundary>
  </StrictMode>
)

test("useLiveSuspense suspends until the first result, then shows every change, and follows one topic", async () => {
  const { posts } = client.collections
  await posts.create({ title: "One" })

  const page = mount(inBoundaries(<Probe useResult={() => useLiveSuspense(posts, {}, { select: titles })} />, "a"))
  await vi.waitFor(() => expect(page.text).toBe("loading"), WAIT)
  await vi.waitFor(() => expect(page.text).toBe('["One"]'), WAIT)
  await posts.create({ title: "Two" })
  await vi.waitFor(() => expect(page.text).toContain("Two"), WAIT)
  const topics = client.realtime.subscriberCount
  page.unmount()

  expect(topics).toBe(1)
  expect(network.requestsTo("/realtime")).toHaveLength(1)
  await vi.waitFor(() => expect(client.realtime.subscriberCount).toBe(0), WAIT)
})

test("a component that is removed while it is suspended leaves no topic", async () => {
  const { posts } = client.collections

  const page = mount(inBoundaries(<Probe useResult={() => useLiveSuspense(posts)} />, "a"))
  await vi.waitFor(() => expect(client.realtime.subscriberCount).toBe(1), WAIT)
  page.unmount()

  await vi.waitFor(() => expect(client.realtime.subscriberCount).toBe(0), WAIT)
})

test.each([
  ["useFindSuspense", useFindSuspense],
  ["useLiveSuspense", useLiveSuspense],
] as const)("%s throws an error to the boundary, and another attempt reads again", async (_name, useData) => {
  const { posts } = client.collections
  await posts.create({ title: "One" })
  const node = <Probe useResult={() => useData(posts, {}, { select: titles })} />
  vi.spyOn(console, "error").mockImplementation(() => {})
  network.cut()

  shown = mount(inBoundaries(node, "first"))
  await vi.waitFor(() => expect(shown?.text).toContain("failed: "), WAIT)
  network.repair()
  shown.render(inBoundaries(node, "second"))

  await vi.waitFor(() => expect(shown?.text).toBe('["One"]'), WAIT)
  vi.restoreAllMocks()
})

test("options that change keep the data instead of suspending, unless `keep` is false", async () => {
  const { posts } = client.collections
  await posts.create({ title: "One" })
  await posts.create({ title: "Two" })
  await posts.create({ title: "Three" })
  let suspended = 0
  const fallback = <Probe useResult={() => "loading"} onCommit={() => suspended++} />
  const show = async (title: string, keep: boolean) => {
    const settings = { select: titles, keep }
    const node = <Probe useResult={() => useLiveSuspense(posts, { where: { title } }, settings)} />
    shown ??= mount(null)
    shown.render(inBoundaries(node, String(keep), fallback))
    await vi.waitFor(() => expect(shown?.text).toContain(title), WAIT)
    return suspended
  }

  const first = await show("One", true)
  const kept = await show("Two", true)
  const other = await show("Two", false)
  const dropped = await show("Three", false)

  expect(kept).toBe(first)
  expect([first, dropped - other].every((times) => times > 0)).toBe(true)
})
