// @module-tag installed-postgres

import { collection } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openPostgres } from "../../packages/kit/src/drivers/postgres/open-postgres.ts"
import { canReturnOldRows } from "../../packages/kit/src/engine/database/server-version.ts"
import type { Database } from "../../packages/kit/src/ports/database.ts"
import type { Resource, ResourceField } from "../../packages/kit/src/schema/compile/resource.ts"
import { updateRow, updateRowReturningOld } from "../../packages/kit/src/sql/write/write.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text(20).required(),
    body: f.textarea(),
    secret: f.text().hidden(),
    views: f.number().integer(),
    letters: f.virtual(f.number().integer(), 'length("title")'),
  }))
  .options({ softDelete: true, revision: true })
  .access({ read: true, create: true, update: true, delete: true })

const WAYS = { updateRow, updateRowAtOnce: updateRowReturningOld }
const [LOCKED, AT_ONCE] = ["01890000-0000-7000-8000-00000000000a", "01890000-0000-7000-8000-00000000000b"]

let app: TestApp
let database: Database
let resource: Resource
let isModern: boolean

beforeAll(async () => {
  app = await testApp({ resources: [posts] })
  database = openPostgres({ url: app.database.url, onError: () => {} })
  isModern = await canReturnOldRows(database)
  const found = app.app.schema.collections.get("posts")
  if (found) resource = found
})

afterAll(async () => {
  await database.close()
  await app[Symbol.asyncDispose]()
})

test.each([
  { title: "b" },
  { title: "b", body: "long", secret: "s" },
  { views: null, title: "c" },
  { views: 7 },
  { deletedAt: new Date(0) },
])("%j gives the same row and the same change by either statement", async (changes) => {
  const locked = await update("updateRow", LOCKED, changes)
  const atOnce = await update(isModern ? "updateRowAtOnce" : "updateRow", AT_ONCE, changes)

  expect(locked.rows).toHaveLength(1)
  expect(atOnce).toEqual(locked)
})

test("writers that wait for each other each note what they found", async () => {
  await insert(AT_ONCE)
  const way = WAYS[isModern ? "updateRowAtOnce" : "updateRow"]

  const views = Array.from({ length: 20 }, (_none, index) => index + 1)
  await Promise.all(views.map((value) => database.query(way(resource, statementFor(AT_ONCE, { views: value }), []))))

  const noted = await app.database.query(
    `select before->'views' as before, after->'views' as after from "_kit_changes"`,
  )
  const last = await app.database.query("select views from posts")
  const chain = new Map(noted.map(({ before, after }) => [before, after]))
  let [at, length] = [0 as unknown, 0]
  for (; chain.has(at); length += 1) at = chain.get(at)
  expect({ length, at }).toEqual({ length: 20, at: last[0]?.["views"] })
})

async function update(way: keyof typeof WAYS, id: string, changes: Record<string, unknown>) {
  await insert(id)
  const { rows } = await database.query(WAYS[way](resource, statementFor(id, changes), readable()))
  const noted = await app.database.query(
    `select resource_kind, resource, kind, before, after - 'id' as after from "_kit_changes"`,
  )
  return { rows: rows.map(([_id, ...values]) => values), noted }
}

async function insert(id: string): Promise<void> {
  await app.database.query('truncate posts, "_kit_changes"')
  await app.database.query(
    `insert into posts (id, title, body, views, revision, "createdAt", "updatedAt") values ($1, 'a', 'text', 0, 1, 'epoch', 'epoch')`,
    [id],
  )
}

function statementFor(id: string, changes: Record<string, unknown>) {
  return { id, values: new Map(Object.entries(changes).map(([name, value]) => [fieldOf(name), value])) }
}

function readable(): readonly ResourceField[] {
  return ["id", "title", "views", "letters", "revision", "updatedAt"].map(fieldOf)
}

function fieldOf(name: string): ResourceField {
  const field = resource.fields.get(name) ?? resource.columns.find((column) => column.name === name)
  if (field === undefined) throw new Error(`There is no field ${name}.`)
  return field
}
