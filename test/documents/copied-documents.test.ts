import { join } from "node:path"
import { collection } from "kit"
import { expect, test } from "vitest"
import { runKit } from "../support/processes/kit-command.ts"
import { appFolder } from "../support/processes/kit-process.ts"
import type { TestDatabase } from "../support/test-database.ts"
import { documentApp, documentDatabase } from "../support/worlds/document-world.ts"
import { contentOf, kitDb } from "../support/worlds/move-world.ts"

const notes = collection("notes").fields(({ f }) => ({ body: f.textarea().collaborative() }))

async function fill(database: TestDatabase): Promise<string> {
  const app = await documentApp({ database, resources: [notes] })
  const { id } = await app.collections["notes"].create({ body: "Hello" })
  const editor = await app.edit(app.address("notes", id), { user: { id: "eva" } })
  await editor.type(", world")
  await app.opened.app.stop()
  return id
}

async function continueAfterwards(database: TestDatabase, id: string): Promise<void> {
  const app = await documentApp({ database, resources: [notes] })
  expect(app.opened.app.syncReport).toMatchObject({ changes: [], createdTables: [] })
  const editor = await app.edit(app.address("notes", id))
  await editor.type("!")
  await app.documents.settle()
  expect(await app.collections["notes"].findOne({ where: { id } })).toMatchObject({ body: "Hello, world!" })
  await app.collections["notes"].deleteById({ id })
  expect(await database.query(`select 1 from "_kit_document_updates"`)).toEqual([])
}

test("kit db move copies documents with their updates, and the target goes on with them", async () => {
  const [source, target] = [await documentDatabase(), await documentDatabase()]
  const id = await fill(source)
  const before = await contentOf(source)

  const moved = await kitDb(["move", target.url, "--allow-others"], source.url)

  expect(moved, moved.output).toMatchObject({ code: 0 })
  expect(await contentOf(target)).toEqual(before)
  await continueAfterwards(target, id)
})

test("kit db dump and restore keep documents with their updates", async () => {
  const [source, target] = [await documentDatabase(), await documentDatabase()]
  const id = await fill(source)
  const before = await contentOf(source)
  await using folder = await appFolder({})
  const archive = join(folder.path, "documents.kit")
  const kit = ({ url }: TestDatabase, ...args: string[]) =>
    runKit(["db", ...args], { cwd: folder.path, env: { DATABASE_URL: url } })

  const dumped = await kit(source, "dump", archive)
  const restored = await kit(target, "restore", archive)

  expect(dumped, dumped.output).toMatchObject({ code: 0 })
  expect(restored, restored.output).toMatchObject({ code: 0 })
  expect(await contentOf(target)).toEqual(before)
  await continueAfterwards(target, id)
})
