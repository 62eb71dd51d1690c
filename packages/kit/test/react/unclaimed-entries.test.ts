import { createElement } from "react"
import { renderToString } from "react-dom/server"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { CLIENT_PARTS, type ClientParts } from "../../src/client/client-parts.ts"
import { createClient } from "../../src/client.ts"
import { factsOf } from "../../src/react/reads/facts-of.ts"
import { browserStoreOf } from "../../src/react/store/client-store.ts"
import { queryOf } from "../../src/react/store/query-key.ts"
import { KitProvider, type PreloadedEntry, useFind, useLive } from "../../src/react.ts"

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

const newClient = () => {
  const client = createClient({ baseURL: "http://localhost:1" })
  // The cast is safe: every client has this member.
  const parts = Reflect.get(client, CLIENT_PARTS) as ClientParts
  return { client, entries: () => [...browserStoreOf(parts).entries] }
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
