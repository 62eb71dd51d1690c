import { collection, type Session } from "kit"
import { describe, expect, test, vi } from "vitest"
import * as Y from "yjs"
import { type DocumentApp, documentApp, documentDatabase } from "../support/worlds/document-world.ts"

const notes = collection("notes")
  .fields(({ f }) => ({ body: f.textarea().collaborative() }))
  .options({ versions: true })

const EVA: Session = { user: { id: "eva" } }

async function storedOf({ opened }: DocumentApp, documentId: string) {
  const { rows } = await opened.database.query({
    text: `select d.seq::int, d.state_seq::int, d.size::int, octet_length(d.state),
        (select count(*)::int from "_kit_document_updates" u where u.document = d.id and u.seq > d.state_seq),
        (select coalesce(sum(octet_length(u.update)), 0)::int from "_kit_document_updates" u where u.document = d.id)
      from "_kit_documents" d where d.id = $1`,
    values: [documentId],
  })
  const [seq, stateSeq, size, stateBytes, newer, updateBytes] = (rows[0] ?? []).map(Number)
  return { seq, stateSeq, size, stateBytes: stateBytes ?? 0, newer, updateBytes: updateBytes ?? 0 }
}

/**
 * Edits and then writes the values, each once. A value is otherwise written after a pause of one second, or five seconds
 * after the first edit, which may be too early on a busy machine.
 */
async function editWithoutPause(app: DocumentApp, edit: () => Promise<unknown>): Promise<void> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  try {
    await edit()
    await app.documents.settle()
  } finally {
    vi.useRealTimers()
  }
}

describe("compaction", () => {
  test("replaces updates by one state, keeps the newest for other processes, and loses nothing", async () => {
    const app = await documentApp({ resources: [notes] })
    const { id } = await app.collections["notes"].create({ body: "" })
    const editor = await app.edit(app.address("notes", id), EVA)
    const updates = Array.from({ length: 1_000 }, (_each, index) =>
      editor.change(() => editor.text.insert(Math.floor(editor.text.length / 2), String(index % 10))),
    )

    await editWithoutPause(app, () => Promise.all(updates.map((update) => editor.append(update))))

    const stored = await storedOf(app, editor.id)
    expect(stored).toMatchObject({ seq: 1_000, stateSeq: 1_000, newer: 0 })
    expect(stored.size).toBe(stored.stateBytes)
    expect(stored.stateBytes + stored.updateBytes).toBeLessThan(3 * stored.stateBytes)
    expect((await app.documents.updatesSince(editor.id, 950))?.updates).toHaveLength(50)
    expect(await app.documents.updatesSince(editor.id, 10)).toBeUndefined()
    const fresh = await app.edit(app.address("notes", id))
    expect(fresh.text.toString()).toBe(editor.text.toString())
    expect((await app.collections["notes"].findOne({ where: { id } })).body).toBe(editor.text.toString())
  })

  test("beside appends of two processes loses no update, and the size stays right", async () => {
    const database = await documentDatabase()
    const one = await documentApp({ database, resources: [notes] })
    const two = await documentApp({ database, resources: [notes] })
    const { id } = await one.collections["notes"].create({ body: "" })
    const writeInRounds = async (app: DocumentApp, letter: string) => {
      const editor = await app.edit(app.address("notes", id), EVA)
      for (let round = 0; round < 8; round++) {
        const updates = Array.from({ length: 60 }, () => editor.change(() => editor.text.insert(0, letter)))
        await Promise.all([...updates.map((update) => editor.append(update)), app.documents.settle()])
      }
      return editor
    }

    const [editor] = await Promise.all([writeInRounds(one, "a"), writeInRounds(two, "b")])
    await Promise.all([one.documents.settle(), two.documents.settle()])

    const text = [...(await editor.readText())].sort().join("")
    expect(text).toBe("a".repeat(480) + "b".repeat(480))
    const stored = await storedOf(one, editor.id)
    expect(stored.stateSeq).toBeGreaterThan(0)
    expect(stored.size).toBe(stored.stateBytes + (await newerBytes(one, editor.id)))
  })

  async function newerBytes({ opened }: DocumentApp, documentId: string): Promise<number> {
    const { rows } = await opened.database.query({
      text: `select coalesce(sum(octet_length(u.update)), 0)::int from "_kit_document_updates" u
        join "_kit_documents" d on d.id = u.document and u.seq > d.state_seq where d.id = $1`,
      values: [documentId],
    })
    return Number(rows[0]?.[0])
  }
})

describe("a value that is refused for long", () => {
  test("takes little space, keeps its authors, and still merges with a change of the record", async () => {
    const strict = collection("strict")
      .fields(({ f }) => ({ body: f.textarea().max(100).collaborative() }))
      .options({ versions: true })
    const app = await documentApp({ resources: [strict] })
    const { id } = await app.collections["strict"].create({ body: "Hello" })
    const address = app.address("strict", id)
    const [eva, jan] = [await app.edit(address, EVA), await app.edit(address, { user: { id: "jan" } })]
    const type = (letter: string) => jan.change(() => jan.text.insert(5, letter))

    await editWithoutPause(app, async () => {
      await eva.type("!")
      await jan.pull()
      await Promise.all(Array.from({ length: 600 }, () => type("x")).map((update) => jan.append(update)))
    })
    const stored = await storedOf(app, eva.id)
    expect(stored).toMatchObject({ seq: 601, stateSeq: 0, newer: 2 })
    expect(stored.size).toBe(stored.stateBytes + stored.updateBytes)
    expect(await eva.readText()).toBe(`Hello${"x".repeat(600)}!`)

    await app.collections["strict"].updateById({ id, data: { body: "Hello there" } })
    await app.documents.open(address)
    await jan.send(() => jan.text.delete(5, 600))
    await app.documents.settle()

    const [version] = await app.collections["strict"].findVersions({ id })
    expect(version.body).toMatch(/^Hello( there!|! there)$/)
    expect(version).toMatchObject({ versionUserId: "jan", versionAuthors: ["eva", "jan"] })
    expect(await eva.readText()).toBe(version.body)
  })
})

describe("a process that ends", () => {
  test("in an orderly way writes the values that are pending", async () => {
    const database = await documentDatabase()
    const app = await documentApp({ database, resources: [notes] })
    const { id } = await app.collections["notes"].create({ body: "Hello" })
    const editor = await app.edit(app.address("notes", id), EVA)

    await editor.type("!")
    await app.opened.app.stop()

    expect(await database.query(`select body from "notes"`)).toEqual([{ body: "Hello!" }])
  })

  test("without writing a value leaves it to the next start, with its author", async () => {
    const database = await documentDatabase()
    const app = await documentApp({ database, resources: [notes] })
    const { id } = await app.collections["notes"].create({ body: "Hello" })
    const { id: documentId } = await app.documents.open(app.address("notes", id))
    await app.opened.app.stop()
    // A process has stored this, and was killed before it wrote the value.
    const doc = new Y.Doc()
    doc.getText("body").insert(0, "Unwritten. ")
    await database.query(
      `insert into "_kit_document_updates" (document, seq, update, user_id) values ($1, 1, $2, 'jan')`,
      [documentId, Buffer.from(Y.encodeStateAsUpdate(doc))],
    )
    await database.query(`update "_kit_documents" set seq = 1, edited_by = 'jan', edited_at = now()`)

    const next = await documentApp({ database, resources: [notes] })
    await next.documents.settle()

    const { body } = await next.collections["notes"].findOne({ where: { id } })
    expect(body).toContain("Unwritten. ")
    expect(body).toContain("Hello")
    const [version] = await next.collections["notes"].findVersions({ id })
    expect(version).toMatchObject({ versionUserId: "jan", versionAuthors: ["jan"] })
  })
})
