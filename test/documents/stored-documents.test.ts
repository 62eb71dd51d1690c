import { collection } from "kit"
import { describe, expect, onTestFinished, test } from "vitest"
import { createYjsCodec } from "../../packages/kit/src/drivers/yjs/yjs-codec.ts"
import { AppendQueue } from "../../packages/kit/src/features/documents/append-queue.ts"
import { documentApp, documentDatabase } from "../support/worlds/document-world.ts"

const notes = collection("notes")
  .fields(({ f }) => ({ title: f.text(), body: f.textarea().collaborative() }))
  .options({ versions: true, revision: true })

const EVA = { user: { id: "eva", role: "author" } }
const JAN = { user: { id: "jan" } }

describe("a stored document", () => {
  test("is made from the record's value once, however many open it at the same time in two processes", async () => {
    const database = await documentDatabase()
    const one = await documentApp({ database, resources: [notes] })
    const two = await documentApp({ database, resources: [notes] })
    const { id } = await one.collections["notes"].create({ body: "Hello" })

    const opened = await Promise.all(
      Array.from({ length: 20 }, (_each, index) => {
        const app = index % 2 === 0 ? one : two
        return app.documents.open(app.address("notes", id))
      }),
    )

    expect(new Set(opened.map((document) => document.id)).size).toBe(1)
    expect(await database.query(`select field, record from "_kit_documents"`)).toEqual([{ field: "body", record: id }])
    const editor = await two.edit(two.address("notes", id))
    expect(editor.text.toString()).toBe("Hello")
  })

  test("numbers its updates in the order of their commits, without gaps, and returns those after a position", async () => {
    const app = await documentApp({ resources: [notes] })
    const { id } = await app.collections["notes"].create({ body: "" })
    const editor = await app.edit(app.address("notes", id))
    const updates = [..."abcdefghij"].map((letter) => editor.change(() => editor.text.insert(0, letter)))

    const numbers = await Promise.all(updates.map((update) => editor.append(update)))

    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    const page = await app.documents.updatesSince(editor.id, 7)
    expect(page).toMatchObject({ id: editor.id, seq: 10, problem: null })
    expect(page?.updates.map((update) => [...update])).toEqual(updates.slice(7).map((update) => [...update]))
    expect(await app.documents.updatesSince(crypto.randomUUID(), 0)).toBeUndefined()
  })

  test("stores the updates that arrive during a statement together by the next one", async () => {
    const app = await documentApp({ resources: [notes] })
    const { id } = await app.collections["notes"].create({ body: "" })
    const editor = await app.edit(app.address("notes", id))
    const codec = createYjsCodec()
    onTestFinished(() => codec.close())
    const { database } = app.opened
    const countClients = () => Promise.reject(new Error("The clients of a new document are counted."))
    const queue = new AppendQueue({ database, codec, hasShortcuts: true, countClients, compact: async () => false })
    const updates = Array.from({ length: 30 }, () => editor.change(() => editor.text.insert(0, "x")))
    const checked = await Promise.all(
      updates.map(async (update) => ({ update, facts: await codec.factsOf(update), userId: null })),
    )

    const appended = await Promise.all(checked.map((each) => queue.append(editor.id, each)))

    expect(appended.map(({ seq }) => seq)).toEqual(updates.map((_each, index) => index + 1))
    const { rows } = await app.opened.database.query({
      text: `select count(*)::int from "_kit_document_updates" group by xmin::text order by 1`,
      values: [],
    })
    expect(rows).toEqual([[1], [29]])
  })

  test("refuses an update that is invalid, and one that is too large, and stays as it is", async () => {
    const app = await documentApp({ resources: [notes] })
    const { id } = await app.collections["notes"].create({ body: "Hello" })
    const editor = await app.edit(app.address("notes", id))

    await expect(editor.append(new Uint8Array([1, 2, 3]))).rejects.toMatchObject({ code: "BAD_REQUEST" })
    await expect(editor.append(new Uint8Array(256 * 1024 + 1))).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" })

    expect(await app.documents.updatesSince(editor.id, 0)).toMatchObject({ seq: 0, updates: [] })
  })

  test("refuses the update with which it would exceed 5 MB, and only that one", async () => {
    const app = await documentApp({ resources: [notes] })
    const { id } = await app.collections["notes"].create({ body: "" })
    const editors = await Promise.all(Array.from({ length: 22 }, () => app.edit(app.address("notes", id))))
    const piece = "x".repeat(250_000)

    const outcomes = await Promise.allSettled(editors.map((editor) => editor.type(piece)))

    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(20)
    const refused = outcomes.filter(({ status }) => status === "rejected")
    expect(refused).toEqual([
      { status: "rejected", reason: expect.objectContaining({ code: "PAYLOAD_TOO_LARGE" }) },
      { status: "rejected", reason: expect.objectContaining({ code: "PAYLOAD_TOO_LARGE" }) },
    ])
    const another = await app.edit(app.address("notes", id))
    await expect(another.type("!")).resolves.toBe(21)
  })

  test("is refused for a record that does not exist, or is soft-deleted", async () => {
    const kept = collection("kept")
      .fields(({ f }) => ({ body: f.textarea().collaborative() }))
      .options({ softDelete: true })
    const app = await documentApp({ resources: [kept] })
    const { id } = await app.collections["kept"].create({ body: "Hello" })
    await app.collections["kept"].deleteById({ id })

    await expect(app.documents.open(app.address("kept", id))).rejects.toMatchObject({ code: "NOT_FOUND" })
    await expect(app.documents.open(app.address("kept", crypto.randomUUID()))).rejects.toMatchObject({
      code: "NOT_FOUND",
    })
  })

  test("has its value written to the record, with a version by its last editor and all authors", async () => {
    const app = await documentApp({ resources: [notes] })
    const { id } = await app.collections["notes"].create({ body: "Hello" })
    const address = app.address("notes", id)
    const [eva, jan] = [await app.edit(address, EVA), await app.edit(address, JAN)]

    await eva.type(", world")
    await jan.type("> ", 0)
    await eva.type("!")
    await app.documents.settle()

    const record = await app.collections["notes"].findOne({ where: { id } })
    expect(record).toMatchObject({ body: "> Hello, world!", revision: 2 })
    const versions = await app.collections["notes"].findVersions({ id })
    expect(versions[0]).toMatchObject({
      body: "> Hello, world!",
      versionOperation: "update",
      versionUserId: "eva",
      versionAuthors: ["eva", "jan"],
    })
    expect(versions[1]).toMatchObject({ versionUserId: null, versionAuthors: [] })
  })
})
