import { expect, test, vi } from "vitest"
import * as Y from "yjs"
import { documentServer } from "./document-server.ts"
import { openDocument } from "./opened-document.ts"
import { until, untilSaved } from "./until.ts"

const original = globalThis.fetch

test("edits that are made without a connection are kept, and merge when it is back", async () => {
  await using server = await documentServer()
  using one = openDocument(server)
  using other = openDocument(server)
  await Promise.all([one.document.whenSynced(), other.document.whenSynced()])
  one.document.disconnect()
  one.text.insert(0, "one ")
  other.text.insert(0, "other ")
  await untilSaved(other.document)
  const offline = { status: one.document.status, pending: one.document.pending, text: one.text.toString() }
  const posts = server.edits.length
  one.document.connect()
  await untilSaved(one.document)
  await expect.poll(() => other.text.toString()).toBe(one.text.toString())

  expect(offline).toEqual({ status: "offline", pending: 1, text: "one " })
  expect(posts).toBe(1)
  expect(server.text()).toMatch(/^(one other |other one )$/)
})

test("a stream that breaks is opened again with the replica's epoch and state, and nothing is sent twice", async () => {
  await using server = await documentServer()
  using opened = openDocument(server)
  const { document, text } = opened
  await document.whenSynced()
  text.insert(0, "abc")
  await untilSaved(document)
  const edits = server.edits.length
  server.cut()
  await until(document, () => document.status === "offline")
  server.doc.getText("body").insert(3, "d")
  await document.whenSynced()
  const [asked] = server.streams[0]?.documents ?? []
  const vector = Y.decodeStateVector(Buffer.from(asked?.stateVector ?? "", "base64"))

  expect(asked?.epoch).toBe("e1")
  expect(vector).toEqual(new Map([[document.doc.clientID, 3]]))
  expect(text.toString()).toBe("abcd")
  expect(server.edits).toHaveLength(edits)
})

test("a deletion that was not acknowledged is sent again, although it does not change the state vector", async () => {
  await using server = await documentServer()
  using opened = openDocument(server)
  const { document, text } = opened
  await document.whenSynced()
  text.insert(0, "abc")
  await untilSaved(document)
  document.disconnect()
  text.delete(0, 2)
  document.connect()
  await untilSaved(document)

  expect(server.text()).toBe("c")
})

test("what the server has lost is sent again", async () => {
  await using server = await documentServer()
  using opened = openDocument(server)
  const { document, text } = opened
  await document.whenSynced()
  text.insert(0, "kept")
  await untilSaved(document)
  document.disconnect()
  await using restored = await documentServer()
  restored.served.epoch = "e1"
  const fetched = vi.spyOn(globalThis, "fetch").mockImplementation((url, init) => {
    return original(String(url).replace(server.baseURL, restored.baseURL), init)
  })
  text.insert(4, "!")
  document.connect()
  await expect.poll(() => restored.text()).toBe("kept!")
  await untilSaved(document)
  fetched.mockRestore()

  expect(restored.edits).toHaveLength(1)
})

test("what waits when the document is disconnected is still sent once", async () => {
  await using server = await documentServer()
  using opened = openDocument(server)
  const { document, text } = opened
  await document.whenSynced()
  await expect.poll(() => server.posts.length).toBe(1)
  const release = server.holdAnswers()
  text.insert(0, "a")
  await expect.poll(() => server.edits.length).toBe(1)
  text.insert(1, "b")
  document.disconnect()
  text.insert(2, "c")
  release()
  await until(document, () => document.pending === 1)
  await expect.poll(() => server.streams.length).toBe(0)

  expect(document.status).toBe("offline")
  expect(server.text()).toBe("ab")
  expect(server.edits).toHaveLength(2)
})

test("a server that is not there leaves the document offline, with the reason, until it comes", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0)
  await using server = await documentServer()
  server.cut({ down: true })
  using opened = openDocument(server)
  const { document, text } = opened
  text.insert(0, "early")
  await until(document, () => document.status === "offline")
  const { error } = document
  server.up()
  await document.whenSynced()
  await untilSaved(document)

  expect(error?.message).toContain(`No answer from ${server.baseURL}/realtime`)
  expect(document.error).toBeNull()
  expect(server.text()).toBe("early")
})

test("leaving the page sends what waits in a request that outlives it", async () => {
  await using server = await documentServer()
  const page = new EventTarget()
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page))
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page))
  const fetched = vi.spyOn(globalThis, "fetch")
  using opened = openDocument(server)
  const { document, text } = opened
  await document.whenSynced()
  await expect.poll(() => server.posts.length).toBe(1)
  const release = server.holdAnswers()
  text.insert(0, "last words")
  await expect.poll(() => server.edits.length).toBe(1)
  page.dispatchEvent(new Event("pagehide"))
  await expect.poll(() => server.edits.length).toBe(2)
  release()
  await untilSaved(document)

  expect(fetched.mock.calls.map(([, init]) => init?.keepalive)).toEqual([false, false, false, true])
  expect(server.text()).toBe("last words")
})
