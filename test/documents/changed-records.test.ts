import { collection, type Session } from "kit"
import { describe, expect, test } from "vitest"
import { type DocumentApp, documentApp, documentDatabase, type TestEditor } from "../support/worlds/document-world.ts"

const notes = collection("notes")
  .fields(({ f }) => ({ title: f.text(), body: f.textarea().collaborative() }))
  .options({ versions: true })

const EVA: Session = { user: { id: "eva" } }
const BODY = "The quick brown fox jumps over the lazy dog"

interface World {
  readonly app: DocumentApp
  readonly id: string
  readonly editor: TestEditor
  bodyOf(): Promise<string>
  /** Lets the document follow its record, as a change of the record does while the document is open. */
  follow(): Promise<void>
}

async function openNote(): Promise<World> {
  const app = await documentApp({ resources: [notes] })
  const { id } = await app.collections["notes"].create({ body: BODY })
  const address = app.address("notes", id)
  return {
    app,
    id,
    editor: await app.edit(address, EVA),
    bodyOf: async () => (await app.collections["notes"].findOne({ where: { id } })).body,
    follow: async () => {
      app.documents.onRecordChanged(address)
      await app.documents.settle()
    },
  }
}

describe("a record that is changed by other means", () => {
  test("changes its document by the smallest edit", async () => {
    const { app, id, editor, follow } = await openNote()

    await app.collections["notes"].updateById({ id, data: { body: BODY.replace("brown", "red") } })
    await follow()

    expect(await editor.readText()).toBe(BODY.replace("brown", "red"))
    const page = await app.documents.updatesSince(editor.id, 0)
    expect(page?.seq).toBe(1)
    expect(page?.updates[0]?.byteLength).toBeLessThan(100)
    expect(await app.collections["notes"].findVersions({ id })).toHaveLength(2)
  })

  test("keeps what was typed before its value was written", async () => {
    const { app, id, editor, bodyOf, follow } = await openNote()

    await editor.type("Look: ", 0)
    await app.collections["notes"].updateById({ id, data: { body: BODY.replace("lazy", "sleepy") } })
    await follow()

    const merged = `Look: ${BODY.replace("lazy", "sleepy")}`
    expect(await editor.readText()).toBe(merged)
    expect(await bodyOf()).toBe(merged)
  })

  test("keeps what was typed although it is changed twice in the meantime", async () => {
    const { app, id, editor, bodyOf } = await openNote()
    const address = app.address("notes", id)

    await editor.type("Look: ", 0)
    await app.collections["notes"].updateById({ id, data: { body: BODY.replace("lazy", "sleepy") } })
    await app.documents.open(address)
    await app.collections["notes"].updateById({ id, data: { body: BODY.replace("quick", "slow") } })
    await app.documents.open(address)
    await editor.type("!")
    await app.documents.settle()

    const merged = `Look: ${BODY.replace("quick", "slow")}!`
    expect(await editor.readText()).toBe(merged)
    expect(await bodyOf()).toBe(merged)
  })

  test("is followed by the document when its value is written, even if nobody has noticed the change", async () => {
    const { app, id, editor, bodyOf } = await openNote()

    await app.collections["notes"].updateById({ id, data: { body: BODY.replace("brown", "red") } })
    await editor.type("!")
    await app.documents.settle()

    expect(await bodyOf()).toBe(`${BODY.replace("brown", "red")}!`)
    expect(await editor.readText()).toBe(await bodyOf())
  })

  test.each([
    ["a revert", ({ app, id }: World) => app.collections["notes"].revertToVersion({ id, version: 1 })],
    [
      "an update of many records",
      ({ app, id }: World) => app.collections["notes"].updateMany({ where: { id }, data: { body: BODY } }),
    ],
    [
      "SQL",
      ({ app, id }: World) =>
        app.opened.database.query({ text: `update "notes" set body = $2 where id = $1`, values: [id, BODY] }),
    ],
  ])("by %s changes its document", async (_means, change) => {
    const world = await openNote()
    const { app, editor, follow, bodyOf } = world
    await editor.send(() => editor.text.delete(0, editor.text.length))
    await app.documents.settle()
    expect(await bodyOf()).toBe("")

    await change(world)
    await follow()

    expect(await editor.readText()).toBe(BODY)
    expect(await bodyOf()).toBe(BODY)
  })

  test("to null empties its document", async () => {
    const { app, id, editor, follow } = await openNote()

    await app.collections["notes"].updateById({ id, data: { body: null } })
    await follow()

    expect(await editor.readText()).toBe("")
    expect((await app.collections["notes"].findOne({ where: { id } })).body).toBeNull()
  })

  test("while its field was not collaborative changes its document when it is opened again", async () => {
    const database = await documentDatabase()
    const plain = collection("notes")
      .fields(({ f }) => ({ title: f.text(), body: f.textarea() }))
      .options({ versions: true })
    const others = collection("others").fields(({ f }) => ({ text: f.textarea().collaborative() }))
    const before = await documentApp({ database, resources: [notes] })
    const { id } = await before.collections["notes"].create({ body: BODY })
    const editor = await before.edit(before.address("notes", id), EVA)
    await editor.type("!")
    await before.opened.app.stop()

    const off = await documentApp({ database, resources: [plain, others] })
    await off.collections["notes"].updateById({ id, data: { body: BODY.replace("fox", "cat") } })
    await off.opened.app.stop()
    const after = await documentApp({ database, resources: [notes] })
    const again = await after.edit(after.address("notes", id))

    expect(again.id).toBe(editor.id)
    expect(again.text.toString()).toBe(BODY.replace("fox", "cat"))
  })
})

describe("a renamed collection", () => {
  test("keeps its documents, with what was not written yet, and deletes them with their rows", async () => {
    const database = await documentDatabase()
    const before = await documentApp({ database, resources: [notes] })
    const { id } = await before.collections["notes"].create({ body: BODY })
    const editor = await before.edit(before.address("notes", id), EVA)
    await before.opened.app.stop()
    const papers = collection("papers")
      .fields(({ f }) => ({ title: f.text(), body: f.textarea().collaborative() }))
      .options({ versions: true })
      .renamedFrom("notes")

    const after = await documentApp({ database, resources: [papers] })

    expect(await after.documents.open(after.address("papers", id))).toMatchObject({ id: editor.id })
    await after.collections["papers"].deleteById({ id })
    expect(await after.documents.sync(editor.id, undefined)).toBeUndefined()
  })
})

describe("a deleted record", () => {
  const kept = collection("kept")
    .fields(({ f }) => ({ body: f.textarea().collaborative() }))
    .options({ softDelete: true })
  const pages = collection("pages").fields(({ f }) => ({
    body: f.textarea().collaborative(),
    parent: f.relation("pages").onDelete("cascade"),
  }))
  const countDocuments = async ({ opened }: DocumentApp) =>
    (await opened.database.query({ text: `select 1 from "_kit_documents"`, values: [] })).rows.length

  test("loses its document, by whichever statement it is deleted", async () => {
    const { app, id, editor } = await openNote()
    const other = await app.collections["notes"].create({ body: "b" })
    await app.edit(app.address("notes", other.id))

    await editor.type("!")
    await app.collections["notes"].deleteById({ id })
    await app.documents.settle()

    expect(await app.documents.sync(editor.id, undefined)).toBeUndefined()
    await expect(editor.type("?")).rejects.toMatchObject({ code: "CONFLICT" })
    expect(await countDocuments(app)).toBe(1)
    await app.opened.database.query({ text: `delete from "notes"`, values: [] })
    expect(await countDocuments(app)).toBe(0)
  })

  test("keeps its document while it is soft-deleted, with what was typed, until it is purged", async () => {
    const app = await documentApp({ resources: [kept] })
    const { id } = await app.collections["kept"].create({ body: "Hello" })
    const address = app.address("kept", id)
    const editor = await app.edit(address, EVA)

    await editor.type("!")
    await app.collections["kept"].deleteById({ id })
    await app.documents.settle()
    await expect(app.documents.open(address)).rejects.toMatchObject({ code: "NOT_FOUND" })
    await app.collections["kept"].restoreById({ id })
    expect((await app.documents.open(address)).id).toBe(editor.id)
    await app.documents.settle()
    expect(await app.collections["kept"].findOne({ where: { id } })).toMatchObject({ body: "Hello!" })

    await app.collections["kept"].deleteById({ id })
    await app.collections["kept"].purgeById({ id })
    expect(await countDocuments(app)).toBe(0)
  })

  test("loses its document if it is deleted with another record", async () => {
    const app = await documentApp({ resources: [pages] })
    const parent = await app.collections["pages"].create({ body: "a" })
    const child = await app.collections["pages"].create({ body: "b", parent: parent.id })
    await app.documents.open(app.address("pages", child.id))

    await app.collections["pages"].deleteById({ id: parent.id })

    expect(await countDocuments(app)).toBe(0)
  })
})
