import { collection } from "kit"
import { useFindSuspense, useLiveSuspense } from "kit/react"
import { Component, type ReactNode, StrictMode, Suspense } from "react"
import { expect, test, vi } from "vitest"
import { mount } from "./support/page.ts"
import { Probe } from "./support/probe.tsx"
import { readsWorld, titles, WAIT } from "./support/reads-world.ts"

const locks = collection("locks")
  .fields(({ f }) => ({ reason: f.text() }))
  .access({ create: true, delete: true })
const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text().required() }))
  // A live query asks a rule again when the records that it has read change.
  .access({ read: async ({ asSystem }) => (await asSystem().collections["locks"]?.count()) === 0, create: true })

const world = readsWorld<"posts" | "locks">({ resources: [posts, locks] })

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
  const { posts } = world.client.collections
  await posts.create({ title: "One" })

  let suspended = 0
  // Noted by the page, because the first result may arrive before the test looks.
  const fallback = <Probe useResult={() => "loading"} onCommit={() => suspended++} />

  const list = <Probe useResult={() => useLiveSuspense(posts, {}, { select: titles })} />
  const page = mount(inBoundaries(list, "a", fallback))
  await vi.waitFor(() => expect(page.text).toBe('["One"]'), WAIT)
  await posts.create({ title: "Two" })
  await vi.waitFor(() => expect(page.text).toContain("Two"), WAIT)
  const topics = world.client.realtime.subscriberCount
  page.unmount()

  expect(suspended).toBeGreaterThan(0)
  expect(topics).toBe(1)
  expect(world.network.requestsTo("/realtime")).toHaveLength(1)
  await vi.waitFor(() => expect(world.client.realtime.subscriberCount).toBe(0), WAIT)
})

test("a component that is removed while it is suspended leaves no topic", async () => {
  const { posts } = world.client.collections

  const page = mount(inBoundaries(<Probe useResult={() => useLiveSuspense(posts)} />, "a"))
  await vi.waitFor(() => expect(world.client.realtime.subscriberCount).toBe(1), WAIT)
  page.unmount()

  await vi.waitFor(() => expect(world.client.realtime.subscriberCount).toBe(0), WAIT)
})

const HOOKS = [
  ["useFindSuspense", useFindSuspense],
  ["useLiveSuspense", useLiveSuspense],
] as const

test.each(HOOKS)("%s shows a selected part that is undefined", async (_name, useData) => {
  const { posts } = world.client.collections

  const shown = world.mount(
    inBoundaries(<Probe useResult={() => useData(posts, {}, { select: ({ docs }) => docs[0] }) ?? "none"} />, "a"),
  )

  await vi.waitFor(() => expect(shown.text).toBe('"none"'), WAIT)
})

test.each(HOOKS)("%s throws an error to the boundary, and another attempt reads again", async (_name, useData) => {
  const { posts } = world.client.collections
  await posts.create({ title: "One" })
  const node = <Probe useResult={() => useData(posts, {}, { select: titles })} />
  vi.spyOn(console, "error").mockImplementation(() => {})
  world.network.cut()

  const shown = world.mount(inBoundaries(node, "first"))
  await vi.waitFor(() => expect(shown.text).toContain("failed: "), WAIT)
  world.network.repair()
  shown.render(inBoundaries(node, "second"))

  await vi.waitFor(() => expect(shown.text).toBe('["One"]'), WAIT)
})

test("after an error of a component that has shown data, another attempt reads again immediately", async () => {
  const { posts, locks } = world.client.collections
  await posts.create({ title: "One" })
  const node = <Probe useResult={() => useLiveSuspense(posts, {}, { select: titles })} />
  vi.spyOn(console, "error").mockImplementation(() => {})

  const shown = world.mount(inBoundaries(node, "first"))
  await vi.waitFor(() => expect(shown.text).toBe('["One"]'), WAIT)
  const { id } = await locks.create({ reason: "Repairs" })
  await vi.waitFor(() => expect(shown.text).toContain("failed: "), WAIT)
  await locks.deleteById({ id: String(id) })
  shown.render(inBoundaries(node, "second"))

  await vi.waitFor(() => expect(shown.text).toBe('["One"]'), WAIT)
})

test("options that change keep the data instead of suspending, unless `keep` is false", async () => {
  const { posts } = world.client.collections
  await posts.create({ title: "One" })
  await posts.create({ title: "Two" })
  await posts.create({ title: "Three" })
  const shown = world.mount(null)
  let suspended = 0
  const fallback = <Probe useResult={() => "loading"} onCommit={() => suspended++} />
  const show = async (title: string, keep: boolean) => {
    const settings = { select: titles, keep }
    const node = <Probe useResult={() => useLiveSuspense(posts, { where: { title } }, settings)} />
    shown.render(inBoundaries(node, String(keep), fallback))
    await vi.waitFor(() => expect(shown.text).toContain(title), WAIT)
    return suspended
  }

  const first = await show("One", true)
  const kept = await show("Two", true)
  const other = await show("Two", false)
  const dropped = await show("Three", false)

  expect(kept).toBe(first)
  expect([first, dropped - other].every((times) => times > 0)).toBe(true)
})
