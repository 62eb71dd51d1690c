import { afterEach, describe, expect, test, vi } from "vitest"
import * as Y from "yjs"
import { splitUpdate } from "../../src/crdt/split-update.ts"
import { documentServer } from "./document-server.ts"
import { openDocument } from "./opened-document.ts"
import { until, untilSaved } from "./until.ts"

const MAX_BYTES = 256 * 1024

afterEach(() => {
  vi.restoreAllMocks()
})

describe("an edit that cannot be sent now", () => {
  test.each(["drop", { status: 503 }, { status: 500 }, { status: 429, headers: { "retry-after": "0" } }] as const)(
    "because of %o is sent again, and the document is offline meanwhile",
    async (answer) => {
      vi.spyOn(Math, "random").mockReturnValue(0)
      await using server = await documentServer()
      using opened = openDocument(server)
      const { document, text } = opened
      await document.whenSynced()
      server.answers.push(answer)

      text.insert(0, "a")
      await until(document, () => document.status === "offline")
      const { pending, error } = document
      text.insert(1, "b")
      await untilSaved(document)

      expect(pending).toBe(1)
      expect(error).toBeInstanceOf(Error)
      expect(document).toMatchObject({ status: "synced", error: null })
      expect(server.edits).toHaveLength(2)
      expect(server.text()).toBe("ab")
    },
  )

  test("waits as long as the server says", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0)
    const delays = vi.spyOn(globalThis, "setTimeout")
    await using server = await documentServer()
    using opened = openDocument(server)
    const { document, text } = opened
    await document.whenSynced()
    server.answers.push({ status: 429, headers: { "retry-after": "7" } })
    text.insert(0, "a")
    await until(document, () => document.status === "offline")

    expect(delays.mock.calls.map(([, delay]) => delay)).toContain(7_000)
  })

  test("is sent as soon as the connection is back, however long the next attempt would have waited", async () => {
    await using server = await documentServer()
    using opened = openDocument(server)
    const { document, text } = opened
    await document.whenSynced()
    server.answers.push({ status: 503, headers: { "retry-after": "3600" } })
    text.insert(0, "a")
    await until(document, () => document.status === "offline")
    server.cut()
    await untilSaved(document)

    expect(server.text()).toBe("a")
  })
})

describe("edits that the server refuses", () => {
  test.each([400, 409, 413])("with %i are kept and not sent again", async (status) => {
    await using server = await documentServer()
    using opened = openDocument(server)
    const { document, text } = opened
    await document.whenSynced()
    server.answers.push({ status })
    text.insert(0, "a")
    await until(document, () => document.status === "denied")
    text.insert(1, "b")
    server.cut()
    await expect.poll(() => server.streams.length).toBe(1)
    await expect.poll(() => server.streams[0]?.documents.length).toBe(1)
    await expect.poll(() => server.posts.at(-1)?.query.get("stream")).toBe("s2")

    expect(document).toMatchObject({ status: "denied", pending: 2 })
    expect(document.error?.message).toBe(`Answered ${status}.`)
    expect(text.toString()).toBe("ab")
    expect(server.edits).toHaveLength(1)
    await expect(document.whenSynced()).rejects.toThrow(`Answered ${status}.`)
  })

  test("are sent when the user tries again", async () => {
    await using server = await documentServer()
    using opened = openDocument(server)
    const { document, text } = opened
    await document.whenSynced()
    server.answers.push({ status: 400 })
    text.insert(0, "a")
    await until(document, () => document.status === "denied")
    document.connect()
    await untilSaved(document)

    expect(document.status).toBe("synced")
    expect(server.text()).toBe("a")
  })

  test("because the user may not edit any more are sent when the user may again", async () => {
    await using server = await documentServer()
    using opened = openDocument(server)
    const { document, text } = opened
    await document.whenSynced()
    server.answers.push({ status: 403 })
    text.insert(0, "a")
    await until(document, () => document.status === "denied")
    const [stream] = server.streams
    const [served] = stream?.documents ?? []
    if (served) stream?.sendDocument(served)
    await untilSaved(document)

    expect(document.status).toBe("synced")
    expect(server.text()).toBe("a")
  })

  test("are refused from the start in a document that is read-only", async () => {
    await using server = await documentServer()
    server.served.canEdit = false
    server.doc.getText("body").insert(0, "read")
    using opened = openDocument(server)
    const { document, text } = opened
    await document.whenSynced()
    const before = { status: document.status, canEdit: document.canEdit, error: document.error }
    text.insert(4, " me")
    const after = document.status
    server.doc.getText("body").insert(0, "> ")
    await expect.poll(() => text.toString()).toBe("> read me")

    expect(before).toEqual({ status: "synced", canEdit: false, error: null })
    expect(after).toBe("denied")
    expect(document.error?.message).toBe("The document is read-only for you. Your edits are not sent.")
    expect(document.pending).toBe(1)
    expect(server.edits).toEqual([])
  })
})

describe("a document that the server refuses", () => {
  test("is denied, and says why", async () => {
    await using server = await documentServer()
    server.served.topicError = { code: "NOT_FOUND", message: "There is no such document." }
    using opened = openDocument(server)
    const { document, text } = opened
    await expect(document.whenSynced()).rejects.toThrow("There is no such document.")
    text.insert(0, "a")
    server.served.topicError = undefined
    document.connect()
    const status = document.status
    await untilSaved(document)

    expect(status).toBe("connecting")
    expect(server.text()).toBe("a")
  })

  test("because it was made again keeps the edits, and can be discarded", async () => {
    await using server = await documentServer()
    using opened = openDocument(server)
    const { document, text, crdt } = opened
    await document.whenSynced()
    document.disconnect()
    text.insert(0, "old")
    server.served.epoch = "e2"
    document.connect()
    await expect(document.whenSynced()).rejects.toThrow("The document was made again.")
    const kept = { status: document.status, pending: document.pending, text: text.toString() }
    await document.discard()
    const next = crdt.collections.articles?.document({ id: "1", field: "body" })
    await next?.whenSynced()
    next?.destroy()

    expect(kept).toEqual({ status: "denied", pending: 1, text: "old" })
    expect(server.edits).toEqual([])
    expect(next?.doc.getText("body").toString()).toBe("")
  })
})

describe("a large edit", () => {
  const large = "🙂 und Grüße. ".repeat(60_000)

  test("is sent in parts that the server accepts", async () => {
    await using server = await documentServer()
    using one = openDocument(server)
    using other = openDocument(server)
    await Promise.all([one.document.whenSynced(), other.document.whenSynced()])
    one.text.insert(0, "ab")
    one.text.insert(1, large)
    one.text.delete(0, 1)
    await untilSaved(one.document)

    expect(Math.max(...server.posts.map(({ update }) => update.length))).toBeLessThanOrEqual(MAX_BYTES)
    expect(server.edits.length).toBeGreaterThan(3)
    expect(server.text()).toBe(`${large}b`)
    await expect.poll(() => other.text.toString() === `${large}b`).toBe(true)
    expect(one.document.status).toBe("synced")
  })

  test("that cannot be cut is refused here, with its size, and nothing is lost", async () => {
    await using server = await documentServer()
    using opened = openDocument(server)
    const { document } = opened
    await document.whenSynced()
    document.doc.getMap("meta").set("image", "x".repeat(300 * 1024))
    await until(document, () => document.status === "denied")

    expect(document.error?.message).toBe(
      "An edit of 301 KB is too large: the server accepts at most 256 KB in one piece.",
    )
    expect(document.pending).toBe(1)
    expect(server.edits).toEqual([])
  })

  test("has the same effect in parts, with its deletions, whatever the size of the parts", () => {
    for (const maxBytes of [40, 100, 1_000]) {
      const doc = new Y.Doc()
      const text = doc.getText("body")
      text.insert(0, "The beginning 😀😀😀, ")
      const before = Y.encodeStateVector(doc)
      const base = Y.encodeStateAsUpdate(doc)
      doc.transact(() => {
        text.insert(4, "😀".repeat(50))
        text.delete(0, 7)
        text.insert(text.length, "the end".repeat(20))
      })
      const update = Y.encodeStateAsUpdate(doc, before)
      const parts = splitUpdate(doc, update, maxBytes) ?? []
      const other = new Y.Doc()
      Y.applyUpdate(other, base)
      for (const part of parts) Y.applyUpdate(other, part)

      expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(maxBytes)
      expect(other.getText("body").toString()).toBe(text.toString())
      expect(Y.encodeStateVector(other)).toEqual(Y.encodeStateVector(doc))
    }
  })
})
