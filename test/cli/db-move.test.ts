// @module-tag not-about-engine
// @module-tag experiment

import { randomBytes } from "node:crypto"
import { tmpdir } from "node:os"
import { collection, createApp, global, job } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { copyDatabase as moveCommand } from "../../packages/kit/src/cli/commands/db.ts"
import { UsageError } from "../../packages/kit/src/cli/terminal/arguments.ts"
import { openBulkSession } from "../../packages/kit/src/drivers/postgres/bulk-session.ts"
import { type CopyEvent, copyDatabase } from "../../packages/kit/src/engine/copy-database/copy-database.ts"
import { runKit } from "../support/processes/kit-command.ts"
import { appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { startStallingProxy } from "../support/processes/stalling-proxy.ts"
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts"
import { AUTHORS_OBJECTS, contentOf, kitDb } from "../support/worlds/move-world.ts"

// The pools of the tests themselves are connected to the databases.
const ALLOW = "--allow-others"
const POSTS = `
import { collection } from "kit"
export default collection("posts").fields(({ f }) => ({ title: f.text(200) }))
`
const quiet = { info: () => {}, warn: () => {}, error: () => {} }

const tags = collection("tags").fields(({ f }) => ({ name: f.text().required() }))
const stories = collection("stories")
  .fields(({ f }) => ({
    title: f.text(200).required(),
    slug: f.text().unique(),
    body: f.richText(),
    words: f.number().integer(),
    score: f.number(),
    big: f.number().bigint(),
    price: f.number().decimal(10, 2),
    isDone: f.boolean(),
    day: f.date(),
    opens: f.time(),
    at: f.datetime(),
    kinds: f.select(["a", "b"]).multiple().index(),
    moments: f.array(f.datetime()),
    extra: f.json(),
    parts: f.array(f.object({ sku: f.text().required() })),
    tags: f.relation("tags").manyToMany({ ordered: true }),
    sequel: f.relation("stories"),
  }))
  .hooks({
    afterChange: async ({ row, queue }) => {
      await queue["tell"]?.publish({ id: row["id"] })
    },
  })
  .options({ softDelete: true, revision: true })
const site = global("site").fields(({ f }) => ({ name: f.text().required() }))
const tell = job({ name: "tell", schema: z.object({ id: z.string() }), handler: () => {} })

function openApp(url: string) {
  return createApp({
    resources: [tags, stories, site].map(({ definition }) => ({ file: `${definition.name}.ts`, definition })),
    jobs: [{ file: "jobs/tell.ts", key: "tell", definition: tell.definition }],
    config: { db: { url }, logger: quiet, secret: "a secret that is long enough for tests" },
    root: "/nowhere",
  })
}

async function fillApp(url: string): Promise<void> {
  const app = await openApp(url)
  const { tags, stories } = app.system.collections
  const tag = await tags?.create({ name: "Ď\n\\N\t" })
  const first = await stories?.create({
    ...{ title: "Prvý\r\n", slug: "", words: -5, score: 0.1, big: 9007199254740993n, price: "12.50", isDone: false },
    ...{ day: "2026-05-04", opens: "10:30:00", at: new Date(0), kinds: ["a", "b"], moments: [new Date(5)] },
    ...{ extra: { a: [null, "\u2028"] }, parts: [{ sku: "x\\y" }], tags: [tag?.["id"]] },
    body: { type: "doc", content: [{ type: "paragraph" }] },
  })
  const second = await stories?.create({ title: "Second", sequel: first?.["id"] })
  await stories?.deleteById({ id: String(second?.["id"]) })
  await app.system.globals["site"]?.update({ name: "Desk" })
  await app.users.create({ email: "eva@example.com", name: "Eva", password: "correct horse battery" })
  await app.stop()
}

describe("kit db move", () => {
  let source: TestDatabase
  let target: TestDatabase
  beforeAll(async () => {
    source = await createTestDatabase()
    target = await createTestDatabase()
    await fillApp(source.url)
    await source.query(AUTHORS_OBJECTS)
  })
  afterAll(async () => {
    await source.drop()
    await target.drop()
  })

  test("copies every table, value and rule, and leaves the source as it is", async () => {
    const before = await contentOf(source)

    const { code, output } = await kitDb(["move", target.url, ALLOW], source.url)

    expect(output).toContain("set DATABASE_URL to its address and start the app")
    expect(output).toMatch(/public\.stories +2 +2 +[\da-f]{32} +equal/)
    expect(code).toBe(0)
    expect(await contentOf(target)).toEqual(before)
    expect(await contentOf(source)).toEqual(before)
    await target.query(`insert into "Sports desk"."Odd; names" (nick) values ('new')`)
    expect(await target.query(`select ticket, stamped from "Sports desk"."Odd; names" where nick = 'new'`)).toEqual([
      { ticket: "121", stamped: "by trigger" },
    ])
    await target.query(`delete from "Sports desk"."Odd; names" where nick = 'new'`)
  })

  test("an app goes on in the target where it was", async () => {
    const app = await openApp(target.url)

    const page = await app.system.collections["stories"]?.find({ with: { tags: true } })
    const created = await app.system.collections["stories"]?.create({ title: "In the new place" })

    expect(app.syncReport.changes).toEqual([])
    expect(page?.docs).toEqual([expect.objectContaining({ title: "Prvý\r\n", big: 9007199254740993n })])
    expect(page?.docs[0]?.["tags"]).toEqual([expect.objectContaining({ name: "Ď\n\\N\t" })])
    expect(await target.query(`select xid < pg_current_xact_id() as is_past from "_kit_changes"`)).not.toContainEqual({
      is_past: false,
    })
    await app.stop()
    await target.query(`delete from stories where id = $1`, [created?.["id"]])
    await target.query(`delete from "_kit_changes" where record = $1`, [created?.["id"]])
    await target.query(`delete from "_kit_jobs" where payload->>'id' = $1`, [created?.["id"]])
  })

  test("a finished move is only compared again, and a changed row in the target is found", async () => {
    const again = await kitDb(["move", target.url, ALLOW, "--json"], source.url)
    await target.query(`update tags set name = name || ' '`)
    const changed = await kitDb(["move", target.url, ALLOW], source.url)

    expect(again.code).toBe(0)
    expect(again.output).toContain("copied there before")
    expect(JSON.parse(again.lines.at(-1) ?? "")).toMatchObject({ isEqual: true })
    expect(changed.code).toBe(1)
    expect(changed.output).toMatch(/public\.tags +1 +1 +[\da-f]{32} +DIFFERS: [\da-f]{32}/)
    expect(changed.output).toContain("The target differs from the source: public.tags.")
    expect(changed.output).not.toContain("set DATABASE_URL")
  })
})

test("a move that lost its connection and was then killed goes on where it was, and ends with what is there now", async () => {
  const [source, target] = [await createTestDatabase(), await createTestDatabase()]
  await source.query("create table a_first (id integer primary key, note text)")
  await source.query("insert into a_first select n, 'note ' || n from generate_series(1, 1000) n")
  await source.query("create table b_large (id integer primary key, first integer references a_first, body text)")
  // Three chunks of eight megabytes.
  await source.query(
    "insert into b_large select n, 1 + n % 1000, repeat(md5(n::text), 30) from generate_series(1, 22000) n",
  )
  await source.query("create table c_last (id serial primary key, note text)")
  const progress = async () => {
    const [row] = await target.query(`select detail from "_kit_copy" where part = 'rows of public.b_large'`)
    return row?.["detail"] as { nextBlock: number; isCopied: boolean } | undefined
  }

  const afterLoss = await (async () => {
    await using proxy = await startStallingProxy(target, 12_000_000)
    const lost = startMove(source, proxy.url)
    await proxy.stalled
    const writing = source.query("set lock_timeout = '50ms'; insert into a_first values (0)")
    await expect(writing).rejects.toThrow("lock timeout")
    expect(await source.query("select count(*)::integer as count from b_large")).toEqual([{ count: 22000 }])
    proxy.cut()
    expect(await lost.exit()).toBe(1)
    await expect(openApp(target.url)).rejects.toThrow("A copy into this database was not finished.")
    expect(lost.output).toContain("Run it again: it continues where it stopped")
    return progress()
  })()
  const afterKill = await (async () => {
    await using proxy = await startStallingProxy(target, 12_000_000)
    const killed = startMove(source, proxy.url)
    await proxy.stalled
    await killed.kill()
    expect(killed.output).toContain("resuming an interrupted copy")
    return progress()
  })()
  await source.query("update a_first set note = 'changed' where id = 7")
  await source.query("delete from b_large where id = 5")
  await source.query("update b_large set body = 'changed' where id % 1000 = 1")
  await source.query("insert into c_last (note) values ('new')")
  const ended = await kitDb(["move", target.url, ALLOW], source.url)

  expect(afterLoss).toMatchObject({ isCopied: false, nextBlock: 1024 })
  expect(afterKill).toMatchObject({ isCopied: false, nextBlock: 2048 })
  expect(ended.output).toContain("resuming an interrupted copy")
  expect(ended.code).toBe(0)
  const everything = `select (select md5(string_agg(t::text, ',' order by id)) from b_large t) as large,
    (select md5(string_agg(t::text, ',' order by id)) from a_first t) as first, nextval('c_last_id_seq') as next`
  expect(await target.query(everything)).toEqual(await source.query(everything))
  await expect(target.query("insert into b_large values (99999, 5000)")).rejects.toThrow("foreign key")
  await source.drop()
  await target.drop()
})

function startMove(source: TestDatabase, url: string): KitProcess {
  return new KitProcess(["db", "move", url, ALLOW], { cwd: tmpdir(), env: { DATABASE_URL: source.url } })
}

test("rows that change after a move was cut off at its very end are copied anew, and all is built again", async () => {
  const [source, target] = [await createTestDatabase(), await createTestDatabase()]
  await source.query(`create table parents (id integer primary key, note text); create table children (id serial primary key,
    parent integer references parents, stamped text); create materialized view counted as select count(*) from children;
    create unique index counted_once on counted (count); create view seen as select * from counted;
    insert into parents values (1, 'a'), (2, 'b'); insert into children (parent) values (1), (2);
    create function stamp() returns trigger language plpgsql as $$ begin new.stamped := 'again'; return new; end $$;
    create trigger stamp before insert on children for each row execute function stamp(); refresh materialized view counted`)
  const cut = (event: CopyEvent) => {
    if (event.kind === "building" && event.title.startsWith("statistics")) throw new Error("Cut off.")
  }
  await expect(move(source.url, target.url, cut)).rejects.toThrow("Cut off.")
  await source.query(`update parents set note = 'c'; delete from children where parent = 2; delete from parents where id = 2;
    refresh materialized view counted`)

  await move(source.url, target.url)

  expect(await target.query("select * from children")).toEqual([{ id: 1, parent: 1, stamped: null }])
  expect(await target.query("select * from seen")).toEqual([{ count: "1" }])
  await target.query("insert into children (parent) values (1)")
  expect(await target.query("select id, stamped from children where id > 1")).toEqual([{ id: 3, stamped: "again" }])
  await expect(target.query("delete from parents")).rejects.toThrow("foreign key")
  expect(await target.query("select indexname from pg_indexes where tablename = 'counted'")).toHaveLength(1)
  await source.drop()
  await target.drop()
})

describe("kit db move refuses", () => {
  let source: TestDatabase
  let target: TestDatabase
  beforeAll(async () => {
    source = await createTestDatabase()
    target = await createTestDatabase()
    await source.query("create table notes (id integer primary key, note text)")
  })
  afterAll(async () => {
    await source.drop()
    await target.drop()
  })

  test.each([
    ["no address", [], "Say where to: kit db move postgres://"],
    ["two addresses", ["postgres://a@b/c", "postgres://a@b/d"], "Unexpected argument"],
    ["what is no address", ["mysql://root:hush@localhost/x"], "The target is not the address of a PostgreSQL"],
    ["a port that is none", ["postgres://me:hush@localhost:99999/x"], "The target is not the address of a PostgreSQL"],
  ])("%s", async (_case, args, message) => {
    const refused = await moveCommand({ positionals: args, values: {} }).catch((error: unknown) => error)

    expect(refused).toBeInstanceOf(UsageError)
    expect(String(refused)).toContain(message)
    expect(String(refused)).not.toContain("hush")
  })

  test("servers that do not answer, its own database, schemas that are not there, and other sessions", async () => {
    const reader = await openBulkSession({ url: source.url, name: "a reader" })
    const kitMove = (...args: string[]) => kitDb(["move", ...args], source.url)

    const [silent, own, schema, others] = await Promise.all([
      kitMove("postgres://me:hush@127.0.0.1:1/x", ALLOW),
      kitMove(source.url, ALLOW),
      kitMove(target.url, ALLOW, "--schema", "sport"),
      kitMove(target.url),
    ])

    expect(silent?.lines.at(-1)).toBe(
      "The target cannot be opened: Could not connect to PostgreSQL: connect ECONNREFUSED 127.0.0.1:1. Check its address.",
    )
    expect(silent?.output).not.toContain("hush")
    expect(own?.lines.at(-1)).toContain("The target is the app's own database: DATABASE_URL or db.url names it.")
    expect(schema?.lines.at(-1)).toBe('There is no schema "sport" to copy. Known: public.')
    expect(others?.lines.at(-1)).toMatch(/^Other sessions are connected to the database: .*a reader\b.* Stop the app/)
    expect([silent, own, schema, others].map((moved) => moved?.code)).toEqual([1, 1, 1, 1])
    await reader.close()
    expect(await target.query("select 1 from pg_class where relnamespace = 'public'::regnamespace")).toEqual([])
  })

  test("a target that holds something, that cannot hold the rows, or that the role may not fill", async () => {
    const filled = await createTestDatabase()
    await filled.query("create table notes (id integer); create function hello() returns text language sql return 'x'")
    const name = `latin_${randomBytes(6).toString("hex")}`
    await filled.query(`create database ${name} encoding 'LATIN1' locale 'C' template template0`)
    const latin = Object.assign(new URL(filled.url), { pathname: name })
    await source.query("create role db_move_reader login password 'reader'")
    const address = Object.assign(new URL(target.url), { username: "db_move_reader", password: "reader" })

    await expect(move(source.url, filled.url)).rejects.toThrow(
      "The target is not empty: it holds public.hello(), public.notes. Use an empty database.",
    )
    await expect(move(source.url, latin.href)).rejects.toThrow(
      "The encoding of the target is LATIN1, and kit needs UTF8.",
    )
    await expect(move(source.url, address.href)).rejects.toThrow(
      "The target cannot take table public.notes: permission denied for schema public. Give the role of the URL the right",
    )

    await source.query("drop role db_move_reader")
    await filled.query(`drop database ${name} with (force)`)
    await filled.drop()
  })

  test("what it cannot copy, by name, and the target of another database", async () => {
    const [strange, other] = [await createTestDatabase(), await createTestDatabase()]
    await strange.query("create domain percent as integer; create table parted (id integer) partition by list (id)")
    await strange.query("create table secret (id integer); alter table secret enable row level security")
    await strange.query("select lo_create(4711)")
    await move(source.url, other.url)

    await expect(move(strange.url, target.url)).rejects.toThrow(
      "cannot copy: partitioned table public.parted, table with row security public.secret, " +
        "domain public.percent, large object 4711. Use pg_dump",
    )
    await strange.query("drop domain percent; drop table parted, secret; select lo_unlink(4711)")
    await expect(move(strange.url, other.url)).rejects.toThrow("The target holds a copy of another database.")
    await source.query("alter table notes add column more text")
    await expect(move(source.url, other.url)).rejects.toThrow("its tables have changed since. Use an empty database.")

    await strange.drop()
    await other.drop()
  })
})

/** Copies as the command does, without starting a process for it. */
async function move(from: string, to: string, onEvent: (event: CopyEvent) => void = () => {}): Promise<void> {
  const [source, target] = await Promise.all([from, to].map((url) => openBulkSession({ url, name: "kit db move" })))
  if (!source || !target) throw new Error("Two addresses give two sessions.")
  try {
    await copyDatabase({ source, target, schemas: [], allowOthers: true, onEvent })
  } finally {
    await Promise.all([source.close(), target.close()])
  }
}

test("an embedded database is found, described, kept running and moved", async () => {
  await using folder = await appFolder({ "src/collections/posts.ts": POSTS })
  const target = await createTestDatabase()
  const at = { cwd: folder.path, env: { DATABASE_URL: "" } }
  const run = (...args: string[]) => runKit(args, at)
  await run("user", "create", "--email", "eva@example.com", "--name", "Eva")

  const held = new KitProcess(["db", "url", "--wait"], at)
  const [url = ""] = await held.printed(/^postgresql:\/\/\S+/m)
  const status = await run("db", "status", "--json")
  const moved = await run("db", "move", target.url)
  const stopped = await held.stop()

  expect(JSON.parse(status.output)).toMatchObject({
    isEmbedded: true,
    database: "kit",
    schema: { source: "sync" },
    sessions: [],
  })
  expect(url).toContain("host=")
  expect(moved.output).toMatch(/public\.users +1 +1 +[\da-f]{32} +equal/)
  expect([moved.code, stopped]).toEqual([0, 0])
  expect(await target.query("select email from users")).toEqual([{ email: "eva@example.com" }])
  await target.drop()
})

test("kit db status tells an own PostgreSQL, its pending migrations and who is connected", async () => {
  await using folder = await appFolder({ "src/migrations/20260101000000_first.sql": "select 1" })
  await folder.write("src/migrations/20260101000000_first.json", '{ "version": 1, "tables": [] }')
  const database = await createTestDatabase()
  await database.query("create table notes (id integer); insert into notes values (1), (2)")
  const reader = await openBulkSession({ url: database.url, name: "a reader" })

  const { code, output } = await runKit(["db", "status"], { cwd: folder.path, env: { DATABASE_URL: database.url } })

  expect(output).toContain("0 migrations applied, pending: 20260101000000_first")
  expect(output).toMatch(/connected: .*a reader as \w+ \(1\)/)
  expect(output).toMatch(/notes +2 +8\.0 kB/)
  expect(code).toBe(0)
  await reader.close()
  await database.drop()
})
