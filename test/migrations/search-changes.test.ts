// @module-tag not-about-engine

import { type Collection, collection } from "kit"
import { describe, expect, onTestFinished, test } from "vitest"
import { openPostgres } from "../../packages/kit/src/drivers/postgres/open-postgres.ts"
import { rehearseSync } from "../../packages/kit/src/engine/migrate/rehearse-sync.ts"
import { compileSchema } from "../../packages/kit/src/schema/compile/compile.ts"
import type { TestDatabase } from "../support/test-database.ts"
import { declare, newApp } from "../support/worlds/migrated-app.ts"
import { freshDatabase, startOn } from "../support/worlds/synced-app.ts"

type Declare = (f: any) => Record<string, any>

const posts = (declare: Declare, name = "posts") => collection(name).fields(({ f }) => declare(f))
const plain: Declare = (f) => ({ title: f.text(), body: f.text() })

/** The search objects of the database, besides those that every app has. */
async function objectsOf(database: TestDatabase): Promise<unknown[]> {
  const rows = await database.query(`
    select format('column %s.%s', attrelid::regclass, attname) as name from pg_attribute
    where attname like '\\_search%' and not attisdropped
      and attrelid in (select oid from pg_class where relkind = 'r' and relname not like '\\_kit%')
    union all select format('index %s', relname) from pg_class where relkind = 'i' and relname like '%.\\_search%'
    union all select format('trigger of %s', tgrelid::regclass) from pg_trigger where tgname = '_kit_search'
    union all select format('function %s', proname) from pg_proc where proname like '\\_kit\\_search.%'
    order by 1`)
  return rows.map((row) => row["name"])
}

async function vectors(database: TestDatabase, table = "posts", column = "_search"): Promise<unknown[]> {
  const rows = await database.query(`select "${column}"::text as vector from "${table}" order by "createdAt"`)
  return rows.map((row) => stemsOf(row["vector"]))
}

/** The stems of a vector, with their places. Besides them, a vector has words as they are spelled, without a place. */
const stemsOf = (vector: unknown) =>
  String(vector)
    .split(" ")
    .filter((word) => word.includes(":"))
    .join(" ")

const SEARCHED = ["column posts._search", "function _kit_search.posts", "index posts._search", "trigger of posts"]

describe("a sync", () => {
  test("makes the index of a collection that becomes searchable, once", async () => {
    const database = await freshDatabase()
    const searched = posts(plain).searchable({ fields: ["title"] })
    await startOn(database, [posts(plain)])
    expect(await objectsOf(database)).toEqual([])

    const second = await startOn(database, [searched])
    const third = await startOn(database, [searched])
    await third.system.collections["posts"]?.create({ title: "Bridges" })

    expect(second.syncReport).toMatchObject({ changes: ['keep a search index of "posts"'], addedColumns: [] })
    expect(third.syncReport).toMatchObject({ changes: [], addedColumns: [], kept: [] })
    expect(await objectsOf(database)).toEqual(SEARCHED)
    expect(await vectors(database)).toEqual(["'bridg':1A"])
  })

  test("drops the index of a collection that is no longer searchable, and loses no data by it", async () => {
    const database = await freshDatabase()
    const first = await startOn(database, [
      posts(plain)
        .options({ versions: true })
        .searchable({ fields: ["title"] }),
    ])
    await first.system.collections["posts"]?.create({ title: "Bridges" })

    const second = await startOn(database, [posts(plain).options({ versions: true })])
    await second.system.collections["posts"]?.create({ title: "Towers" })

    expect(second.syncReport).toMatchObject({ kept: [], warnings: [], liftedConstraints: [] })
    expect(await objectsOf(database)).toEqual([])
  })

  test("replaces the trigger when the definition changes, and keeps what is indexed until it is made again", async () => {
    const database = await freshDatabase()
    const first = await startOn(database, [posts(plain).searchable({ fields: ["title"] })])
    await first.system.collections["posts"]?.create({ title: "Bridges", body: "text" })
    await first.stop()
    await rehearse(database, [posts(plain).searchable({ fields: ["title", "body"] })])
    expect(await vectors(database)).toEqual(["'bridg':1A"])

    const second = await startOn(database, [posts(plain).searchable({ fields: ["title", "body"] })])
    await second.system.collections["posts"]?.create({ title: "Towers", body: "words" })

    expect(second.syncReport.changes).toEqual(['keep a search index of "posts"'])
    expect((await vectors(database))[1]).toBe("'tower':1A 'word':66A")
  })

  test("indexes each locale when a searched field becomes localized", async () => {
    const database = await freshDatabase()
    const first = await startOn(database, [posts(plain).searchable({ fields: ["title"] })])
    await first.system.collections["posts"]?.create({ title: "Bridges" })

    const localized = posts((f) => ({ title: f.text().localized(), body: f.text() })).searchable({ fields: ["title"] })
    const locales = { default: "en", all: ["en", "de"] }
    const second = await startOn(database, [localized], { locales })
    await second.system.collections["posts"]?.create({ title: "Häuser" }, { locale: "de" })

    expect(await objectsOf(database)).toEqual([
      ...["column posts._search_de", "column posts._search_en", "function _kit_search.posts"],
      ...["index posts._search_de", "index posts._search_en", "trigger of posts"],
    ])
    expect((await vectors(database, "posts", "_search_de"))[1]).toBe("'haus':1A")
  })

  test("renames a searched field and a searchable collection with its stages", async () => {
    const database = await freshDatabase()
    const options = { workflow: true, versions: true } as const
    const first = await startOn(database, [
      posts(plain)
        .options(options)
        .searchable({ fields: ["title"] }),
    ])
    await first.system.collections["posts"]?.create({ title: "Bridges" })

    const renamed = posts((f) => ({ name: f.text().renamedFrom("title"), body: f.text() }), "pages")
      .renamedFrom("posts")
      .options(options)
      .searchable({ fields: ["name"] })
    const second = await startOn(database, [renamed])
    const page = await second.system.collections["pages"]?.create({ name: "Towers" })
    await second.system.collections["pages"]?.transitionStage({ id: String(page?.["id"]), stage: "published" })
    const third = await startOn(database, [renamed])

    expect((await vectors(database, "pages"))[1]).toBe("'tower':1A")
    expect(await vectors(database, "pages.stage.published")).toEqual(["'tower':1A"])
    expect(third.syncReport).toMatchObject({ changes: [], kept: [] })
    expect((await objectsOf(database)).filter((name) => String(name).includes("posts"))).toEqual([])
  })

  test("keeps the column of a searched field that is removed, and goes on with the others", async () => {
    const database = await freshDatabase()
    const first = await startOn(database, [posts(plain).searchable({ fields: ["title", "body"] })])
    await first.system.collections["posts"]?.create({ title: "Bridges", body: "text" })

    const left = posts((f) => ({ title: f.text() })).searchable({ fields: ["title"] })
    const second = await startOn(database, [left])
    await second.system.collections["posts"]?.create({ title: "Towers" })

    expect(second.syncReport.kept).toEqual(["posts.body"])
    expect((await vectors(database))[1]).toBe("'tower':1A")
  })

  test("stops the index of a collection that is no longer declared, and takes it up again", async () => {
    const database = await freshDatabase()
    const searched = posts(plain).searchable({ fields: ["title"] })
    const first = await startOn(database, [searched])
    await first.system.collections["posts"]?.create({ title: "Bridges" })

    await startOn(database, [])
    expect(await objectsOf(database)).toEqual(["column posts._search", "index posts._search"])
    await startOn(database, [searched])

    expect(await objectsOf(database)).toEqual(SEARCHED)
  })

  test.each([
    ["the trigger is missing", "drop trigger _kit_search on posts"],
    [
      "the function is another one",
      `create or replace function "_kit_search.posts"() returns trigger language plpgsql as 'begin return new; end'`,
    ],
    ["the function is missing", `drop function "_kit_search.posts" cascade`],
    ["the configuration is missing", "drop text search configuration _kit_english"],
    ["a column is missing", "alter table posts drop column _search"],
    ["the index is missing", 'drop index "posts._search"'],
  ])("repairs an index of which %s", async (_name, sql) => {
    const database = await freshDatabase()
    const searched = posts(plain).searchable({ fields: ["title"] })
    await (await startOn(database, [searched])).stop()
    await database.query(sql)

    const second = await startOn(database, [searched])
    await second.system.collections["posts"]?.create({ title: "Bridges" })

    expect(await objectsOf(database)).toEqual(SEARCHED)
    expect(await vectors(database)).toEqual(["'bridg':1A"])
  })

  test("goes on without folded accents if the database refuses the extension", async () => {
    const database = await freshDatabase()
    const role = `plain_${Date.now()}`
    await database.query(`create role ${role} login; grant all on schema public to ${role};
      revoke create on database ${new URL(database.url).pathname.slice(1)} from public`)
    const url = new URL(database.url)
    url.username = role
    onTestFinished(async () => {
      await database.query(`drop owned by ${role}; drop role ${role}`)
    })
    const owned = { ...database, url: url.href }

    const app = await startOn(owned, [posts(plain).searchable({ fields: ["title"] })])
    await app.system.collections["posts"]?.create({ title: "Café" })

    expect(await vectors(database)).toEqual(["'café':1A"])
    await app.stop()
  })
})

async function rehearse(database: TestDatabase, resources: readonly Collection[]): Promise<void> {
  const compiled = compileSchema(resources.map(({ definition }) => ({ file: definition.name, definition })))
  if ("mistakes" in compiled) throw new Error(JSON.stringify(compiled.mistakes))
  const opened = openPostgres({ url: database.url })
  await rehearseSync(opened, compiled.schema).finally(() => opened.close())
}

test("a rehearsal makes no search index", async () => {
  const database = await freshDatabase()
  await startOn(database, [posts(plain)])

  await rehearse(database, [posts(plain).searchable({ fields: ["title"] })])

  expect(await objectsOf(database)).toEqual([])
})

test("kit migrate writes the index into its files, plans it and removes it without loss of data", async () => {
  const fields = "title: f.text(), body: f.text()"
  const { folder, database, kit } = await newApp(fields)
  await kit("migrate", "create")
  await kit("migrate", "up")

  await declare(folder, fields, '.searchable({ fields: ["title"] })')
  const planned = await kit("migrate", "plan")
  await kit("migrate", "create", "search")
  const up = await kit("migrate", "up")
  const after = await kit("migrate", "create")
  await database.query(
    `insert into posts (id, "createdAt", "updatedAt", title) values (gen_random_uuid(), now(), now(), 'Bridges')`,
  )
  const indexed = await vectors(database)
  await declare(folder, fields)
  const removed = await kit("migrate", "create", "remove")
  const down = await kit("migrate", "up")

  expect(planned.output).toContain('add column "posts._search" (tsvector)')
  expect(planned.output).toContain('keep a search index of "posts"')
  expect(up).toMatchObject({ code: 0 })
  expect(after.output).toContain("nothing to do")
  expect(indexed).toEqual(["'bridg':1A"])
  expect(removed).toMatchObject({ code: 0, output: expect.not.stringContaining("LOSES DATA") })
  expect(down).toMatchObject({ code: 0 })
  expect(await objectsOf(database)).toEqual([])
})
