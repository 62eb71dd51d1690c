// @module-tag not-about-engine

import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { declare, editNewest, files, insertPosts, newApp, syncOnce } from "../support/worlds/migrated-app.ts"

const BACKFILL = "update posts set note = upper(title) where note is null;"

describe("SQL that was added to a migration by hand", () => {
  test("runs on a synced database, once, while the tables are taken as they are", async () => {
    const { folder, database, kit } = await newApp("title: f.text(), note: f.text()")
    await syncOnce(folder, database)
    await insertPosts(database, ["'a', null"])
    await kit("migrate", "create", "initial")
    await editNewest(folder, (sql) => `${sql}\n-- it's filled; by hand\n${BACKFILL}`)

    const up = await kit("migrate", "up")
    const filled = await database.query("select note from posts")
    await database.query("update posts set note = null")
    const again = await kit("migrate", "up")

    expect(up.code).toBe(0)
    expect(up.output).toMatch(/_initial was there already, except for SQL added by hand: ran 1 statement\n/)
    expect(filled).toEqual([{ note: "A" }])
    expect(again.output).toContain("nothing to do")
    expect(await database.query("select note from posts")).toEqual([{ note: null }])
  })

  test("runs at a start too, in the order of all files that the sync has made", async () => {
    const { folder, database, kit } = await newApp("title: f.text()")
    await kit("migrate", "create", "initial")
    await editNewest(folder, (sql) => `create table mine (a text);\n${sql}`)
    await declare(folder, "title: f.text(), note: f.text()")
    await kit("migrate", "create", "add-note")
    await editNewest(folder, (sql) =>
      sql.replace("alter", "insert into mine values ('x');\nalter").replaceAll(" ", "  "),
    )
    await syncOnce(folder, database)

    const started = await kit("seed")

    expect(started).toMatchObject({ code: 0 })
    expect(await database.query("select a from mine")).toEqual([{ a: "x" }])
    expect((await kit("migrate", "status")).output).toMatch(/_initial {4}applied .*\n.*_add-note {4}applied /)
  })

  test("is shown if it fails on a synced database, and leaves nothing behind", async () => {
    const { folder, database, kit } = await newApp("title: f.text()")
    await syncOnce(folder, database)
    await kit("migrate", "create", "initial")
    const file = await editNewest(folder, (sql) => `${sql}\ncreate table mine (a text);\nupdate gone set a = 1;`)

    const failed = await kit("migrate", "up")
    const state = await kit("migrate", "status")
    const skipped = await kit("migrate", "up", "--skip-added-sql")

    expect(failed.code).toBe(1)
    expect(failed.output).toContain(`${file}: a sync has already made its changes`)
    expect(failed.output).toContain('relation "gone" does not exist')
    expect(failed.output).toContain("  create table mine (a text);\n")
    expect(failed.output).toContain("  update gone set a = 1;\n")
    expect(state.output).toMatch(/_initial {4}pending/)
    expect(skipped.output).toMatch(/_initial was there already; skipped 2 statements added by hand/)
    expect(await database.query("select to_regclass('mine')::text as mine")).toEqual([{ mine: null }])
  })

  test("stops the command if statements of kit were changed too, and says what it would skip", async () => {
    const { folder, database, kit } = await newApp("title: f.text()")
    await kit("migrate", "create", "initial")
    await declare(folder, 'title: f.text(), kind: f.text().required().default("x")')
    await kit("migrate", "create", "add-kind")
    const file = await editNewest(
      folder,
      () =>
        "alter table posts add column kind text;\nupdate posts set kind = 'y';\nalter table posts alter kind set not null;",
    )
    await syncOnce(folder, database)

    const refused = await kit("migrate", "up")
    const skipped = await kit("migrate", "up", "--skip-added-sql")

    expect(refused.code).toBe(1)
    expect(refused.output).toContain(
      `${file}: a sync has already made its changes to the tables, but the file was edited`,
    )
    expect(refused.output).toContain("  update posts set kind = 'y';\n")
    expect(refused.output).toContain("kit migrate up --skip-added-sql")
    expect(skipped.code).toBe(0)
    expect(skipped.output).toMatch(/_initial was there already\n.*_add-kind was there already; skipped 3 statements/)
  })

  test("is told from the rest if an earlier kit wrote the files, which does not list its statements", async () => {
    const { folder, database, kit } = await newApp("title: f.text(), note: f.text()")
    await kit("migrate", "create", "initial")
    await editNewest(folder, (sql) => `${sql}\n${BACKFILL}`)
    const [snapshot = ""] = await files(folder)
    const path = join(folder.path, "src/migrations", snapshot)
    const { version, tables } = JSON.parse(await readFile(path, "utf8"))
    await writeFile(path, JSON.stringify({ version, tables }))
    await syncOnce(folder, database)

    const up = await kit("migrate", "up")

    expect(up).toMatchObject({ code: 0, output: expect.stringContaining("added by hand: ran 1 statement\n") })
    expect((await kit("migrate", "plan")).output).toContain("nothing to do")
  })

  test("may leave statements of kit out", async () => {
    const { folder, database, kit } = await newApp("title: f.text().index()")
    await kit("migrate", "create", "initial")
    await editNewest(folder, (sql) => sql.replace(/create index "posts[^;]*;/, ""))
    await syncOnce(folder, database)

    const up = await kit("migrate", "up")

    expect(up).toMatchObject({ code: 0, output: expect.stringMatching(/_initial was there already\n/) })
  })
})

describe("an empty migration", () => {
  test("runs the SQL that is written into it, and leaves the change of the schema to the next one", async () => {
    const { folder, database, kit } = await newApp("title: f.text(), note: f.text()")
    const early = await kit("migrate", "create", "--empty", "fill-notes")
    await kit("migrate", "create", "initial")
    await kit("migrate", "up")
    await insertPosts(database, ["'a', null"])
    await declare(folder, "title: f.text(), note: f.text().required()")

    const created = await kit("migrate", "create", "--empty", "fill-notes")
    await editNewest(folder, (sql) => `${sql}${BACKFILL}`)
    const up = await kit("migrate", "up")
    const next = await kit("migrate", "create", "require-note")

    expect(early).toMatchObject({ code: 1, output: expect.stringContaining("There is no migration yet") })
    expect(created.output).toMatch(/wrote src\/migrations\/\d{14}_fill-notes\.sql/)
    expect(await files(folder)).toHaveLength(6)
    expect(up.output).toMatch(/applied \d{14}_fill-notes/)
    expect(await database.query("select note from posts")).toEqual([{ note: "A" }])
    expect(next.output).toContain('require column "posts.note"')
  })

  test("without SQL runs, too", async () => {
    const { kit } = await newApp("title: f.text()")
    await kit("migrate", "create", "initial")
    await kit("migrate", "create", "--empty")

    const up = await kit("migrate", "up")

    expect(up).toMatchObject({ code: 0, output: expect.stringMatching(/applied \d{14}_change/) })
  })
})
