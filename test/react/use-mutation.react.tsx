import { collection, global, route } from "kit"
import { KitProvider, type Mutation, useLive, useMutation } from "kit/react"
import { StrictMode } from "react"
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { clientOf } from "./support/client-of.ts"
import { GatedFetch } from "./support/gated-fetch.ts"
import { type Mounted, mount } from "./support/page.ts"
import { Probe } from "./support/probe.tsx"

const tasks = collection("tasks")
  .fields(({ f }) => ({
    title: f.text(10).required(),
    status: f.select(["open", "doing", "done"]).default("open"),
    other: f.text(),
  }))
  .access({ read: true, create: true, update: true, delete: true })
const settings = global("settings")
  .fields(({ f }) => ({ motto: f.text() }))
  .access({ read: true, update: true })
const finishAll = route()
  .access(true)
  .handler(async ({ collections }) => {
    const { docs } = await (collections as any).tasks.find({})
    for (const { id } of docs) await (collections as any).tasks.updateById({ id, data: { status: "done" } })
    return { done: docs.length }
  })
const WAIT = { timeout: 60_000 }

let app: TestApp
let client: ReturnType<typeof newClient>
let gate: GatedFetch
let page: Mounted
let stranger: ReturnType<TestApp["client"]>["collections"]["tasks"]

function newClient() {
  return clientOf<"tasks", "settings">(app, { fetch: gate.fetch })
}

beforeAll(async () => {
  app = await testApp({ resources: [tasks, settings], routes: { "finish-all": finishAll } })
})

afterAll(() => app[Symbol.asyncDispose]())

beforeEach(async () => {
  await app.database.query('truncate tasks, "global_settings" cascade')
  gate = new GatedFetch()
  client = newClient()
  stranger = app.client().collections["tasks"]
})

afterEach(() => {
  page?.unmount()
  client.realtime.destroy()
})

const rows = ({ docs }: any): string[] => docs.map(({ title, status }: any) => `${title} ${status}`)

/** Shows a live list, and returns every list that was committed, and the mutation. */
async function board<Input, Output>(useWrite: () => Mutation<Input, Output>, options: object = {}) {
  const commits: string[] = []
  const shown: { mutation?: Mutation<Input, Output> } = {}
  const { tasks } = client.collections
  page = mount(
    <StrictMode>
      <Probe
        useResult={() => useLive(tasks, { orderBy: { title: "asc" }, ...options }, { select: rows }).data}
        onCommit={(list) => commits.push(String(list))}
      />
      <Probe
        useResult={() => {
          const mutation = useWrite()
          shown.mutation = mutation
          return mutation.isPending
        }}
      />
    </StrictMode>,
  )
  const lists = () => commits.filter((list, index) => list !== commits[index - 1] && list !== "undefined")
  await vi.waitFor(() => expect(lists()).toHaveLength(1), WAIT)
  return {
    lists,
    mutation: () => shown.mutation as Mutation<Input, Output>,
  }
}

test("a change is shown at once, outlasts snapshots of other changes, and is not shown twice or taken back", async () => {
  const { id } = await stranger.create({ title: "A" })
  const { tasks } = client.collections
  const { lists, mutation } = await board(() =>
    useMutation(tasks.updateById, { optimistic: (view, { id, data }) => view.patch(tasks, id, data) }),
  )

  const answer = gate.hold("PATCH", "request")
  const done = mutation().run({ id, data: { status: "doing" } })
  await vi.waitFor(() => expect(lists()).toEqual(["A open", "A doing"]), WAIT)
  expect(page.text).toContain("true")
  await stranger.create({ title: "B" })
  await vi.waitFor(() => expect(lists().at(-1)).toBe("A doing,B open"), WAIT)
  answer.release()
  await expect(done).resolves.toMatchObject({ id, status: "doing" })
  await stranger.update({ id, data: { status: "done" } })
  await vi.waitFor(() => expect(lists().at(-1)).toBe("A done,B open"), WAIT)

  expect(lists()).toEqual(["A open", "A doing", "A doing,B open", "A done,B open"])
  expect(page.text).toContain("false")
})

test("a change is taken back if the server refuses the write, and the error is told by field", async () => {
  const { id } = await stranger.create({ title: "A" })
  const { tasks } = client.collections
  const onError = vi.fn()
  const { lists, mutation } = await board(() =>
    useMutation(tasks.updateById, { optimistic: (view, { id, data }) => view.patch(tasks, id, data), onError }),
  )
  const input = { id, data: { title: "much too long" } }

  const outcome = await mutation().runSafe(input)
  await vi.waitFor(() => expect(lists().at(-1)).toBe("A open"), WAIT)

  expect(lists()).toEqual(["A open", "much too long open", "A open"])
  expect(outcome.error?.status).toBe(400)
  expect(onError).toHaveBeenCalledExactlyOnceWith(outcome.error, input)
  await vi.waitFor(() => expect(mutation().error).toBe(outcome.error), WAIT)
  expect(mutation().fieldErrors).toEqual({ title: [expect.any(String)] })
  mutation().reset()
  await vi.waitFor(() => expect([mutation().error, mutation().fieldErrors]).toEqual([undefined, {}]), WAIT)
})

test("a change is taken back if the server cannot be reached", async () => {
  const { id } = await stranger.create({ title: "A" })
  const { tasks } = client.collections
  const { lists, mutation } = await board(() =>
    useMutation(tasks.deleteById, { optimistic: (view, { id }) => view.remove(tasks, id) }),
  )

  gate.fail("DELETE")
  await expect(mutation().run({ id })).rejects.toThrow(/No answer/)
  await vi.waitFor(() => expect(lists()).toEqual(["A open", "", "A open"]), WAIT)
})

test("a new record is shown once, with a temporary id and then with its own", async () => {
  const { tasks } = client.collections
  const ids: string[] = []
  const { lists, mutation } = await board(() => {
    // The same read as that of the board, so that both show their first result together.
    const live = useLive(tasks, { orderBy: { title: "asc" } })
    ids.push(...(live.data?.docs.map(({ id }: any) => id) ?? []))
    return useMutation(tasks.create, { optimistic: (view, data) => view.insert(tasks, { status: "open", ...data }) })
  })

  const answer = gate.hold("POST", "answer")
  const done = mutation().run({ title: "A" })
  await vi.waitFor(() => expect(lists()).toEqual(["", "A open"]), WAIT)
  await vi.waitFor(async () => expect((await stranger.find({})).docs).toHaveLength(1), WAIT)
  answer.release()
  const { id } = await done
  await vi.waitFor(() => expect(ids.at(-1)).toBe(id), WAIT)
  await stranger.create({ title: "B" })
  await vi.waitFor(() => expect(lists().at(-1)).toBe("A open,B open"), WAIT)

  expect(lists()).toEqual(["", "A open", "A open,B open"])
  expect(ids[0]).toMatch(/^temporary:/)
})

test("a removed record disappears at once", async () => {
  const { id } = await stranger.create({ title: "A" })
  const { tasks } = client.collections
  const { lists, mutation } = await board(() =>
    useMutation(tasks.deleteById, { optimistic: (view, { id }) => view.remove(tasks, id) }),
  )

  await mutation().run({ id })
  await stranger.create({ title: "B" })
  await vi.waitFor(() => expect(lists()).toEqual(["A open", "", "B open"]), WAIT)
})

test("a route that writes in several transactions can be optimistic, too", async () => {
  const { routes }: { routes: any } = client
  const [a, b] = await Promise.all(["A", "B"].map((title) => stranger.create({ title })))
  const { tasks } = client.collections
  const { lists, mutation } = await board(() =>
    useMutation((_input: undefined, call) => routes.finishAll(undefined, call), {
      optimistic: (view) => {
        for (const { id } of [a, b]) view.patch(tasks, id, { status: "done" })
      },
    }),
  )

  await expect(mutation().run()).resolves.toEqual({ done: 2 })
  await stranger.update({ id: a.id, data: { status: "open" } })
  await vi.waitFor(() => expect(lists().at(-1)).toBe("A open,B done"), WAIT)

  expect(lists()).toEqual(["A open,B open", "A done,B done", "A open,B done"])
})

test("a function that sends several writes keeps its change until the last of them is shown", async () => {
  const ids: string[] = []
  for (const title of ["A", "B"]) ids.push((await stranger.create({ title })).id)
  const { tasks } = client.collections
  const { lists, mutation } = await board(() =>
    useMutation(
      async (status: string, call) => {
        for (const id of ids) await tasks.updateById({ id, data: { status } }, call)
      },
      {
        optimistic: (view, status) => {
          for (const id of ids) view.patch(tasks, id, { status })
        },
      },
    ),
  )

  const first = gate.hold("PATCH", "answer")
  const second = gate.hold("PATCH", "request")
  const done = mutation().run("done")
  await stranger.create({ title: "C" })
  await vi.waitFor(() => expect(lists().at(-1)).toBe("A done,B done,C open"), WAIT)
  first.release()
  // The stream shows the first write, and the second one has not been sent.
  await stranger.create({ title: "D" })
  await vi.waitFor(() => expect(lists().at(-1)).toContain("D open"), WAIT)
  second.release()
  await done
  await stranger.update({ id: ids[0], data: { status: "open" } })
  await vi.waitFor(() => expect(lists().at(-1)).toBe("A open,B done,C open,D open"), WAIT)

  expect(lists().filter((list) => list.includes("B open"))).toEqual(["A open,B open"])
})

test("a global's new value is shown at once", async () => {
  const { settings } = client.globals
  await settings.update({ motto: "Old" })
  const mottos: unknown[] = []
  let run: (data: Readonly<Record<string, unknown>>) => Promise<unknown> = () => Promise.reject()
  page = mount(
    <Probe
      useResult={() => {
        run = useMutation(settings.update, { optimistic: (view, data) => view.set(settings, data) }).run
        return useLive(settings).data?.["motto"]
      }}
      onCommit={(motto) => mottos.push(motto)}
    />,
  )
  await vi.waitFor(() => expect(mottos.at(-1)).toBe("Old"), WAIT)

  const answer = gate.hold("PATCH", "request")
  const done = run({ motto: "New" })
  await vi.waitFor(() => expect(mottos.at(-1)).toBe("New"), WAIT)
  answer.release()
  await done

  expect(new Set(mottos)).toEqual(new Set([undefined, "Old", "New"]))
})

test("two writes of one record are shown in the order in which they began, whatever the order of the answers", async () => {
  const { id } = await stranger.create({ title: "A" })
  const { tasks } = client.collections
  const { lists, mutation } = await board(() =>
    useMutation(tasks.updateById, { optimistic: (view, { id, data }) => view.patch(tasks, id, data) }),
  )

  const first = gate.hold("PATCH", "answer")
  const one = mutation().run({ id, data: { status: "doing" } })
  await vi.waitFor(async () => expect((await stranger.find({})).docs[0].status).toBe("doing"), WAIT)
  const two = mutation().run({ id, data: { status: "done" } })
  await two
  first.release()
  await one
  await stranger.update({ id, data: { title: "B" } })
  await vi.waitFor(() => expect(lists().at(-1)).toBe("B done"), WAIT)

  expect(lists()).toEqual(["A open", "A doing", "A done", "B done"])
  expect(mutation().isPending).toBe(false)
})

test("a list that is shown after a write does not go back to what was sent before the write", async () => {
  const { id } = await stranger.create({ title: "A" })
  const { tasks } = client.collections
  const sent: string[] = []
  const stop = tasks.watch({ where: { id } }, (list) => sent.push(String(rows(list))))
  const { mutation } = await board(() =>
    useMutation(tasks.updateById, { optimistic: (view, { id, data }) => view.patch(tasks, id, data) }),
  )
  await vi.waitFor(() => expect(sent).toEqual(["A open"]), WAIT)
  const streams = gate.holdStreams()
  await mutation().run({ id, data: { status: "doing" } })

  const commits: string[] = []
  const late = mount(
    <Probe
      useResult={() => useLive(tasks, { where: { id } }, { select: rows }).data}
      onCommit={(list) => list && commits.push(String(list))}
    />,
  )
  await vi.waitFor(() => expect(commits).not.toEqual([]), WAIT)
  streams.release()
  await vi.waitFor(() => expect(sent).toEqual(["A open", "A doing"]), WAIT)
  await stranger.update({ id, data: { status: "done" } })
  await vi.waitFor(() => expect(commits.at(-1)).toBe("A done"), WAIT)
  late.unmount()
  stop()

  expect(new Set(commits)).toEqual(new Set(["A doing", "A done"]))
})

test("a mutation whose optimistic function fails sends nothing", async () => {
  const operation = vi.fn(() => Promise.resolve())
  const { mutation } = await board(() =>
    useMutation(operation, { optimistic: (view) => view.patch(undefined as never, "x", {}) }),
  )

  await expect(mutation().run()).rejects.toThrow("client.collections.<name>")

  expect(operation).not.toHaveBeenCalled()
  await vi.waitFor(
    () => expect([mutation().isPending, mutation().error?.message]).toEqual([false, expect.any(String)]),
    WAIT,
  )
})

test("the functions of a mutation stay the same, and use the newest operation and callbacks", async () => {
  const calls: string[] = []
  const mutations: Mutation<string, string>[] = []
  const writer = (name: string) => (
    <Probe
      useResult={() => {
        mutations.push(
          useMutation((input: string) => Promise.resolve(`${input} of ${name}`), {
            onSuccess: (output, input) => calls.push(`${output}, ${input}, ${name}`),
          }),
        )
        return name
      }}
    />
  )
  page = mount(writer("first"))
  await vi.waitFor(() => expect(page.text).toBe('"first"'), WAIT)

  await mutations[0]?.run("a")
  page.render(writer("second"))
  await vi.waitFor(() => expect(page.text).toBe('"second"'), WAIT)
  await mutations[0]?.run("b")

  expect(calls).toEqual(["a of first, a, first", "b of second, b, second"])
  const [{ run, runSafe, reset } = {}] = mutations
  expect(mutations.at(-1)).toMatchObject({ run, runSafe, reset })
})

test("only the error of the last write is shown, and the provider hears of errors that nobody else does", async () => {
  const errors: unknown[] = []
  const failing = (input: string) => Promise.reject(new Error(input))
  const results: Record<string, Mutation<string, never>> = {}
  const writer = (name: string, onError?: (error: Error) => void) => (
    <Probe
      useResult={() => {
        results[name] = useMutation(failing, { onError })
        return results[name].error?.message
      }}
    />
  )
  page = mount(
    <KitProvider onError={(error) => errors.push(`provider: ${error.message}`)}>
      {writer("plain")}
      {writer("own", (error) => errors.push(`own: ${error.message}`))}
    </KitProvider>,
  )
  await vi.waitFor(() => expect(results["own"]).toBeDefined(), WAIT)

  const outcomes = await Promise.all([results["plain"]?.runSafe("one"), results["plain"]?.runSafe("two")])
  await results["own"]?.runSafe("three")
  await vi.waitFor(() => expect(page.text).toBe('"two""three"'), WAIT)

  expect(outcomes.map((outcome) => outcome?.error?.message)).toEqual(["one", "two"])
  expect(errors).toEqual(["provider: one", "provider: two", "own: three"])
})
