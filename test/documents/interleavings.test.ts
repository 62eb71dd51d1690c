import { collection, type Session } from "kit"
import { expect, onTestFinished, test } from "vitest"
import { createYjsCodec } from "../../packages/kit/src/drivers/yjs/yjs-codec.ts"
import { exactPlace } from "../../packages/kit/src/engine/documents/exact-place.ts"
import { PatientCodec } from "../../packages/kit/src/features/documents/patient-codec.ts"
import { reconcile } from "../../packages/kit/src/features/documents/values/reconcile.ts"
import type { Database, Statement } from "../../packages/kit/src/ports/database.ts"
import { type DocumentApp, documentApp } from "../support/worlds/document-world.ts"

const notes = collection("notes").fields(({ f }) => ({ body: f.textarea().collaborative() }))

const EVA: Session = { user: { id: "eva" } }

/** Returns the database as a process sees it that is held up before its first statement that `isAwaited`. */
function heldUp(
  { opened }: DocumentApp,
  isAwaited: (text: string) => boolean,
  meanwhile: () => Promise<void>,
): Database {
  let isDone = false
  const query = async (statement: Statement) => {
    if (!isDone && isAwaited(statement.text)) {
      isDone = true
      await meanwhile()
    }
    return opened.database.query(statement)
  }
  return { query, transaction: (body) => opened.database.transaction(body) } as Database
}

test.each([
  ["value", (text: string) => text.startsWith("select") && text.includes(`from "notes"`) && !text.includes("lateral")],
  ["document", (text: string) => text.includes("union all")],
])(
  "a process that is held up before it reads the %s undoes nothing that was typed and written meanwhile",
  async (_what, isAwaited) => {
    const app = await documentApp({ resources: [notes] })
    const { id } = await app.collections["notes"].create({ body: "Hello" })
    const address = app.address("notes", id)
    const editor = await app.edit(address, EVA)
    await app.collections["notes"].updateById({ id, data: { body: "Hello there" } })
    const database = heldUp(app, isAwaited, async () => {
      await editor.type("Oh! ", 0)
      await app.documents.settle()
    })
    const codec = createYjsCodec()
    onTestFinished(() => codec.close())
    const place = exactPlace(app.opened.app.schema, address)

    await reconcile({ database, codec: new PatientCodec(codec) }, { place, id: editor.id })

    expect(await editor.readText()).toBe("Oh! Hello there")
    const page = await app.documents.updatesSince(editor.id, 0)
    expect(page?.seq).toBe(2)
  },
)

test("a document of the greatest size can be shortened, and then extended again, although little is left to compact", async () => {
  const app = await documentApp({ resources: [notes] })
  const { id } = await app.collections["notes"].create({ body: "" })
  const address = app.address("notes", id)
  const fillBy = async (bytes: number) => {
    const editor = await app.edit(address, EVA)
    for (let added = 0; ; added++) {
      const update = editor.change(() => editor.text.insert(0, "x".repeat(bytes)))
      const isFull = await editor.append(update).then(
        () => false,
        ({ code }) => code === "PAYLOAD_TOO_LARGE",
      )
      if (isFull) return added
    }
  }
  // Compacting makes some room again, until so little is added that nothing has to be compacted.
  for (let bytes = 250 * 1024; bytes > 10; bytes = Math.ceil(bytes / 4)) {
    await fillBy(bytes)
    await app.documents.settle()
  }
  const editor = await app.edit(address, EVA)

  await editor.send(() => editor.text.delete(0, 1024 * 1024))
  await app.documents.settle()

  await editor.type("z")
})

test("a document whose record was overwritten many times takes no more than its text", async () => {
  const app = await documentApp({ resources: [notes] })
  const { id } = await app.collections["notes"].create({ body: "" })
  const editor = await app.edit(app.address("notes", id), EVA)

  for (const letter of "abcdefghijkl") {
    await app.collections["notes"].updateById({ id, data: { body: letter.repeat(100_000) } })
    await app.documents.open(app.address("notes", id))
  }

  const { rows } = await app.opened.database.query({ text: `select size::int from "_kit_documents"`, values: [] })
  expect(rows[0]?.[0]).toBeLessThan(300_000)
  expect(await editor.readText()).toBe("l".repeat(100_000))
})
