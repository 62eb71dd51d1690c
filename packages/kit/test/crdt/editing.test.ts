import { expect, test, vi } from "vitest"
import * as Y from "yjs"
import { CLIENT_PARTS, type ClientParts } from "../../src/client/client-parts.ts"
import { createClient } from "../../src/client.ts"
import { createCrdtClient } from "../../src/crdt.ts"
import { documentServer } from "./document-server.ts"
import { openDocument } from "./opened-document.ts"
import { until, untilSaved } from "./until.ts"

test("two clients edit one document and see each other's text", async () => {
  await using server = await documentServer()
  server.doc.getText("body").insert(0, "Hello")
  using one = openDocument(server)
  using other = openDocument(server)
  await Promise.all([one.document.whenSynced(), other.document.whenSynced()])

  one.text.insert(5, " world")
  other.text.insert(0, "> ")

  await expect.poll(() => [one.text.toString(), other.text.toString()]).toEqual(["> Hello world", "> Hello world"])
  await Promise.all([untilSaved(one.document), untilSaved(other.document)])
  expect(server.text()).toBe("> Hello world")
  expect(server.posts[0]).toMatchObject({
    path: "/crdt/articles/1/body/updates",
    contentType: "application/octet-stream",
  })
  expect(server.posts[0]?.query.get("epoch")).toBe("e1")
  expect(server.posts[0]?.query.get("stream")).toMatch(/^s\d$/)
})

test("one request is under way at a time, and the next one has everything that was typed meanwhile", async () => {
  await using server = await documentServer()
  using opened = openDocument(server)
  const { document, text } = opened
  await document.whenSynced()
  await expect.poll(() => server.posts.length).toBe(1)
  const release = server.holdAnswers()

  for (const letter of "abc") text.insert(text.length, letter)
  await expect.poll(() => server.edits.length).toBe(1)
  for (const letter of "defgh") text.insert(text.length, letter)
  const pending = document.pending
  release()
  await untilSaved(document)

  expect(pending).toBe(8)
  expect(server.edits).toHaveLength(2)
  expect(server.text()).toBe("abcdefgh")
})

test("a keystroke and the cursor that moves with it go out together", async () => {
  await using server = await documentServer()
  using opened = openDocument(server, { awarenessIntervalMs: 60_000 })
  const { document, text } = opened
  await document.whenSynced()
  await expect.poll(() => server.posts.length).toBe(1)

  text.insert(0, "a")
  document.awareness.setLocalStateField("cursor", 1)
  await untilSaved(document)
  document.awareness.setLocalStateField("cursor", 2)
  text.insert(1, "b")
  await untilSaved(document)

  expect(server.posts.slice(1).map(({ update, awareness }) => [update.length > 0, awareness.length > 0])).toEqual([
    [true, true],
    [true, true],
  ])
})

test("edits that were made before the first answer are sent with it", async () => {
  await using server = await documentServer()
  server.doc.getText("body").insert(0, "there")
  using opened = openDocument(server)
  opened.text.insert(0, "Hi ")

  await opened.document.whenSynced()
  await untilSaved(opened.document)

  expect([server.text(), opened.text.toString()].map((text) => [...text].sort().join(""))).toEqual([
    " Heehirt",
    " Heehirt",
  ])
})

test("the same address gives the same object until it is destroyed", async () => {
  await using server = await documentServer()
  const { crdt, document } = openDocument(server)
  const again = crdt.collections.articles?.document({ id: 1 as never, field: "body" })
  const other = crdt.collections.articles?.document({ id: "2", field: "body" })
  document.destroy()
  const next = crdt.collections.articles?.document({ id: "1", field: "body" })
  other?.destroy()
  next?.destroy()

  expect(again).toBe(document)
  expect(other).not.toBe(document)
  expect(next).not.toBe(document)
  expect(() => document.connect()).toThrow("The document was destroyed")
  await expect(document.whenSynced()).rejects.toThrow("The document was destroyed")
})

test("documents share the client's one stream with live queries and with each other", async () => {
  await using server = await documentServer()
  const { client, crdt, document } = openDocument(server)
  const other = crdt.globals.site?.document({ field: "intro", locale: "de" })
  await document.whenSynced()
  await other?.whenSynced()

  expect(server.streams).toHaveLength(1)
  expect(server.streams[0]?.documents).toMatchObject([
    { resourceType: "collection", resource: "articles", recordId: "1", field: "body" },
    { resourceType: "global", resource: "site", field: "intro", locale: "de" },
  ])
  expect(client.realtime.topicCount).toBe(2)
  other?.destroy()
  await expect.poll(() => server.streams[0]?.documents.length).toBe(1)
  document.destroy()
  await expect.poll(() => server.streams.length).toBe(0)
})

test("the members say what they are, and listeners are called when one changes", async () => {
  await using server = await documentServer()
  using opened = openDocument(server)
  const { document, text } = opened
  const statuses: string[] = []
  const leave = document.subscribe(() => statuses.push(`${document.status} ${document.pending}`))
  const before = document.status
  await document.whenSynced()
  text.insert(0, "a")
  await untilSaved(document)
  const calls = statuses.length
  leave()
  text.insert(0, "b")
  await untilSaved(document)

  expect(before).toBe("connecting")
  expect(statuses).toEqual(["synced 0", "synced 1", "synced 0"])
  expect(statuses).toHaveLength(calls)
  expect(document).toMatchObject({ canEdit: true, problem: null, error: null })
})

test("the problem that the record has with the value is told and taken back", async () => {
  await using server = await documentServer()
  server.served.problem = "The body is too long."
  using opened = openDocument(server)
  const { document } = opened
  await document.whenSynced()
  const first = document.problem
  const [stream] = server.streams
  stream?.send("problem", { documentId: stream.documents[0]?.id ?? "", message: null })
  await until(document, () => document.problem === null)

  expect(first).toBe("The body is too long.")
})

test("only the user's own edits are undone", async () => {
  await using server = await documentServer()
  using one = openDocument(server)
  using other = openDocument(server)
  await Promise.all([one.document.whenSynced(), other.document.whenSynced()])
  const undo = new Y.UndoManager(one.text)

  one.text.insert(0, "mine")
  await untilSaved(one.document)
  await expect.poll(() => other.text.toString()).toBe("mine")
  other.text.insert(4, " theirs")
  await expect.poll(() => one.text.toString()).toBe("mine theirs")
  server.cut()
  await until(one.document, () => one.document.status === "offline")
  await one.document.whenSynced()
  undo.undo()
  await untilSaved(one.document)
  await expect.poll(() => other.text.toString()).toBe(" theirs")
  undo.undo()

  expect(one.text.toString()).toBe(" theirs")
})

test("a client that createClient did not make is refused, as are bad options", () => {
  const client = createClient({ baseURL: "http://127.0.0.1:9", crdt: { awarenessIntervalMs: -1 } })
  const crdt = createCrdtClient(client, { awarenessIntervalMs: 5 })

  expect(() => createCrdtClient(Object())).toThrow(
    'createCrdtClient needs a client that createClient of "kit/client" made.',
  )
  expect(() => createCrdtClient(client)).toThrow("awarenessIntervalMs must be a number of milliseconds")
  expect(() => crdt.collections.posts?.document({} as never)).toThrow('A document of "posts" needs the id of a record')
  expect(() => client.crdt).toThrow('Use createCrdtClient(client) of "kit/crdt".')
  expect(Object.getOwnPropertySymbols({ ...client })).toEqual([])
})

test("a document is offline while the code for streams cannot be loaded, and follows the stream afterwards", async () => {
  await using server = await documentServer()
  const client = createClient({ baseURL: server.baseURL })
  const parts: ClientParts = Reflect.get(client, CLIENT_PARTS)
  let load = () => {}
  // The client repeats the import by itself, and meanwhile reports errors that are not final.
  const follow: ClientParts["follow"] = (subscription) => {
    queueMicrotask(() => subscription.onError?.(new TypeError("The module cannot be loaded.")))
    let leave = () => {}
    load = () => {
      leave = parts.follow(subscription)
    }
    return () => leave()
  }
  const crdt = createCrdtClient({ ...client, [CLIENT_PARTS]: { ...parts, follow } } as typeof client)
  const document = crdt.collections["articles"]?.document({ id: "1", field: "body" })
  if (!document) throw new Error("A client has every collection.")
  await until(document, () => document.status === "offline")
  const { error } = document
  load()
  await document.whenSynced()
  const { status } = document
  document.destroy()

  expect(error?.message).toBe("The module cannot be loaded.")
  expect(status).toBe("synced")
})

test("a fast connection gets one request for what was typed within some milliseconds, not one per letter", async () => {
  await using server = await documentServer()
  using opened = openDocument(server)
  const { document, text } = opened
  await document.whenSynced()
  await expect.poll(() => server.posts.length).toBe(1)
  const start = performance.now()
  while (performance.now() - start < 400) {
    text.insert(text.length, "a")
    await new Promise((resolve) => setImmediate(resolve))
  }
  await untilSaved(document)

  expect(server.edits.length).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - start) / 40))
  expect(server.text()).toBe(text.toString())
})

test("an error in a listener or in an observer of the document does not stop the others", async () => {
  await using server = await documentServer()
  using opened = openDocument(server)
  const { document, text } = opened
  const reported = vi.fn()
  vi.stubGlobal("reportError", reported)
  document.subscribe(() => {
    throw new Error("listener")
  })
  await document.whenSynced()
  const fail = () => {
    throw new Error("observer")
  }
  text.observe(fail)
  server.doc.getText("body").insert(0, "a")
  await expect.poll(() => reported.mock.calls.map(([error]) => error.message)).toContain("observer")
  text.unobserve(fail)
  server.doc.getText("body").insert(0, "b")

  await expect.poll(() => text.toString()).toBe("ba")
})
