import { createElement } from "react"
import { renderToString } from "react-dom/server"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { CLIENT_PARTS, type ClientParts } from "../../src/client/client-parts.ts"
import { createClient } from "../../src/client.ts"
import { factsOf } from "../../src/react/reads/facts-of.ts"
import { browserStoreOf } from "../../src/react/store/client-store.ts"
import type { FindEntry } from "../../src/react/store/find-entry.ts"
import { queryOf } from "../../src/react/store/query-key.ts"
import { KitProvider, type PreloadedEntry, useFind, useLive } from "../../src/react.ts"

const WAIT = { timeout: 60_000 }

const MINUTE_MS = 60_000

beforeEach(() => {
  vi.useFakeTimers()
  // A page, in which nothing is kept by provider.
  vi.stubGlobal("window", {})
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const newClient = (fetch?: typeof globalThis.fetch) => {
  const client = createClient({ baseURL: "http://localhost:1", fetch })
  // The cast is safe: every client has this member.
  const parts = Reflect.get(client, CLIENT_PARTS) as ClientParts
  return { client, parts, entries: () => [...browserStoreOf(parts).entries] }
}

type UseResult = () => { readonly data?: unknown }

function Shown({ useResult }: { readonly useResult: UseResult }) {
  return JSON.stringify(useResult().data)
}

/** Renders a hook, and drops the render before anything is mounted, as React may do. */
const renderOnly = (useResult: UseResult, initial: PreloadedEntry[] = []) =>
  renderToString(createElement(KitProvider, { initial }, createElement(Shown, { useResult })))

test("results of renders that React has dropped are forgotten", () => {
  const { client, entries } = newClient()
  const { posts } = client.collections as any
  for (let offset = 0; offset < 10; offset++) {
    renderOnly(() => useLive(posts, { offset }))
    renderOnly(() => useFind(posts, { offset }))
  }
  const rendered = entries()
  vi.advanceTimersByTime(MINUTE_MS)

  expect(rendered).toHaveLength(20)
  expect(entries()).toEqual([])
})

test("a preloaded result of a dropped render is used by the next one", () => {
  const { client, entries } = newClient()
  const { posts } = client.collections as any
  const { key } = queryOf(factsOf(posts, "the test"), {})
  const entry = { key, body: { json: { docs: ["One"] } }, hash: null, at: 0 }

  const shown = () => {
    renderOnly(() => useLive(posts), [entry])
    return entries().map(({ result }) => result.data)
  }

  const first = shown()
  vi.advanceTimersByTime(MINUTE_MS)
  const between = entries()

  expect(first).toEqual([{ docs: ["One"] }])
  expect(between).toEqual([])
  expect(shown()).toEqual(first)
})

/** The part of a page that reads once, and that is hidden and shown again without a render. */
async function hiddenPart() {
  const requests: ((response: Response) => void)[] = []
  const answer = (text: string) => requests.at(-1)?.(Response.json({ docs: [text] }))
  const { client, parts, entries } = newClient(
    (_url, init) =>
      new Promise((resolve, reject) => {
        requests.push(resolve)
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason))
      }),
  )
  const { posts } = client.collections as any
  const entryOf = () => {
    renderOnly(() => useFind(posts))
    return entries()[0] as FindEntry
  }
  const entry = entryOf()
  const hide = entry.subscribe(() => {})
  await vi.waitFor(() => expect(requests).toHaveLength(1), WAIT)
  answer("One")
  await vi.waitFor(() => expect(entry.result.data).toEqual({ docs: ["One"] }), WAIT)
  return { parts, requests, answer, entryOf, entry, hide }
}

test("a part that was hidden while another user signed in shows nothing of the former user", async () => {
  const { parts, requests, answer, entry, hide } = await hiddenPart()

  hide()
  vi.advanceTimersByTime(MINUTE_MS)
  parts.user.become("another")
  const leave = entry.subscribe(() => {})
  const shown = entry.result.data
  vi.advanceTimersByTime(1)
  await vi.waitFor(() => expect(requests).toHaveLength(2), WAIT)
  answer("Two")

  expect(shown).toBeUndefined()
  await vi.waitFor(() => expect(entry.result.data).toEqual({ docs: ["Two"] }), WAIT)
  leave()
})

test("a part that was hidden while it was read again is read when it is shown", async () => {
  const { requests, answer, entry, hide } = await hiddenPart()

  void entry.refetch()
  await vi.waitFor(() => expect(requests).toHaveLength(2), WAIT)
  hide()
  vi.advanceTimersByTime(MINUTE_MS)
  const leave = entry.subscribe(() => {})
  await vi.waitFor(() => expect(requests).toHaveLength(3), WAIT)
  answer("Two")

  await vi.waitFor(() => expect(entry.result).toMatchObject({ data: { docs: ["Two"] }, isFetching: false }), WAIT)
  leave()
})

test("a part that was hidden while another part read the same takes over that result", async () => {
  const { entryOf, entry, hide } = await hiddenPart()
  let renders = 0

  hide()
  vi.advanceTimersByTime(MINUTE_MS)
  const other = entryOf()
  const leave = entry.subscribe(() => renders++)

  expect(other).not.toBe(entry)
  expect(renders).toBeGreaterThan(0)
  expect(entryOf()).toBe(other)
  leave()
})
