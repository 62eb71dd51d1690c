// @module-tag not-about-shortcuts

import { collection } from "kit"
import pg from "pg"
import { expect, onTestFinished, test } from "vitest"
import { freshDatabase } from "../support/worlds/synced-app.ts"
import { testApp } from "../support/worlds/test-app.ts"

const notes = collection("notes")
  .fields(({ f }) => ({ title: f.text().required(), body: f.textarea().collaborative() }))
  .options({ versions: true, revision: true })
  .searchable({ fields: ["title"] })
  .access({ read: true, create: true })

test("an app starts while a transaction writes to each table of the framework", async () => {
  const { url } = await freshDatabase()
  await using first = await testApp({ resources: [notes], config: { db: { url } } })
  const writer = new pg.Client({ connectionString: url })
  await writer.connect()
  onTestFinished(() => writer.end())
  const { rows } = await writer.query(
    `select quote_ident(tablename) as name from pg_tables where tablename like '\\_kit\\_%'`,
  )
  const names = rows.map(({ name }) => name).filter((name) => !SHORT_LOCKS.includes(name))
  await writer.query("begin")
  await writer.query(`lock table ${names.join(", ")} in row exclusive mode`)

  await using second = await testApp({ resources: [notes], config: { db: { url } } })

  expect(names).toEqual(expect.arrayContaining(["_kit_changes", "_kit_documents", "_kit_kv", "_kit_search_queue"]))
  expect((await first.fetch("/notes", { method: "POST", body: '{"title":"One"}' })).status).toBe(201)
  expect((await second.fetch("/notes")).body.totalDocs).toBe(1)
})

// Only the start of an app writes to these.
const SHORT_LOCKS = ["_kit_framework", "_kit_schema"]
