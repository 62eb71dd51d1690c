// @module-tag not-about-engine

import { type Collection, collection } from "kit"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { openBulkSession } from "../../packages/kit/src/drivers/postgres/bulk-session.ts"
import { openPostgres } from "../../packages/kit/src/drivers/postgres/open-postgres.ts"
import { copyDatabase } from "../../packages/kit/src/engine/copy-database/copy-database.ts"
import { syncSchema } from "../../packages/kit/src/engine/migrate/sync-schema.ts"
import type { Database } from "../../packages/kit/src/ports/database.ts"
import { compileSchema } from "../../packages/kit/src/schema/compile/compile.ts"
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts"

const PICTURE = "01900000-0000-7000-8000-000000000001"
const NOTE = "01900000-0000-7000-8000-000000000002"

const HERO_PICTURE = `strict $?(exists(@[*]))[*]?(@."type"=="hero")?(exists(@."picture"))."picture"`
const HERO_PICTURES = `${HERO_PICTURE}?(exists(@[*]))[*]`
const HERO_PICTURE_OF_LOCALES = HERO_PICTURE.replace("$", "$?(exists(@.*)).*")

const pictures = (name = "pictures") => collection(name).fields(({ f }) => ({ alt: f.text() }))
const noteOf = (fields: Parameters<Collection["fields"]>[0]) => collection("notes").fields(fields)

let stored: TestDatabase
let database: Database
beforeAll(async () => {
  stored = await createTestDatabase()
  database = openPostgres({ url: stored.url })
})
afterAll(async () => {
  await database.close()
  await stored.drop()
})

beforeEach(async () => {
  await stored.query(`drop table if exists notes, texts, pictures, images; drop table if exists _kit_schema`)
  await stored.query(`do $$ begin delete from "_kit_references"; exception when undefined_table then null; end $$`)
  await sync(
    pictures(),
    noteOf(({ f }) => ({ body: f.blocks({ hero: { picture: f.text() } }) })),
  )
  const now = `now(), now()`
  await stored.query(`insert into pictures (id, "createdAt", "updatedAt") values ('${PICTURE}', ${now})`)
  const body = [
    { type: "hero", picture: PICTURE },
    { type: "hero", picture: NOTE },
    { type: "hero", picture: 7 },
  ]
  await stored.query(`insert into notes (id, body, "createdAt", "updatedAt") values ('${NOTE}', $1, ${now})`, [
    JSON.stringify(body),
  ])
})

function sync(...resources: readonly Collection[]) {
  const compiled = compileSchema(resources.map(({ definition }) => ({ file: definition.name, definition })))
  if ("mistakes" in compiled) throw new Error(JSON.stringify(compiled.mistakes))
  return syncSchema(database, compiled.schema)
}

const references = async () => {
  const rows = await stored.query(`select "table", field, path, target_table, target from "_kit_references"`)
  return rows.map((row) => Object.values(row))
}

test("a part that becomes a relation is followed, in the rows that the table has already, too", async () => {
  await sync(
    pictures(),
    noteOf(({ f }) => ({ body: f.blocks({ hero: { picture: f.relation("pictures") } }) })),
  )

  expect(await references()).toEqual([["notes", "body", HERO_PICTURE, "pictures", PICTURE]])
})

test("a stored value of another form has no parts to follow", async () => {
  await sync(
    pictures(),
    noteOf(({ f }) => ({ body: f.blocks({ hero: { picture: f.array(f.relation("pictures")) } }) })),
  )
  await stored.query(`update notes set body = body || '{"type": "hero", "picture": ["${PICTURE}"]}'`)
  const ofList = await references()
  await sync(
    pictures(),
    noteOf(({ f }) => ({ body: f.object({ picture: f.relation("pictures") }) })),
  )
  await stored.query(`update notes set body = '[{"picture": "${PICTURE}"}]'`)

  expect(ofList).toEqual([["notes", "body", HERO_PICTURES, "pictures", PICTURE]])
  expect(await references()).toEqual([])
})

test("an id of no record may stay where it was stored before, and nowhere else", async () => {
  await sync(
    pictures(),
    noteOf(({ f }) => ({
      body: f.blocks({ hero: { picture: f.relation("pictures") }, foot: { picture: f.relation("pictures") } }),
    })),
  )
  const write = (item: string) => stored.query(`update notes set body = body || '${item}'`)

  await write(`{"type": "hero", "picture": "${NOTE}"}`)
  const elsewhere = write(`{"type": "foot", "picture": "${NOTE}"}`)
  await expect(elsewhere).rejects.toMatchObject({ code: "23503" })
  await stored.query(`update notes set body = '[]'`)
  const again = write(`{"type": "hero", "picture": "${NOTE}"}`)

  await expect(again).rejects.toMatchObject({ code: "23503" })
  expect(await references()).toEqual([])
})

test("a second sync has nothing to do", async () => {
  const declared = noteOf(({ f }) => ({ body: f.blocks({ hero: { picture: f.relation("pictures") } }) }))
  await sync(pictures(), declared)
  const triggers = () => stored.query(`select oid from pg_trigger where tgname = '_kit_references'`)
  const before = await triggers()

  await sync(pictures(), declared)

  expect(await triggers()).toEqual(before)
})

test("references follow a field, a table and a target with their new names", async () => {
  await sync(
    pictures(),
    noteOf(({ f }) => ({ body: f.blocks({ hero: { picture: f.relation("pictures") } }) })),
  )

  await sync(
    pictures("images").renamedFrom("pictures"),
    collection("texts")
      .fields(({ f }) => ({ parts: f.blocks({ hero: { picture: f.relation("images") } }).renamedFrom("body") }))
      .renamedFrom("notes"),
  )

  expect(await references()).toEqual([["texts", "parts", HERO_PICTURE, "images", PICTURE]])
})

test("a field that becomes localized is followed in each locale", async () => {
  await sync(
    pictures(),
    noteOf(({ f }) => ({ body: f.blocks({ hero: { picture: f.relation("pictures") } }).localized() })),
  )

  const body = { en: [], sk: [{ type: "hero", picture: PICTURE }] }
  await stored.query(`update notes set body = $1`, [JSON.stringify(body)])

  expect(await references()).toEqual([["notes", "body", HERO_PICTURE_OF_LOCALES, "pictures", PICTURE]])
})

test("a part that is no relation any longer has no references", async () => {
  await sync(
    pictures(),
    noteOf(({ f }) => ({ body: f.blocks({ hero: { picture: f.relation("pictures") } }) })),
  )
  await sync(
    pictures(),
    noteOf(({ f }) => ({ body: f.blocks({ hero: { picture: f.text() } }) })),
  )

  await stored.query(`update notes set body = body`)

  expect(await references()).toEqual([])
})

test("a copy of the database has the references, and goes on following them", async () => {
  await sync(
    pictures(),
    noteOf(({ f }) => ({ body: f.blocks({ hero: { picture: f.relation("pictures") } }) })),
  )
  const copy = await createTestDatabase()
  const [source, target] = await Promise.all([stored, copy].map(({ url }) => openBulkSession({ url, name: "test" })))
  if (!source || !target) throw new Error("Two addresses give two sessions.")
  await copyDatabase({ source, target, schemas: [], allowOthers: true, onEvent: () => {} })
  const copied = await copy.query(`select target from "_kit_references"`)
  await copy.query(`update notes set body = '[]'`)

  expect(copied).toEqual([{ target: PICTURE }])
  expect(await copy.query(`select target from "_kit_references"`)).toEqual([])
  await Promise.all([source.close(), target.close()])
  await copy.drop()
})
