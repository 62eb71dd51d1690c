import { afterEach, expect, test, vi } from "vitest"
import { Awareness, applyAwarenessUpdate, encodeAwarenessUpdate } from "y-protocols/awareness"
import * as Y from "yjs"
import { base64, documentServer } from "./document-server.ts"
import { openDocument } from "./opened-document.ts"
import { until } from "./until.ts"

afterEach(() => {
  vi.restoreAllMocks()
})

/** Another editor, whose states reach the client through the server's streams. */
function otherEditor(server: Awaited<ReturnType<typeof documentServer>>) {
  const awareness = new Awareness(new Y.Doc())
  const tell = () => {
    const update = base64(encodeAwarenessUpdate(awareness, [awareness.clientID]))
    for (const stream of server.streams) stream.sendToAll("awareness", { update })
  }
  return { awareness, tell, [Symbol.dispose]: () => awareness.doc.destroy() }
}

/** Applies what the server has received from clients. */
function received(server: Awaited<ReturnType<typeof documentServer>>) {
  const awareness = new Awareness(new Y.Doc())
  awareness.setLocalState(null)
  for (const post of server.posts)
    if (post.awareness.length > 0) applyAwarenessUpdate(awareness, post.awareness, "test")
  awareness.doc.destroy()
  return [...awareness.getStates().values()]
}

test("the user's state is announced when the document is synced, and removed when the user leaves", async () => {
  await using server = await documentServer()
  const { document } = openDocument(server)
  document.awareness.setLocalStateField("user", { name: "Eva" })
  await document.whenSynced()
  await expect.poll(() => received(server)).toEqual([{ user: { name: "Eva" } }])
  document.disconnect()
  await expect.poll(() => received(server)).toEqual([])
  const kept = document.awareness.getLocalState()
  document.connect()
  await expect.poll(() => received(server)).toEqual([{ user: { name: "Eva" } }])
  document.destroy()
  await expect.poll(() => received(server)).toEqual([])

  expect(kept).toEqual({ user: { name: "Eva" } })
})

test("a cursor that moves often is sent at most once per interval, and its last position arrives", async () => {
  await using server = await documentServer()
  using opened = openDocument(server, { awarenessIntervalMs: 200 })
  const { document } = opened
  await document.whenSynced()
  await expect.poll(() => server.posts.length).toBe(1)
  const start = performance.now()
  for (let position = 0; position <= 300; position++) {
    document.awareness.setLocalStateField("cursor", position)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await expect.poll(() => received(server)).toEqual([{ cursor: 300 }])
  const most = 2 + Math.floor((performance.now() - start) / 200)

  expect(server.posts.length - 1).toBeLessThanOrEqual(most)
})

test("others are shown while the stream is open, and again after it was lost, even if they did not move", async () => {
  await using server = await documentServer()
  using other = otherEditor(server)
  using opened = openDocument(server)
  const { document } = opened
  other.awareness.setLocalState({ user: { name: "Bob" } })
  await document.whenSynced()
  const others = () =>
    [...document.awareness.getStates()].filter(([id]) => id !== document.doc.clientID).map(([, state]) => state)
  other.tell()
  await expect.poll(others).toEqual([{ user: { name: "Bob" } }])
  server.cut()
  await until(document, () => document.status === "offline")
  const offline = others()
  await document.whenSynced()
  other.tell()
  await expect.poll(others).toEqual([{ user: { name: "Bob" } }])

  expect(offline).toEqual([])
})

test("a cursor that the server refuses does not deny the document", async () => {
  await using server = await documentServer()
  const original = globalThis.fetch
  vi.spyOn(globalThis, "fetch").mockImplementation((url, init) =>
    String(url).includes("/crdt/")
      ? Promise.resolve(new Response('{"error":{"code":"FORBIDDEN","message":"No."}}', { status: 403 }))
      : original(url, init),
  )
  using opened = openDocument(server)
  const { document } = opened
  await document.whenSynced()
  await expect.poll(() => vi.mocked(globalThis.fetch).mock.calls.length).toBe(2)

  expect(document).toMatchObject({ status: "synced", error: null })
})
