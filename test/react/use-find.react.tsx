import { collection, global } from "kit"
import { type FindResult, useCount, useFind } from "kit/react"
import { StrictMode } from "react"
import { renderToString } from "react-dom/server"
import { expect, test, vi } from "vitest"
import { clientOf } from "./support/client-of.ts"
import { mount } from "./support/page.ts"
import { Probe } from "./support/probe.tsx"
import { readsWorld, titles, WAIT } from "./support/reads-world.ts"

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text().required(), at: f.datetime() }))
  .access({ read: true, create: true, update: true })
const settings = global("settings")
  .fields(({ f }) => ({ motto: f.text() }))
  .access({ read: true, update: true })

const world = readsWorld<"posts", "settings">({ resources: [posts, settings] })

/** Returns a component that notes every committed result of a hook, and the list of these results. */
function recorded<Data>(useResult: () => FindResult<Data>) {
  const results: FindResult<Data>[] = []
  return { results, node: <Probe useResult={useResult} onCommit={(result) => results.push(result)} /> }
}

test("every kind of handle is read once, as the client reads it, and shared by equal options", async () => {
  const { posts } = world.client.collections
  const { settings } = world.client.globals
  const at = new Date(0)
  const { id } = await posts.create({ title: "One", at })
  await settings.update({ motto: "All the news" })
  const list = recorded(() => useFind(posts, { where: { title: "One" }, limit: 3 }))
  const same = recorded(() => useFind(posts, { limit: 3, where: { title: "One" } }))
  const record = recorded(() => useFind(posts.record(String(id)), { columns: { at: true } }))
  const missing = recorded(() => useFind(posts.record("00000000-0000-4000-8000-000000000000")))
  const total = recorded(() => useFind(posts.total, { where: { title: "One" } }))
  const count = recorded(() => useCount(posts, { where: { title: "One" } }))
  const motto = recorded(() => useFind(settings))
  const all = [list, same, record, missing, total, count, motto]
  world.network.requests.length = 0

  world.mount(
    <StrictMode>
      {list.node}
      {same.node}
      {record.node}
      {missing.node}
      {total.node}
      {count.node}
      {motto.node}
    </StrictMode>,
  )
  await vi.waitFor(
    () => expect(all.map(({ results }) => results.at(-1)?.status)).toEqual(all.map(() => "success")),
    WAIT,
  )

  expect(list.results.at(-1)?.data).toEqual(await posts.find({ where: { title: "One" }, limit: 3 }))
  expect(same.results.at(-1)?.data).toBe(list.results.at(-1)?.data)
  expect(record.results.at(-1)?.data).toEqual({ id, at })
  expect(missing.results.at(-1)?.data).toBeNull()
  expect([total, count].map(({ results }) => results.at(-1)?.data)).toEqual([1, 1])
  expect(motto.results.at(-1)?.data).toMatchObject({ motto: "All the news" })
  // Two lists are one request, and so are the two counts; the last request is that of the comparison above.
  expect(world.network.requests).toHaveLength(5 + 1)
})

test("refetch shows the new result and says that it is being read; equal records stay the same objects", async () => {
  const { posts } = world.client.collections
  await posts.create({ title: "One" })
  const { results, node } = recorded(() => useFind(posts, { orderBy: { title: "asc" } }))

  world.mount(node)
  await vi.waitFor(() => expect(results.at(-1)?.status).toBe("success"), WAIT)
  const first = results.at(-1)
  await posts.create({ title: "Two" })
  await first?.refetch()
  await vi.waitFor(() => expect(results.at(-1)?.isFetching).toBe(false), WAIT)

  expect(results.map(({ status, isFetching }) => [status, isFetching])).toEqual([
    ["pending", expect.any(Boolean)],
    ...results.slice(1, -3).map(() => ["pending", true]),
    ["success", false],
    ["success", true],
    ["success", false],
  ])
  expect(results.at(-1)?.data && titles(results.at(-1)?.data ?? { docs: [] })).toEqual(["One", "Two"])
  expect(results.at(-1)?.data?.docs[0]).toBe(first?.data?.docs[0])
})

test("a failed read is an error with the former data, until a refetch succeeds", async () => {
  const { posts } = world.client.collections
  await posts.create({ title: "One" })
  const errors: string[] = []
  const { results, node } = recorded(() =>
    useFind(posts, {}, { select: titles, onError: (error) => errors.push(error.message) }),
  )

  world.mount(node)
  await vi.waitFor(() => expect(results.at(-1)?.status).toBe("success"), WAIT)
  world.network.cut()
  await results.at(-1)?.refetch()
  await vi.waitFor(() => expect(results.at(-1)?.status).toBe("error"), WAIT)
  const failed = results.at(-1)
  world.network.repair()
  await failed?.refetch()
  await vi.waitFor(() => expect(results.at(-1)?.status).toBe("success"), WAIT)

  expect(failed).toMatchObject({ data: ["One"], error: { status: 0 } })
  expect(errors).toEqual([failed?.error?.message])
})

test("a read that is under way when its component is unmounted is aborted", async () => {
  const { posts } = world.client.collections
  const slow = clientOf<"posts">(world.app, {
    fetch: (url, init) =>
      new Promise((_resolve, reject) => {
        world.network.requests.push(String(url))
        init?.signal?.addEventListener("abort", () => {
          world.network.aborted++
          reject(init.signal?.reason)
        })
      }),
  })

  const page = mount(
    <StrictMode>
      <Probe useResult={() => useFind(slow.collections.posts)} />
    </StrictMode>,
  )
  await vi.waitFor(() => expect(world.network.requests).toHaveLength(1), WAIT)
  page.unmount()

  await vi.waitFor(() => expect(world.network.aborted).toBe(1), WAIT)
  expect(await posts.count()).toBe(0)
})

test("options that are null read nothing", async () => {
  const { posts } = world.client.collections
  const results: unknown[] = []

  world.mount(<Probe useResult={() => useFind(posts, null)} onCommit={(result) => results.push(result)} />)
  await vi.waitFor(() => expect(results).toHaveLength(1), WAIT)

  expect(results[0]).toMatchObject({ status: "idle", data: undefined, isFetching: false })
  expect(world.network.requests).toEqual([])
})

test("useCount refuses a handle whose records cannot be counted", () => {
  const { settings } = world.client.globals

  // @ts-expect-error a global has one record
  const render = () => renderToString(<Probe useResult={() => useCount(settings)} />)

  expect(render).toThrow("useCount counts the records of a collection; its first argument is a global.")
})
