import { PassThrough } from "node:stream"
import { text } from "node:stream/consumers"
import { collection, type Session } from "kit"
import type { PreloadedEntry } from "kit/react"
import * as inBrowser from "kit/react"
import { type ReactNode, StrictMode, Suspense } from "react"
import { renderToPipeableStream, renderToString } from "react-dom/server"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { sessions, type TestApp, testApp } from "../support/worlds/test-app.ts"
import { clientOf } from "./support/client-of.ts"
import { Network } from "./support/network.ts"
import { asServer, hydrate, type Mounted, mount } from "./support/page.ts"
import { Probe } from "./support/probe.tsx"

// A server has its own copy of the module. If the two renderers shared one, React would warn of the shared context.
vi.resetModules()
const onServer = await import("kit/react")
type Kit = typeof inBrowser

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text().required(), owner: f.text().required(), at: f.datetime() }))
  .access({ read: ({ session }) => session !== null && { owner: session.user.id }, create: true, update: true })

const WAIT = { timeout: 60_000 }
const ANNA: Session = { user: { id: "anna" } }
const BEN: Session = { user: { id: "ben" } }
const RENDERS = 200

let app: TestApp
let network: Network
let shown: Mounted | undefined

beforeAll(async () => {
  app = await testApp({ resources: [notes] })
})

afterAll(() => app[Symbol.asyncDispose]())

beforeEach(async () => {
  await app.database.query("truncate notes cascade")
  const { notes } = serverClient().collections
  await notes.create({ text: "Note of anna", owner: "anna", at: new Date(0) })
  await notes.create({ text: "Note of ben", owner: "ben", at: new Date(1) })
  network = new Network()
})

afterEach(() => {
  vi.restoreAllMocks()
  shown?.unmount()
  shown = undefined
})

/** A client that a server's modules share: it has no session of its own. */
const serverClient = () => clientOf<"notes">(app)
const browserClient = (session?: Session) => clientOf<"notes">(app, { session, fetch: network.fetch })
type Notes = ReturnType<typeof serverClient>["collections"]["notes"]

const headersOf = (session: Session) => new Headers({ cookie: sessions.sign(session), host: "example.com" })
const OPTIONS = { orderBy: { text: "asc" }, limit: 10 } as const

function List({ kit, notes, onRender }: { kit: Kit; notes: Notes; onRender?: () => void }) {
  const { status, data } = kit.useLive(notes, OPTIONS)
  onRender?.()
  return (
    <ul data-status={status}>
      {data?.docs.map(({ id, text, at }) => (
        <li key={String(id)}>
          {String(text)} {at instanceof Date ? at.toISOString() : "no date"}
        </li>
      ))}
    </ul>
  )
}

/** Renders as a server does, chunk by chunk. */
async function streamed(node: ReactNode): Promise<string> {
  const output = new PassThrough()
  const stream = renderToPipeableStream(node, { onShellReady: () => stream.pipe(output) })
  return await text(output)
}

/** Sends an entry through the page, as a framework does. */
const sent = (entry: PreloadedEntry): PreloadedEntry => JSON.parse(JSON.stringify(entry))

describe("a page that was rendered on the server", () => {
  test.each([
    ["at once", (node: ReactNode) => Promise.resolve(renderToString(node))],
    ["as a stream", streamed],
  ])("%s goes live without a second paint if nothing has changed, and then shows changes", async (_way, render) => {
    const errors = vi.spyOn(console, "error")
    const server = serverClient()
    const { html, entry } = await asServer(async () => {
      const entry = await onServer.preload(server.collections.notes, OPTIONS, { headers: headersOf(ANNA) })
      const html = await render(
        <onServer.KitProvider initial={[entry]}>
          <List kit={onServer} notes={server.collections.notes} />
        </onServer.KitProvider>,
      )
      return { html, entry: sent(entry) }
    })
    const client = browserClient(ANNA)
    const recovered: unknown[] = []
    let renders = 0

    shown = hydrate(
      html,
      <inBrowser.KitProvider initial={[entry]}>
        <List kit={inBrowser} notes={client.collections.notes} onRender={() => renders++} />
      </inBrowser.KitProvider>,
      (error) => recovered.push(error),
    )
    const first = shown.html
    await confirmed(client)
    const atRest = renders
    const sentAtRest = network.streamed
    await client.collections.notes.create({ text: "Another", owner: "anna" })
    await vi.waitFor(() => expect(shown?.text).toContain("Another"), WAIT)

    expect(html.replaceAll("<!-- -->", "")).toContain("Note of anna 1970-01-01T00:00:00.000Z")
    expect(first).toContain('data-status="live"')
    expect(atRest).toBe(1)
    expect(sentAtRest).toContain("event: current")
    expect(sentAtRest).not.toContain("Note of anna")
    expect(recovered).toEqual([])
    expect(errors.mock.calls).toEqual([])
    client.realtime.destroy()
  })

  test("hydrates in strict mode without a warning", async () => {
    const errors = vi.spyOn(console, "error")
    const server = serverClient()
    const entry = await asServer(
      async () => await onServer.preload(server.collections.notes, OPTIONS, { headers: headersOf(ANNA) }),
    )
    const page = (kit: Kit, notes: Notes) => (
      <StrictMode>
        <kit.KitProvider initial={[entry]}>
          <List kit={kit} notes={notes} />
        </kit.KitProvider>
      </StrictMode>
    )
    const html = await asServer(async () => renderToString(page(onServer, server.collections.notes)))
    const client = browserClient(ANNA)

    shown = hydrate(html, page(inBrowser, client.collections.notes))
    await confirmed(client)

    expect(shown.text).toContain("Note of anna")
    expect(errors.mock.calls).toEqual([])
    client.realtime.destroy()
  })

  test("shows pending results without a provider, and reads them in the browser", async () => {
    const errors = vi.spyOn(console, "error")
    const server = serverClient()
    const html = await asServer(async () => renderToString(<List kit={onServer} notes={server.collections.notes} />))
    const client = browserClient(ANNA)

    shown = hydrate(html, <List kit={inBrowser} notes={client.collections.notes} />)
    await vi.waitFor(() => expect(shown?.text).toContain("Note of anna"), WAIT)

    expect(html).toBe('<ul data-status="pending"></ul>')
    expect(errors.mock.calls).toEqual([])
    client.realtime.destroy()
  })

  test("needs no request for useFind", async () => {
    const server = serverClient()
    const entry = await asServer(
      async () => await onServer.preload(server.collections.notes, OPTIONS, { headers: headersOf(ANNA) }),
    )
    const client = browserClient(ANNA)
    const results: unknown[] = []
    const html = await asServer(async () =>
      renderToString(
        <onServer.KitProvider initial={[entry]}>
          <Probe useResult={() => onServer.useFind(server.collections.notes, OPTIONS).data?.docs.length} />
        </onServer.KitProvider>,
      ),
    )

    shown = hydrate(
      html,
      <inBrowser.KitProvider initial={[entry]}>
        <Probe
          useResult={() => inBrowser.useFind(client.collections.notes, OPTIONS).data?.docs.length}
          onCommit={(length) => results.push(length)}
        />
      </inBrowser.KitProvider>,
    )
    await vi.waitFor(() => expect(results).toEqual([1]), WAIT)

    expect(network.requests).toEqual([])
  })
})

test("a preloaded result is shown once: a later component reads what is stored by then", async () => {
  const client = browserClient(ANNA)
  const entry = await onServer.preload(client.collections.notes, OPTIONS)
  const page = (isShown: boolean) => (
    <inBrowser.KitProvider initial={[entry]}>
      {isShown && (
        <Probe useResult={() => inBrowser.useFind(client.collections.notes, OPTIONS).data?.docs[0]?.["text"]} />
      )}
    </inBrowser.KitProvider>
  )
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })

  shown = mount(page(true))
  await vi.waitFor(() => expect(shown?.text).toBe('"Note of anna"'), WAIT)
  shown.render(page(false))
  await vi.waitFor(() => expect(shown?.text).toBe(""), WAIT)
  vi.advanceTimersByTime(10_000)
  vi.useRealTimers()
  await app.database.query(`update notes set text = 'Later' where owner = 'anna'`)
  shown.render(page(true))

  await vi.waitFor(() => expect(shown?.text).toBe('"Later"'), WAIT)
})

test("a suspense hook without a preloaded result says on the server what to do", async () => {
  const server = serverClient()
  const errors: string[] = []

  await asServer(
    async () =>
      await new Promise<void>((resolve) => {
        const stream = renderToPipeableStream(
          <Suspense fallback="loading">
            <Probe useResult={() => onServer.useLiveSuspense(server.collections.notes)} />
          </Suspense>,
          {
            onError: (error) => void errors.push(String(error)),
            onAllReady: () => {
              stream.abort()
              resolve()
            },
          },
        )
      }),
  )

  expect(errors).toEqual([
    "Error: The collection notes was not preloaded, so the server cannot render it: pass the result of preload(), " +
      "with the same handle and options, to <KitProvider initial={[entry]}>.",
  ])
})

test("interleaved renders of two users with one client show nobody the notes of the other", async () => {
  const server = serverClient()
  const renderFor = async (session: Session) => {
    const entry = await onServer.preload(server.collections.notes, OPTIONS, { headers: headersOf(session) })
    return await streamed(
      <onServer.KitProvider initial={[entry]} client={server}>
        <List kit={onServer} notes={server.collections.notes} />
        <Suspense>
          <Later>
            <List kit={onServer} notes={server.collections.notes} />
          </Later>
        </Suspense>
      </onServer.KitProvider>,
    )
  }

  const pages = await asServer(
    async () => await Promise.all([...Array(RENDERS).keys()].map((number) => renderFor(number % 2 ? ANNA : BEN))),
  )

  const owners = pages.map((page) => [...new Set(page.match(/Note of \w+/g))])
  expect(owners).toEqual(pages.map((_page, number) => [number % 2 ? "Note of anna" : "Note of ben"]))
  expect(pages.map((page) => page.match(/Note of \w+/g)?.length)).toEqual(pages.map(() => 2))
})

test("without a provider, a server's render shows no data, even after a render with a provider", async () => {
  const server = serverClient()
  const pages = await asServer(async () => {
    const entry = await onServer.preload(server.collections.notes, OPTIONS, { headers: headersOf(ANNA) })
    const list = <List kit={onServer} notes={server.collections.notes} />
    const { KitProvider } = onServer
    const withEntry = renderToString(<KitProvider initial={[entry]}>{list}</KitProvider>)
    return [withEntry, renderToString(list), renderToString(<KitProvider>{list}</KitProvider>)]
  })

  expect(pages.map((page) => page.includes("Note of anna"))).toEqual([true, false, false])
})

test("preload passes on who asks, and refuses what is no handle", async () => {
  const requests: Headers[] = []
  const server = clientOf<"notes">(app, {
    fetch: async (url, init) => {
      requests.push(new Headers(init?.headers))
      return await fetch(url, init)
    },
  })
  const headers = {
    ...Object.fromEntries(headersOf(ANNA)),
    "content-length": "7",
    "accept-language": "sk",
    origin: "x",
  }

  const entry = await onServer.preload(server.collections.notes, OPTIONS, { headers })

  expect(requests).toHaveLength(1)
  expect(requests[0]?.get("cookie")).toBe(sessions.sign(ANNA))
  expect(requests[0]?.get("accept-language")).toBe("sk")
  expect(["host", "content-length", "origin"].map((name) => requests[0]?.has(name))).toEqual([false, false, false])
  expect(sent(entry)).toEqual(entry)
  await expect(onServer.preload(undefined as never)).rejects.toThrow(
    "The first argument of preload is undefined, not a handle.",
  )
})

/** Suspends once, so that the rest of the page is rendered later. */
function Later({ children }: { children: ReactNode }) {
  // The cast is safe: the children are one element.
  const element = children as object
  if (!paused.has(element)) throw pauseFor(element)
  return children
}

const paused = new WeakSet<object>()

async function pauseFor(element: object): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  paused.add(element)
}

/** Resolves when the stream of the client has confirmed or sent its topic, and its subscribers know it. */
async function confirmed(client: ReturnType<typeof browserClient>): Promise<void> {
  await vi.waitFor(() => expect(network.streamed).toMatch(/event: (?:current|snapshot)/), WAIT)
  await client.collections.notes.watchIter(OPTIONS).next()
}
