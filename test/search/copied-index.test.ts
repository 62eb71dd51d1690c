// @module-tag not-about-engine

import { join } from "node:path"
import { collection } from "kit"
import { expect, test } from "vitest"
import { runKit } from "../support/processes/kit-command.ts"
import { appFolder } from "../support/processes/kit-process.ts"
import type { TestDatabase } from "../support/test-database.ts"
import { contentOf, kitDb } from "../support/worlds/move-world.ts"
import { freshDatabase, startOn } from "../support/worlds/synced-app.ts"

const LOCALES = { default: "en", all: ["en", "de"] }

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text(), body: f.text().localized() }))
  .title("title")
  .searchable({ fields: ["body"] })
  .options({ workflow: true })

async function fill(database: TestDatabase): Promise<void> {
  const app = await startOn(database, [posts], { locales: LOCALES })
  const { id } = (await app.system.collections["posts"]?.create({ title: "Bridges", body: "Café" })) ?? {}
  await app.system.collections["posts"]?.transitionStage({ id: String(id), stage: "published" })
  await app.system.collections["posts"]?.create({ title: "_ @ \\ '", body: "a's b\\c" })
  await app.stop()
}

const searchObjects = (database: TestDatabase) =>
  database.query(`
    select c.cfgname::text as name, m.maptokentype::text as part, m.mapseqno::text as place, m.mapdict::regdictionary::text as value
    from pg_ts_config c join pg_ts_config_map m on m.mapcfg = c.oid where c.cfgnamespace = 'public'::regnamespace
    union all select proname, '', '', prosrc from pg_proc where proname like '\\_kit\\_search%'
    union all select tgrelid::regclass::text, '', '', pg_get_triggerdef(oid) from pg_trigger where tgname like '\\_kit\\_search%'
    order by 1, 2, 3`)

async function writeAfterwards(database: TestDatabase): Promise<unknown> {
  const app = await startOn(database, [posts], { locales: LOCALES })
  expect(app.syncReport).toMatchObject({ changes: [], createdTables: [], addedColumns: [] })
  const { id } = (await app.system.collections["posts"]?.create({ title: "Bücher", body: "towers" })) ?? {}
  const [row] = await database.query(`select "_search_en"::text as vector from posts where id = '${String(id)}'`)
  await app.stop()
  return row?.["vector"]
}

test("kit db move copies a search index as it is, and the target goes on with it", async () => {
  const [source, target] = [await freshDatabase(), await freshDatabase()]
  await fill(source)
  const [before, objects] = [await contentOf(source), await searchObjects(source)]

  const moved = await kitDb(["move", target.url, "--allow-others"], source.url)

  expect(moved, moved.output).toMatchObject({ code: 0 })
  expect(moved.output).toMatch(/public\.posts +2 +2 +[\da-f]{32} +equal/)
  expect(await contentOf(target)).toEqual(before)
  expect(await searchObjects(target)).toEqual(objects)
  expect(await writeAfterwards(target)).toBe("'bucher':1A 'tower':66B 'towers'")
})

test("kit db dump and restore keep a search index, also in the place of another", async () => {
  const [source, target] = [await freshDatabase(), await freshDatabase()]
  await fill(source)
  await fill(target)
  const [before, objects] = [await contentOf(source), await searchObjects(source)]
  await using folder = await appFolder({})
  const archive = join(folder.path, "search.kit")
  const kit = ({ url }: TestDatabase, ...args: string[]) =>
    runKit(["db", ...args], { cwd: folder.path, env: { DATABASE_URL: url } })

  const dumped = await kit(source, "dump", archive)
  const refused = await kit(target, "restore", archive)
  const restored = await kit(target, "restore", archive, "--replace")

  expect(dumped, dumped.output).toMatchObject({ code: 0 })
  expect(refused.output).toContain("The target is not empty")
  expect(restored, restored.output).toMatchObject({ code: 0 })
  expect(await contentOf(target)).toEqual(before)
  expect(await searchObjects(target)).toEqual(objects)
  expect(await writeAfterwards(target)).toBe("'bucher':1A 'tower':66B 'towers'")
})
