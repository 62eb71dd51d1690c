// @module-tag not-about-engine

import { type Collection, collection } from "kit"
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest"
import { openPostgres } from "../../packages/kit/src/drivers/postgres/open-postgres.ts"
import { rehearseSync } from "../../packages/kit/src/engine/migrate/rehearse-sync.ts"
import { syncSchema } from "../../packages/kit/src/engine/migrate/sync-schema.ts"
import type { Database } from "../../packages/kit/src/ports/database.ts"
import { compileSchema } from "../../packages/kit/src/schema/compile/compile.ts"
import type { AppSchema } from "../../packages/kit/src/schema/compile/resource.ts"
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts"

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

const notes = (...more: readonly "unique"[]) =>
  collection("notes").fields(({ f }) => ({ text: more.includes("unique") ? f.text().unique() : f.text() }))
const tags = collection("tags").fields(({ f }) => ({ name: f.text() }))

function schemaOf(...resources: readonly Collection[]): AppSchema {
  const compiled = compileSchema(resources.map(({ definition }) => ({ file: definition.name, definition })))
  if ("mistakes" in compiled) throw new Error(JSON.stringify(compiled.mistakes))
  return compiled.schema
}

beforeEach(async () => {
  await syncSchema(database, schemaOf(notes()))
})
afterEach(() => stored.query("delete from notes"))

const tablesNow = () => stored.query("select relname, xmin::text from pg_class where relkind in ('r', 'i') order by 1")

test("a rehearsal that succeeds changes nothing", async () => {
  const before = await tablesNow()

  await rehearseSync(database, schemaOf(notes("unique"), tags))

  expect(await tablesNow()).toEqual(before)
})

test("a rehearsal fails with the message of the sync, and changes nothing", async () => {
  const columns = '(id, text, "createdAt", "updatedAt")'
  const values = "(gen_random_uuid(), 'same', now(), now())"
  await stored.query(`insert into notes ${columns} values ${values}, ${values}`)
  const before = await tablesNow()
  const target = schemaOf(notes("unique"), tags)

  const rehearsed = await rehearseSync(database, target).catch((error: Error) => error.message)
  const synced = await syncSchema(database, target).catch((error: Error) => error.message)

  expect(rehearsed).toContain("unique")
  expect(rehearsed).toBe(synced)
  expect(await tablesNow()).toEqual(before)
})

test("a rehearsal does not wait for a session that holds a lock", async () => {
  await database.transaction(async (other) => {
    await other.query({ text: "lock table notes in access exclusive mode", values: [] })

    await expect(rehearseSync(database, schemaOf(notes("unique")))).resolves.toBeUndefined()
  })
})
