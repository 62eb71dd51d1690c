import { IDBFactory } from "fake-indexeddb"
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import * as Y from "yjs"
import { indexedDbStore } from "../../src/crdt/indexed-db-store.ts"
import type { DocumentStore } from "../../src/crdt.ts"
import { documentServer } from "./document-server.ts"
import { memoryStore } from "./memory-store.ts"
import { openDocument } from "./opened-document.ts"
import { until, untilSaved } from "./until.ts"

let databases = 0
const STORES: [name: string, make: () => DocumentStore][] = [
  ["in memory", memoryStore],
  ["in IndexedDB", () => indexedDbStore(`test ${++databases}`)],
]

const indexedDB = new IDBFactory()
beforeEach(() => {
  vi.stubGlobal("indexedDB", indexedDB)
})
afterEach(() => {
  vi.restoreAllMocks()
})
// The files that run after this one in the same process must not keep their documents.
afterAll(() => {
  vi.unstubAllGlobals()
})

/** Returns the number of stored edits that the server does not have. */
async function unsentIn(store: DocumentStore): Promise<number> {
  return (await store.list()).filter(({ isAcknowledged }) => !isAcknowledged).length
}

/** Returns the text that the store has of its only document. */
async function textIn(store: DocumentStore): Promise<string> {
  const [first] = await store.list()
  const doc = new Y.Doc()
  for (const { update } of await store.load(first?.key ?? "")) Y.applyUpdate(doc, update)
  return doc.getText("body").toString()
}

describe.each(STORES)("a document that is kept %s", (_name, make) => {
  test("is there without a connection, with the edits that were not sent, which are sent later", async () => {
    await using server = await documentServer()
    const store = make()
    server.doc.getText("body").insert(0, "Hello")
    const first = openDocument(server, { store })
    await first.document.whenSynced()
    server.cut({ down: true })
    await until(first.document, () => first.document.status === "offline")
    first.text.insert(5, " world")
    first.document.destroy()
    await expect.poll(() => unsentIn(store)).toBe(1)

    using second = openDocument(server, { store })
    await until(second.document, () => second.document.pending > 0)
    const offline = { text: second.text.toString(), pending: second.document.pending }
    second.text.insert(0, "> ")
    server.up()
    await second.document.whenSynced()
    await untilSaved(second.document)

    expect(offline).toEqual({ text: "Hello world", pending: 1 })
    expect(server.text()).toBe("> Hello world")
    expect(server.streams[0]?.documents[0]?.epoch).toBe("e1")
  })

  test("is shared by two tabs, and neither loses an edit of the other", async () => {
    await using server = await documentServer()
    const store = make()
    const one = openDocument(server, { store })
    const other = openDocument(server, { store })
    await Promise.all([one.document.whenSynced(), other.document.whenSynced()])
    server.cut({ down: true })
    for (const { document } of [one, other]) await until(document, () => document.status === "offline")
    one.text.insert(0, "one ")
    other.text.insert(0, "other ")
    one.document.destroy()
    other.document.destroy()
    await expect.poll(() => unsentIn(store)).toBe(2)
    server.up()
    using next = openDocument(server, { store })
    await next.document.whenSynced()
    await untilSaved(next.document)

    expect(server.text()).toMatch(/^(one other |other one )$/)
  })

  test("stays small, however many edits were made", async () => {
    await using server = await documentServer()
    const store = make()
    using opened = openDocument(server, { store })
    await opened.document.whenSynced()
    for (let edit = 0; edit < 80; edit++) {
      opened.text.insert(0, "a")
      await untilSaved(opened.document)
    }

    await expect.poll(async () => (await textIn(store)).length).toBe(80)
    await expect.poll(() => unsentIn(store)).toBe(0)
    const rows = await store.list()

    expect(rows.length).toBeLessThan(60)
    expect(new Set(rows.map(({ userId, epoch }) => `${userId} ${epoch}`))).toEqual(new Set(["u1 e1"]))
  })

  test("is deleted by discard, and every document by clear", async () => {
    await using server = await documentServer()
    const store = make()
    const { crdt, document, text } = openDocument(server, { store })
    const other = crdt.globals.site?.document({ field: "intro" })
    await Promise.all([document.whenSynced(), other?.whenSynced()])
    text.insert(0, "a")
    await expect.poll(async () => new Set((await store.list()).map(({ key }) => key)).size).toBe(2)
    await document.discard()
    const left = new Set((await store.list()).map(({ key }) => key))
    await crdt.clear()

    expect(left.size).toBe(1)
    expect(await store.list()).toEqual([])
    expect(() => other?.connect()).toThrow("The document was destroyed")
  })

  test("of another user is deleted when somebody else is signed in", async () => {
    await using server = await documentServer()
    const store = make()
    server.doc.getText("body").insert(0, "Hello")
    const first = openDocument(server, { store })
    await first.document.whenSynced()
    await expect.poll(async () => (await store.list()).map(({ userId }) => userId)).toEqual(["u1"])
    first.document.destroy()
    server.served.userId = "u2"
    using second = openDocument(server, { store })
    await second.document.whenSynced()
    await expect.poll(async () => new Set((await store.list()).map(({ userId }) => userId))).toEqual(new Set(["u2"]))

    expect(second.document.status).toBe("synced")
    expect(second.text.toString()).toBe("Hello")
  })

  test("of another user with edits that were not sent is denied: they are neither sent nor kept", async () => {
    await using server = await documentServer()
    const store = make()
    const first = openDocument(server, { store })
    await first.document.whenSynced()
    first.document.disconnect()
    first.text.insert(0, "secret")
    first.document.destroy()
    await expect.poll(() => unsentIn(store)).toBe(1)
    server.served.userId = "u2"
    using second = openDocument(server, { store })
    await expect(second.document.whenSynced()).rejects.toThrow("of another user")
    await expect.poll(() => store.list()).toEqual([])
    second.document.destroy()
    using third = openDocument(server, { store })
    await third.document.whenSynced()

    expect(server.text()).toBe("")
    expect(third.text.toString()).toBe("")
  })

  test("keeps edits that were not sent when nobody is signed in, until their user is back", async () => {
    await using server = await documentServer()
    const store = make()
    server.doc.getText("body").insert(0, "Hello")
    const first = openDocument(server, { store })
    await first.document.whenSynced()
    first.document.disconnect()
    first.text.insert(5, " unsent")
    first.document.destroy()
    await expect.poll(() => unsentIn(store)).toBe(1)
    server.served.userId = null
    const second = openDocument(server, { store })
    await expect(second.document.whenSynced()).rejects.toThrow("of another user")
    await expect.poll(async () => (await store.list()).map(({ isAcknowledged }) => isAcknowledged)).toEqual([false])
    second.document.destroy()
    server.served.userId = "u1"
    using third = openDocument(server, { store })
    await third.document.whenSynced()
    await untilSaved(third.document)

    expect(server.text()).toBe("Hello unsent")
    // The copy is whole again, although nobody had the right to keep its first part.
    await expect.poll(() => textIn(store)).toBe("Hello unsent")
  })
})

test("a document that is opened again at once finds everything that was written before", async () => {
  await using server = await documentServer()
  const { crdt, document, text } = openDocument(server)
  await document.whenSynced()
  document.disconnect()
  text.insert(0, "unsent")
  document.destroy()
  const again = crdt.collections.articles?.document({ id: "1", field: "body" })
  await again?.whenSynced()
  await expect.poll(() => server.text()).toBe("unsent")
  again?.destroy()
})

test("only edits that were made since are undone after the document was loaded", async () => {
  await using server = await documentServer()
  const store = memoryStore()
  const first = openDocument(server, { store })
  await first.document.whenSynced()
  first.text.insert(0, "before")
  first.document.destroy()
  await expect.poll(() => server.text()).toBe("before")
  server.cut({ down: true })
  using second = openDocument(server, { store })
  const undo = new Y.UndoManager(second.text)
  await expect.poll(() => second.text.toString()).toBe("before")
  second.text.insert(6, " after")
  undo.undo()
  undo.undo()

  expect(second.text.toString()).toBe("before")
})

test("IndexedDB is used by itself where it exists, unless it is turned off", async () => {
  await using server = await documentServer()
  const first = openDocument(server)
  await first.document.whenSynced()
  first.text.insert(0, "kept")
  await untilSaved(first.document)
  first.document.destroy()
  server.cut({ down: true })
  using second = openDocument(server)
  using third = openDocument(server, { store: false })
  await expect.poll(() => second.text.toString()).toBe("kept")
  await until(third.document, () => third.document.status === "offline")

  expect(third.text.toString()).toBe("")
})

test("a store that fails is reported, and does not stop the editing", async () => {
  await using server = await documentServer()
  const failing = { ...memoryStore(), append: () => Promise.reject(new Error("The disk is full.")) }
  using opened = openDocument(server, { store: failing })
  const { document, text } = opened
  await document.whenSynced()
  text.insert(0, "a")
  await untilSaved(document)
  await until(document, () => document.error !== null)

  expect(document.status).toBe("synced")
  expect(document.error?.message).toBe("The offline copy cannot be written or read.")
  expect(document.error?.cause).toEqual(new Error("The disk is full."))
  expect(server.text()).toBe("a")
})
