// @module-tag not-about-engine
// @module-tag experiment

import { randomBytes } from "node:crypto"
import { readdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { appFolder } from "../support/processes/kit-process.ts"
import { createTestDatabase, openTestDatabase } from "../support/test-database.ts"
import {
  ARCHIVED_APP,
  answersOf,
  runKit,
  startForwarder,
  upload,
  whileServed,
} from "../support/worlds/archive-world.ts"
import { AUTHORS_OBJECTS, contentOf, kitDb } from "../support/worlds/move-world.ts"

const FILES = { "one.bin": randomBytes(300_000), "empty-ish.txt": Buffer.from("x") }
const EMBEDDED = { DATABASE_URL: "", NODE_ENV: "" }

test("after dump, reset and restore the app answers the same, with the same files, and in another database too", async () => {
  const other = await createTestDatabase()
  await using folder = await appFolder(ARCHIVED_APP)
  const place = { folder, env: EMBEDDED }
  expect(await runKit(place, "seed")).toMatchObject({ code: 0 })
  const before = await whileServed(place, async (url) => {
    for (const [name, bytes] of Object.entries(FILES)) await upload(url, name, bytes)
    return answersOf(url)
  })

  const dumped = await runKit(place, "db", "dump", "backup.kit")
  const reset = await runKit(place, "db", "reset")
  const afterReset = await whileServed(place, answersOf)
  const refused = await runKit(place, "db", "restore", "backup.kit")
  const restored = await runKit(place, "db", "restore", "backup.kit", "--replace")
  const afterRestore = await whileServed(place, answersOf)
  const moved = await runKit({ folder, env: { DATABASE_URL: other.url } }, "db", "restore", "backup.kit")
  const elsewhere = await whileServed({ folder, env: { DATABASE_URL: other.url } }, answersOf)

  expect(Object.keys(before).filter((name) => name.startsWith("file "))).toHaveLength(2)
  expect(before["signIn"]).toBe("200")
  expect(dumped.output).toMatch(/dumped \d+ tables with \d+ rows and 2 files into backup\.kit/)
  expect(reset.output).toMatch(
    /deleting \d+ tables with \d+ rows \(.*media 2, stories 2, tags 1, users 1\), 2 files in embedded/,
  )
  expect(reset.output).toContain("seeded seeds/first")
  expect(afterReset["/media"]).toContain('"docs":[]')
  expect(afterReset["/tags"]).not.toBe(before["/tags"])
  expect(refused.code).toBe(1)
  expect(refused.output).toMatch(/The target is not empty: .* or --replace to delete its data first\./)
  expect(restored.output).toMatch(/restored \d+ tables with \d+ rows and 2 files from backup\.kit/)
  expect(afterRestore).toEqual(before)
  expect(moved, moved.output).toMatchObject({ code: 0 })
  expect(elsewhere).toEqual(before)
  await other.drop()
})

test("an archive is for its owner alone, and does not replace a file", async () => {
  const database = await createTestDatabase()
  await using folder = await appFolder({})
  const place = { folder, env: { DATABASE_URL: database.url } }

  const first = await runKit(place, "db", "dump", "a.kit", "--json")
  const second = await runKit(place, "db", "dump", "a.kit")

  expect(JSON.parse(first.output)).toEqual({ file: "a.kit", tables: [], files: 0, warnings: [] })
  expect((await stat(join(folder.path, "a.kit"))).mode & 0o777).toBe(0o600)
  expect(second.code).toBe(1)
  expect(second.output).toContain("a.kit exists already. Choose another name, or delete it.")
  expect(await readdir(folder.path)).not.toContain("a.kit.partial")
  await database.drop()
})

test("every object and value of the database is restored, and the dumped database stays as it is", async () => {
  const source = await createTestDatabase()
  const target = await createTestDatabase()
  await using folder = await appFolder(ARCHIVED_APP)
  const env = { DATABASE_URL: source.url }
  await runKit({ folder, env }, "seed")
  await source.query(AUTHORS_OBJECTS)
  const before = await contentOf(source)

  const dumped = await runKit({ folder, env }, "db", "dump", "all.kit")
  const restored = await kitDb(["restore", join(folder.path, "all.kit")], target.url)

  expect(dumped, dumped.output).toMatchObject({ code: 0 })
  expect(restored, restored.output).toMatchObject({ code: 0 })
  expect(await contentOf(target)).toEqual(before)
  expect(await contentOf(source)).toEqual(before)
  await target.query(`insert into "Sports desk"."Odd; names" (nick) values ('new')`)
  expect(await target.query(`select ticket, stamped from "Sports desk"."Odd; names" where nick = 'new'`)).toEqual([
    { ticket: "121", stamped: "by trigger" },
  ])
  await Promise.all([source.drop(), target.drop()])
})

test("a dump has the rows of one moment, while others write", async () => {
  const source = await createTestDatabase()
  const target = await createTestDatabase()
  await using folder = await appFolder({})
  await source.query("create table lefts (id integer); create table rights (id integer)")
  const writing = new AbortController()
  const writes = (async () => {
    for (let id = 0; !writing.signal.aborted; id += 1)
      await source.query(`with l as (insert into lefts values (${id})) insert into rights values (${id})`)
  })()

  const { code, output } = await runKit({ folder, env: { DATABASE_URL: source.url } }, "db", "dump", "now.kit")
  writing.abort()
  await writes
  await kitDb(["restore", join(folder.path, "now.kit")], target.url)

  expect(code, output).toBe(0)
  const [counts] = await target.query(
    "select (select count(*)::int from lefts) as lefts, (select count(*)::int from rights) as rights",
  )
  expect(counts?.["lefts"]).toBeGreaterThan(0)
  expect(counts?.["lefts"]).toBe(counts?.["rights"])
  await Promise.all([source.drop(), target.drop()])
})

test("a replacement that fails leaves the data and the files as they were", async () => {
  const database = await createTestDatabase()
  await using folder = await appFolder(ARCHIVED_APP)
  const place = { folder, env: { DATABASE_URL: database.url } }
  await runKit(place, "seed")
  await runKit(place, "db", "dump", "whole.kit")
  const before = await whileServed(place, async (url) => {
    await upload(url, "later.bin", FILES["one.bin"])
    return answersOf(url)
  })
  const whole = await readFile(join(folder.path, "whole.kit"))
  await writeFile(join(folder.path, "half.kit"), whole.subarray(0, whole.length / 2))

  const half = await runKit(place, "db", "restore", "half.kit", "--replace")
  const after = await whileServed(place, answersOf)
  const replaced = await runKit(place, "db", "restore", "whole.kit", "--replace")
  const files = await readdir(join(folder.path, ".kit/files"), { recursive: true })

  expect(half.code).toBe(1)
  expect(half.output).toContain("The archive is incomplete: it ends too early. Nothing was restored.")
  expect(after).toEqual(before)
  expect(replaced, replaced.output).toMatchObject({ code: 0 })
  expect(files.filter((file) => file.endsWith(".bin"))).toEqual([])
  await database.drop()
})

test("reset and --replace spare a database that an app uses, that is on another machine, or in production", async () => {
  const database = await createTestDatabase()
  await using remote = await startForwarder(database.url)
  await using folder = await appFolder(ARCHIVED_APP)
  const place = { folder, env: { DATABASE_URL: database.url } }
  const far = { folder, env: { DATABASE_URL: remote.url } }
  const production = { folder, env: { ...place.env, NODE_ENV: "production" } }
  await runKit(place, "seed")
  await runKit(place, "db", "dump", "a.kit")

  const running = await whileServed(place, () => runKit(place, "db", "reset"))
  const resetFar = await runKit(far, "db", "reset")
  const replaceFar = await runKit(far, "db", "restore", "a.kit", "--replace")
  const resetInProduction = await runKit(production, "db", "reset", "--yes")
  const replaceInProduction = await runKit(production, "db", "restore", "a.kit", "--replace")
  const kept = await countStories(database.url)
  const confirmed = await runKit(far, "db", "restore", "a.kit", "--replace", "--yes")
  const confirmedReset = await runKit(far, "db", "reset", "--yes")

  expect(running.output).toMatch(/Other sessions are connected to the database: kit.* Stop the app first\./)
  expect(resetFar.output).toMatch(
    /This would delete .*stories 2.*, which is on another machine\. Run it again with --yes/,
  )
  expect(replaceFar.output).toMatch(/--replace deletes .*stories 2.*\. Run it again with --yes to do so\./)
  expect(resetInProduction.output).toContain("kit db reset deletes all data, and NODE_ENV is production.")
  expect(replaceInProduction.output).toMatch(/--replace deletes .* Run it again with --yes to do so\./)
  const codes = [running, resetFar, replaceFar, resetInProduction, replaceInProduction].map(({ code }) => code)
  expect(codes).toEqual([1, 1, 1, 1, 1])
  expect(kept).toBe(2)
  expect(confirmed, confirmed.output).toMatchObject({ code: 0 })
  expect(confirmedReset, confirmedReset.output).toMatchObject({ code: 0 })
  await database.drop()
})

test("reset spares the tables of others in your own PostgreSQL, and an app with mistakes keeps its data", async () => {
  const database = await createTestDatabase()
  await using folder = await appFolder(ARCHIVED_APP)
  const place = { folder, env: { DATABASE_URL: database.url } }
  await runKit(place, "seed")
  await query(database.url, "create table of_others (id integer); insert into of_others values (1)")

  const spared = await runKit(place, "db", "reset")
  const others = await query(database.url, "select count(*)::int as count from of_others")
  await query(database.url, "create view titles as select title from stories")
  const blocked = await runKit(place, "db", "reset")
  await folder.write("src/collections/broken.ts", "export default 5")
  const mistaken = await runKit(place, "db", "reset")

  expect(spared, spared.output).toMatchObject({ code: 0 })
  expect(spared.output).not.toContain("of_others")
  expect(others).toEqual([{ count: 1 }])
  expect(blocked.output).toMatch(/Other objects depend on the tables of the app: view titles .* Nothing was deleted\./)
  expect(mistaken.output).toContain("src/collections/broken.ts: its default export is not a collection")
  expect([blocked.code, mistaken.code]).toEqual([1, 1])
  expect(await countStories(database.url)).toBe(2)
  await database.drop()
})

async function countStories(url: string): Promise<unknown> {
  const [row] = await query(url, "select count(*)::int as count from stories")
  return row?.["count"]
}

/** Runs SQL and closes its connections, which would count as those of others. */
async function query(url: string, text: string) {
  const database = openTestDatabase(url)
  try {
    return await database.query(text)
  } finally {
    await database.drop()
  }
}
