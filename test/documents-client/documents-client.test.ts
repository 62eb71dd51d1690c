import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import * as Y from "yjs"
import { memoryStore } from "../../packages/kit/test/crdt/memory-store.ts"
import { until, untilSaved } from "../../packages/kit/test/crdt/until.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { crdtOf } from "./client-document.ts"

const isEditor = ({ session }: { session: Session | null }) => session?.user.id !== "reader"
const notes = collection("notes")
  .fields(({ f }) => ({ text: f.textarea().max(100).collaborative() }))
  .access({ read: true, create: true, update: isEditor, delete: true })
const pages = collection("pages")
  .fields(({ f }) => ({
    body: f.textarea().collaborative(),
    story: f.textarea().localized().collaborative(),
    article: f.richText().collaborative(),
  }))
  .access({ read: ({ session }) => session?.user.id !== "stranger", create: true, update: true, delete: true })
const motto = global("motto")
  .fields(({ f }) => ({ text: f.textarea().collaborative() }))
  .access({ read: true, update: true })

const as = (id: string) => ({ user: { id, name: id.toUpperCase() } }) as Session
const config = { locales: { default: "en", all: ["en", "de"] }, limits: { rate: false } } as const
const WAIT = { timeout: 60_000 }

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [notes, pages, motto], config })
})

afterAll(() => app[Symbol.asyncDispose]())

async function make(name: string, values: Record<string, unknown>): Promise<string> {
  return String((await app.app.system.collections[name]?.create(values))?.["id"])
}

const recordOf = async (name: string, id: string) => await app.client().collections[name].findOne({ where: { id } })

test("two users edit a record's text together, and the record gets it", async () => {
  const id = await make("notes", { text: "Hello" })
  const eva = crdtOf(app, as("eva")).documentOf("notes", { id })
  const ben = crdtOf(app, as("ben")).documentOf("notes", { id, field: "text" })
  await Promise.all([eva.whenSynced(), ben.whenSynced()])

  eva.doc.getText("text").insert(5, " world")
  ben.doc.getText("text").insert(0, "> ")
  await Promise.all([untilSaved(eva), untilSaved(ben)])

  const texts = () => [eva, ben].map(({ doc }) => doc.getText("text").toString())
  await expect.poll(texts, WAIT).toEqual(["> Hello world", "> Hello world"])
  await expect.poll(async () => (await recordOf("notes", id)).text, WAIT).toBe("> Hello world")
  expect(eva).toMatchObject({ status: "synced", canEdit: true, problem: null, error: null })
})

test("the names and cursors of others are shown, with the names of their sessions, and go with them", async () => {
  const id = await make("notes", { text: "Hello" })
  const eva = crdtOf(app, as("eva")).documentOf("notes", { id })
  const ben = crdtOf(app, as("ben")).documentOf("notes", { id })
  eva.awareness.setLocalStateField("user", { name: "Somebody else", color: "red" })
  await Promise.all([eva.whenSynced(), ben.whenSynced()])
  eva.awareness.setLocalStateField("cursor", { anchor: 1, head: 2 })
  const evaAt = () => ben.awareness.getStates().get(eva.doc.clientID)

  await expect
    .poll(evaAt, WAIT)
    .toEqual({ user: { name: "EVA", color: "red", id: "eva" }, cursor: { anchor: 1, head: 2 } })
  eva.disconnect()
  await expect.poll(evaAt, WAIT).toBeUndefined()
  eva.connect()
  await expect.poll(evaAt, WAIT).toMatchObject({ cursor: { anchor: 1, head: 2 } })
  eva.destroy()
  await expect.poll(evaAt, WAIT).toBeUndefined()
})

test("edits that were made offline on both sides merge on return, and own edits can be undone", async () => {
  const id = await make("notes", { text: "middle" })
  const eva = crdtOf(app, as("eva")).documentOf("notes", { id })
  const ben = crdtOf(app, as("ben")).documentOf("notes", { id })
  await Promise.all([eva.whenSynced(), ben.whenSynced()])
  const undo = new Y.UndoManager(eva.doc.getText("text"))
  for (const document of [eva, ben]) document.disconnect()
  eva.doc.getText("text").insert(0, "start ")
  ben.doc.getText("text").insert(6, " end")
  const offline = [eva.status, ben.pending]
  for (const document of [eva, ben]) document.connect()
  await Promise.all([eva.whenSynced(), ben.whenSynced()])
  const texts = () => [eva, ben].map(({ doc }) => doc.getText("text").toString())
  await expect.poll(texts, WAIT).toEqual(["start middle end", "start middle end"])
  undo.undo()
  await expect.poll(texts, WAIT).toEqual(["middle end", "middle end"])

  expect(offline).toEqual(["offline", 1])
})

test("a field that is named by nobody is the only one, and a locale does not matter where none is needed", async () => {
  const id = await make("notes", { text: "Hello" })
  const german = crdtOf(app, undefined, { locale: "de" })
  const note = german.documentOf("notes", { id })
  const saying = german.crdt.globals["motto"]?.document()
  await Promise.all([note.whenSynced(), saying?.whenSynced()])
  note.doc.getText("text").insert(5, "!")
  saying?.doc.getText("text").insert(0, "Carpe diem")
  await untilSaved(note)

  expect(note.error).toBeNull()
  await expect.poll(async () => (await recordOf("notes", id)).text, WAIT).toBe("Hello!")
  await expect.poll(async () => (await app.client().globals["motto"].get()).text, WAIT).toBe("Carpe diem")
})

test("a field that is one of several has to be named", async () => {
  const id = await make("pages", {})
  const page = crdtOf(app).documentOf("pages", { id })

  await expect(page.whenSynced()).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: "Name the collaborative field of the document.",
  })
  expect(page.status).toBe("denied")
})

test("each locale has its own document: the one that is named, or the client's", async () => {
  const id = await make("pages", { story: "English" })
  const { documentOf } = crdtOf(app, undefined, { locale: "de" })
  const german = documentOf("pages", { id, field: "story" })
  const english = documentOf("pages", { id, field: "story", locale: "en" })
  await Promise.all([german.whenSynced(), english.whenSynced()])
  german.doc.getText("story").insert(0, "Deutsch")
  await untilSaved(german)
  await expect
    .poll(async () => await app.client().collections["pages"].findOne({ where: { id }, locale: "de" }), WAIT)
    .toMatchObject({ story: "Deutsch" })

  expect(english.doc.getText("story").toString()).toBe("English")
  expect(german).not.toBe(english)
})

test("a value that the record refuses stays in the document, and the editors are told", async () => {
  const id = await make("notes", { text: "short" })
  const { documentOf } = crdtOf(app, as("eva"))
  const eva = documentOf("notes", { id })
  await eva.whenSynced()
  eva.doc.getText("text").insert(5, "x".repeat(200))
  await until(eva, () => eva.problem !== null)
  const { problem } = eva
  eva.doc.getText("text").delete(5, 200)
  await until(eva, () => eva.problem === null)

  expect(problem).toContain("100")
  expect((await recordOf("notes", id)).text).toBe("short")
})

test("edits that a user could not send are sent when the same user is back, and never as another user", async () => {
  const id = await make("notes", { text: "Hello" })
  const store = memoryStore()
  const unsent = async () => (await store.list()).filter(({ isAcknowledged }) => !isAcknowledged).length
  const before = crdtOf(app, as("eva"), { store }).documentOf("notes", { id })
  await before.whenSynced()
  before.disconnect()
  before.doc.getText("text").insert(5, " Eva")
  before.destroy()
  await expect.poll(unsent, WAIT).toBe(1)
  const nobody = crdtOf(app, undefined, { store }).documentOf("notes", { id })
  await expect(nobody.whenSynced()).rejects.toThrow("The edits that wait here are of another user")
  nobody.destroy()
  const back = crdtOf(app, as("eva"), { store }).documentOf("notes", { id })
  await back.whenSynced()
  await untilSaved(back)
  const text = back.doc.getText("text").toString()
  await expect.poll(unsent, WAIT).toBe(0)
  back.disconnect()
  back.doc.getText("text").insert(9, " again")
  back.destroy()
  await expect.poll(unsent, WAIT).toBe(1)
  const ben = crdtOf(app, as("ben"), { store }).documentOf("notes", { id })
  await expect(ben.whenSynced()).rejects.toThrow("The edits that wait here are of another user")
  await expect.poll(() => store.list(), WAIT).toEqual([])

  expect(text).toBe("Hello Eva")
  await expect.poll(async () => (await recordOf("notes", id)).text, WAIT).toBe("Hello Eva")
})

describe("a document that the user", () => {
  test("may only read gets the edits of others, and keeps own edits to itself", async () => {
    const id = await make("notes", { text: "Hello" })
    const reader = crdtOf(app, as("reader")).documentOf("notes", { id })
    const eva = crdtOf(app, as("eva")).documentOf("notes", { id })
    await Promise.all([reader.whenSynced(), eva.whenSynced()])
    const before = { status: reader.status, canEdit: reader.canEdit }
    reader.doc.getText("text").insert(0, "Not ")
    eva.doc.getText("text").insert(5, "!")
    await expect.poll(() => reader.doc.getText("text").toString(), WAIT).toBe("Not Hello!")

    expect(before).toEqual({ status: "synced", canEdit: false })
    expect(reader).toMatchObject({ status: "denied", pending: 1 })
    expect(eva.doc.getText("text").toString()).toBe("Hello!")
  })

  test("may not read is denied, as one that does not exist", async () => {
    const id = await make("pages", { body: "secret" })
    const { documentOf } = crdtOf(app, as("stranger"))
    const hidden = documentOf("pages", { id, field: "body" })
    const missing = documentOf("pages", { id: crypto.randomUUID(), field: "body" })
    const errors = await Promise.all([hidden, missing].map((one) => one.whenSynced().catch((error: Error) => error)))

    expect([hidden.status, missing.status]).toEqual(["denied", "denied"])
    expect(errors[0]).toMatchObject({ message: (errors[1] as Error).message })
    expect(hidden.doc.getText("body").toString()).toBe("")
  })

  test("edits while its record is deleted is denied, and the edits can be read", async () => {
    const id = await make("notes", { text: "Hello" })
    const eva = crdtOf(app, as("eva")).documentOf("notes", { id })
    await eva.whenSynced()
    await app.app.system.collections["notes"]?.deleteById({ id })
    await until(eva, () => eva.status === "denied")
    eva.doc.getText("text").insert(5, " again")

    expect(eva.error).toMatchObject({ code: "NOT_FOUND" })
    expect(eva.pending).toBe(1)
    expect(eva.doc.getText("text").toString()).toBe("Hello again")
  })

  test("has from before it was made again is denied, and discarding it opens the new one", async () => {
    const id = await make("notes", { text: "Hello" })
    const { documentOf } = crdtOf(app, as("eva"))
    const eva = documentOf("notes", { id })
    await eva.whenSynced()
    eva.disconnect()
    eva.doc.getText("text").insert(5, " world")
    await app.database.query('delete from "_kit_documents" where record = $1', [id])
    eva.connect()
    await expect(eva.whenSynced()).rejects.toMatchObject({ code: "CONFLICT" })
    const kept = [eva.status, eva.pending, eva.doc.getText("text").toString()]
    await eva.discard()
    const next = documentOf("notes", { id })
    await next.whenSynced()

    expect(kept).toEqual(["denied", 1, "Hello world"])
    expect(next.doc.getText("text").toString()).toBe("Hello")
  })
})

test("the count of pending edits rises while the server is not reached, and none is lost", async () => {
  const id = await make("notes", { text: "" })
  let isDown = false
  const fetched = vi.spyOn(globalThis, "fetch")
  const real = fetched.getMockImplementation() ?? fetch.bind(globalThis)
  fetched.mockRestore()
  const cut = vi.fn((url: string, init: RequestInit) => {
    if (isDown && url.includes("/crdt/")) return Promise.reject(new TypeError("fetch failed"))
    return real(url, init)
  })
  const client = app.client(as("eva"), { fetch: cut })
  const { createCrdtClient } = await import("kit/crdt")
  const crdt = createCrdtClient(client)
  const eva = crdt.collections["notes"]?.document({ id })
  if (!eva) throw new Error("A client has every collection.")
  await eva.whenSynced()
  isDown = true
  for (const letter of "abcde") eva.doc.getText("text").insert(0, letter)
  await until(eva, () => eva.status === "offline")
  const { pending } = eva
  isDown = false
  await untilSaved(eva)
  await expect.poll(async () => (await recordOf("notes", id)).text, WAIT).toBe("edcba")
  await crdt.clear()

  expect(pending).toBe(5)
})

test("documents and live queries share one stream, and nothing is left when all have ended", async () => {
  const ids = await Promise.all(["one", "two", "three"].map((text) => make("notes", { text })))
  const sent: string[] = []
  const { createCrdtClient } = await import("kit/crdt")
  const client = app.client(as("eva"), {
    fetch: (url, init) => {
      if (url.endsWith("/realtime") && !String(init.body).includes("sessionId")) sent.push(String(init.body))
      return fetch(url, init)
    },
  })
  const crdt = createCrdtClient(client)
  const snapshots = vi.fn()
  const documents = ids.map((id) => crdt.collections["notes"]?.document({ id }))
  const stop = client.collections["notes"].live({ where: { id: ids[0] } }, snapshots)
  await Promise.all(documents.map((document) => document?.whenSynced()))
  await expect.poll(() => snapshots.mock.calls.length, WAIT).toBeGreaterThan(0)
  const counts = [client.realtime.topicCount, client.realtime.subscriberCount]
  stop()
  for (const document of documents) document?.destroy()

  expect(sent).toHaveLength(1)
  expect(counts).toEqual([4, 4])
  expect(client.realtime.subscriberCount).toBe(0)
})
