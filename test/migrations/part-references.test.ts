// @module-tag not-about-engine

import { join } from "node:path"
import { expect, test } from "vitest"
import { runKit } from "../support/processes/kit-command.ts"
import { createTestDatabase } from "../support/test-database.ts"
import { declare, newApp } from "../support/worlds/migrated-app.ts"

const hero = (picture: string) => `title: f.text(), body: f.blocks({ hero: { picture: ${picture} } })`

/** Inserts two posts, of which the second refers to the first. */
const INSERT = `with made as (insert into posts (id, title, "createdAt", "updatedAt")
    values (gen_random_uuid(), 'a', now(), now()) returning id)
  insert into posts (id, title, body, "createdAt", "updatedAt")
    select gen_random_uuid(), 'b', jsonb_build_array(jsonb_build_object('type', 'hero', 'picture', id)), now(), now() from made`

const REFERENCES = `select one.title as of, other.title as to from "_kit_references" r
  join posts one on one.id::text = r.record join posts other on other.id::text = r.target`

test("a migration follows the ids of a part that becomes a relation, and forgets them with its field", async () => {
  const { folder, database, kit } = await newApp(hero("f.text()"))
  await kit("migrate", "create")
  await kit("migrate", "up")
  await database.query(INSERT)
  await declare(folder, hero('f.relation("posts")'))

  const created = await kit("migrate", "create")
  const up = await kit("migrate", "up")
  const followed = await database.query(REFERENCES)
  const unchanged = await kit("migrate", "create")
  await declare(folder, "title: f.text()")
  await kit("migrate", "create", "--accept-data-loss")
  const dropped = await kit("migrate", "up")

  expect([created.code, up.code, dropped.code], up.output + dropped.output).toEqual([0, 0, 0])
  expect(created.output).toContain('follow the references of "posts"')
  expect(followed).toEqual([{ of: "b", to: "a" }])
  expect(unchanged.output).toContain("nothing to do")
  expect(await database.query(REFERENCES)).toEqual([])
})

test("tables of another schema have their own references, which a dump brings into another database", async () => {
  const { folder, database, kit } = await newApp(hero('f.relation("posts")'))
  await using copy = await asyncDisposable(createTestDatabase())
  const inSchema = (url: string) => `${url}${url.includes("?") ? "&" : "?"}options=-c%20search_path%3Dpress`
  const run = (url: string, ...args: string[]) =>
    runKit(args, { cwd: folder.path, env: { DATABASE_URL: inSchema(url) } })
  for (const { query } of [database, copy]) await query("create schema press")
  await kit("migrate", "create")
  const file = join(folder.path, "app.dump")

  const up = await run(database.url, "migrate", "up")
  await database.query(`set search_path = press; ${INSERT}`)
  const dumped = await run(database.url, "db", "dump", file)
  const restored = await run(copy.url, "db", "restore", file)

  expect([up.code, dumped.code, restored.code], up.output + dumped.output + restored.output).toEqual([0, 0, 0])
  expect(await copy.query(`select count(*)::int from press."_kit_references"`)).toEqual([{ count: 1 }])
})

async function asyncDisposable<Value extends { drop(): Promise<void> }>(value: Promise<Value>) {
  const made = await value
  return { ...made, [Symbol.asyncDispose]: () => made.drop() }
}
