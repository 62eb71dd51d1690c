// @module-tag not-about-engine

import { readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { runKit } from "../support/processes/kit-command.ts"
import { KitProcess } from "../support/processes/kit-process.ts"
import { columnsOf, declare, files, insertPosts, newApp, tablesOf } from "../support/worlds/migrated-app.ts"

describe("kit migrate", () => {
  test("writes, applies and lists migrations; kit start applies what is pending", async () => {
    const { folder, database, kit } = await newApp("title: f.text().required()")

    const created = await kit("migrate", "create", "initial")
    const pending = await kit("migrate", "status")
    const up = await kit("migrate", "up")
    const again = await kit("migrate", "up")
    await declare(folder, "title: f.text().required(), note: f.text().unique()")
    const planned = await kit("migrate", "plan")
    const tablesBefore = await columnsOf(database)
    const refused = await kit("start", "--port", "0")
    await kit("migrate", "create", "add-note")
    const started = new KitProcess(["start", "--port", "0"], { cwd: folder.path, env: { DATABASE_URL: database.url } })
    await started.printed(/ready in/)
    await started.stop()

    expect(await files(folder)).toEqual([
      expect.stringMatching(/^\d{14}_initial\.json$/),
      expect.stringMatching(/^\d{14}_initial\.sql$/),
      expect.stringMatching(/^\d{14}_add-note\.json$/),
      expect.stringMatching(/^\d{14}_add-note\.sql$/),
    ])
    expect(created.output).toContain('create table "posts"')
    expect(pending.output).toMatch(/_initial {4}pending/)
    expect(up.output).toMatch(/applied \d{14}_initial/)
    expect(again.output).toContain("nothing to do")
    expect(planned.output).toContain('add column "posts.note" (text)')
    expect(tablesBefore).not.toContain("note")
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("run kit migrate create") })
    expect(started.output).toMatch(/applied \d{14}_add-note/)
    expect(await columnsOf(database)).toContain("note")
    expect((await kit("migrate", "status")).output).toMatch(/_initial {4}applied .*\n.*_add-note {4}applied /)
    expect((await kit("migrate", "create")).output).toContain("nothing to do")
  })

  test("refuses to lose data unless told to, and says how much", async () => {
    const { folder, database, kit } = await newApp("title: f.text(), note: f.text()")
    await kit("migrate", "create")
    await kit("migrate", "up")
    await insertPosts(database, ["'a', 'x'", "'b', 'y'", "'c', null"])
    await declare(folder, "title: f.text()")

    const planned = await kit("migrate", "plan")
    const refused = await kit("migrate", "create")
    const filesBefore = await files(folder)
    const accepted = await kit("migrate", "create", "--accept-data-loss")
    await kit("migrate", "up")

    expect(planned).toMatchObject({ code: 0, output: expect.stringContaining("LOSES DATA: 2 rows hold a value") })
    expect(refused.code).toBe(1)
    expect(refused.output).toContain('drop column "posts.note" with all its values: 2 rows hold a value')
    expect(refused.output).toContain("--accept-data-loss")
    expect(filesBefore).toHaveLength(2)
    expect(accepted.code).toBe(0)
    expect(await columnsOf(database)).not.toContain("note")
  })

  test("a plan says which required fields lack a new default locale, as long as rows lack it", async () => {
    const { folder, database, kit } = await newApp("title: f.text().required().localized(), note: f.text()")
    const settings = (locale: string) =>
      folder.write("kit.config.ts", `export default { locales: { default: "${locale}", all: ["en", "sk"] } }`)
    await settings("en")
    await kit("migrate", "create")
    await kit("migrate", "up")
    await insertPosts(database, [`'{"en":"a"}', null`, `'{"en":"b","sk":"c"}', null`])
    const before = await kit("migrate", "plan")
    await settings("sk")

    const planned = await kit("migrate", "plan")
    const facts = await kit("migrate", "plan", "--json")
    await database.query(`update posts set title = title || '{"sk":"d"}'`)
    const after = await kit("migrate", "plan")

    expect(before.output).not.toContain("default locale")
    expect(planned).toMatchObject({ code: 0, output: expect.stringContaining("nothing to do") })
    expect(planned.output).toContain('posts.title is required, but 1 row has no value in "sk", the default locale')
    expect(JSON.parse(facts.output).warnings).toHaveLength(1)
    expect(after.output).not.toContain("default locale")
  })

  test("works without a database, except for counting", async () => {
    const { folder, kit } = await newApp("title: f.text(), note: f.text()")
    const env = { DATABASE_URL: "" }
    const run = (...args: string[]) => runKit(args, { cwd: folder.path, env })

    const created = await run("migrate", "create")
    await declare(folder, "title: f.text()")
    const refused = await run("migrate", "create")
    const unreachable = await runKit(["migrate", "create"], {
      cwd: folder.path,
      env: { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" },
    })

    expect(created.code).toBe(0)
    expect(refused.output).toContain('drop column "posts.note" with all its values: how many rows')
    expect(unreachable.output).toContain('drop column "posts.note" with all its values: how many rows')
    expect((await kit("migrate", "status")).output).toContain("run kit migrate create")
  })

  test("a rename loses nothing", async () => {
    const { folder, database, kit } = await newApp("title: f.text(), note: f.text().index()")
    await kit("migrate", "create")
    await kit("migrate", "up")
    await insertPosts(database, ["'a', 'x'"])
    await declare(folder, 'title: f.text(), remark: f.text().index().renamedFrom("note")')

    const created = await kit("migrate", "create")
    const up = await kit("migrate", "up")

    expect([created.code, up.code]).toEqual([0, 0])
    expect(await database.query("select title, remark from posts")).toEqual([{ title: "a", remark: "x" }])
  })

  test("a renamed relation to many records keeps its links", async () => {
    const { folder, database, kit } = await newApp('title: f.text(), kin: f.relation("posts").manyToMany()')
    await kit("migrate", "create")
    await kit("migrate", "up")
    await database.query(`with made as (insert into posts (id, title, "createdAt", "updatedAt")
      values (gen_random_uuid(), 'a', now(), now()) returning id)
      insert into "posts.kin.posts.links" (source, target) select id, id from made`)
    await declare(folder, 'title: f.text(), family: f.relation("posts").manyToMany().renamedFrom("kin")')

    const created = await kit("migrate", "create")
    const up = await kit("migrate", "up")

    expect([created.code, up.code]).toEqual([0, 0])
    expect(created.output).toContain('rename table "posts.kin.posts.links" to "posts.family.posts.links"')
    expect(await database.query('select count(*)::int as links from "posts.family.posts.links"')).toEqual([
      { links: 1 },
    ])
    expect((await kit("migrate", "create")).output).toContain("nothing to do")
  })

  test("an end of soft delete is refused where deleted records are kept, also by a migration that did not know of them", async () => {
    const { folder, database, kit } = await newApp("title: f.text()", ".options({ softDelete: true })")
    await kit("migrate", "create")
    await kit("migrate", "up")
    await declare(folder, "title: f.text()")
    const planned = await kit("migrate", "create", "--accept-data-loss")
    await database.query(`insert into posts (id, title, "createdAt", "updatedAt", "deletedAt")
      values (gen_random_uuid(), 'gone', now(), now(), now())`)

    const failed = await kit("migrate", "up")
    for (const file of (await files(folder)).slice(2)) await rm(join(folder.path, "src/migrations", file))
    const refused = await kit("migrate", "create", "--accept-data-loss")

    expect(planned.code).toBe(0)
    expect(failed).toMatchObject({
      code: 1,
      output: expect.stringMatching(/cannot run: .*would reappear\. Deleted records: 1\./),
    })
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("Restore or purge them first") })
    expect(await database.query("select title from posts")).toEqual([{ title: "gone" }])
  })

  test("a new required field needs a default where records are", async () => {
    const { folder, database, kit } = await newApp("title: f.text(), note: f.text()")
    await kit("migrate", "create")
    await kit("migrate", "up")
    await insertPosts(database, ["'a', 'x'"])
    await declare(folder, "title: f.text(), note: f.text(), kind: f.text().required()")

    const refused = await kit("migrate", "create")
    const unseen = await runKit(["migrate", "create"], { cwd: folder.path, env: { DATABASE_URL: "" } })
    const failed = await kit("migrate", "up")
    for (const name of (await files(folder)).slice(2)) await rm(join(folder.path, "src/migrations", name))
    await declare(folder, `title: f.text(), note: f.text(), kind: f.text().required().default("it's")`)
    const created = await kit("migrate", "create")
    await kit("migrate", "up")

    expect(refused.code).toBe(1)
    expect(refused.output).toContain('The field "kind" of "posts" is required')
    expect(refused.output).toContain(".default(…)")
    expect(unseen.code).toBe(0)
    expect(failed.code).toBe(1)
    expect(failed.output).toMatch(
      /_change\.sql cannot run: .* Records without it: 1\. .*\.default\(…\).*No migration was run/s,
    )
    expect(created.code).toBe(0)
    expect(await database.query("select kind from posts")).toEqual([{ kind: "it's" }])
  })

  test("a file that was changed after it was applied is named", async () => {
    const { folder, kit } = await newApp("title: f.text()")
    await kit("migrate", "create", "initial")
    await kit("migrate", "up")
    const [, file = ""] = await files(folder)
    const path = join(folder.path, "src/migrations", file)
    await writeFile(path, `${await readFile(path, "utf8")}\nselect 1;`)

    const up = await kit("migrate", "up")
    const status = await kit("migrate", "status")

    expect(up).toMatchObject({
      code: 1,
      output: expect.stringContaining(`${file} was changed after it had been applied`),
    })
    expect(status.output).toContain("its file was changed since")
  })

  test("a file may hold what its author adds; one that fails leaves nothing behind, and stops the ones after it", async () => {
    const { folder, database, kit } = await newApp("title: f.text(), note: f.text()")
    await kit("migrate", "create", "initial")
    const [snapshot = "", first = ""] = await files(folder)
    const sql = join(folder.path, "src/migrations", first)
    const written = await readFile(sql, "utf8")
    await writeFile(sql, `${written}\n-- by hand; it's $$quoted$$\nselect 1; create table mine (a text); select 1 / 0;`)
    const json = await readFile(join(folder.path, "src/migrations", snapshot), "utf8")
    await folder.write("src/migrations/99999999999999_later.sql", "create table later (a text)")
    await folder.write("src/migrations/99999999999999_later.json", json)

    const failed = await kit("migrate", "up")
    const tablesAfter = await tablesOf(database)
    await writeFile(sql, `${written}\n-- by hand; it's $$quoted$$\nselect 1; create table mine (a text);`)
    const up = await kit("migrate", "up")

    expect(failed).toMatchObject({ code: 1, output: expect.stringContaining(`${first} failed and was rolled back`) })
    expect(tablesAfter).toEqual([
      "_kit_change_marks",
      "_kit_changes",
      "_kit_channel_events",
      "_kit_channel_instances",
      "_kit_channel_members",
      "_kit_channels",
      "_kit_cron",
      "_kit_document_clients",
      "_kit_document_names",
      "_kit_document_set_aside",
      "_kit_document_updates",
      "_kit_documents",
      "_kit_files",
      "_kit_framework",
      "_kit_jobs",
      "_kit_kv",
      "_kit_mail",
      "_kit_migrations",
      "_kit_pending_transitions",
      "_kit_references",
      "_kit_search_checks",
      "_kit_search_queue",
      "_kit_search_state",
      "_kit_search_words",
      "_kit_slow_reads",
      "_kit_tries",
      "_kit_versions",
    ])
    expect(up.code).toBe(0)
    expect(await tablesOf(database)).toEqual([
      "_kit_accounts",
      "_kit_api_keys",
      "_kit_change_marks",
      "_kit_changes",
      "_kit_channel_events",
      "_kit_channel_instances",
      "_kit_channel_members",
      "_kit_channels",
      "_kit_cron",
      "_kit_document_clients",
      "_kit_document_names",
      "_kit_document_set_aside",
      "_kit_document_updates",
      "_kit_documents",
      "_kit_files",
      "_kit_framework",
      "_kit_jobs",
      "_kit_kv",
      "_kit_mail",
      "_kit_migrations",
      "_kit_pending_transitions",
      "_kit_references",
      "_kit_schema",
      "_kit_search_checks",
      "_kit_search_queue",
      "_kit_search_state",
      "_kit_search_words",
      "_kit_sessions",
      "_kit_slow_reads",
      "_kit_tries",
      "_kit_verifications",
      "_kit_versions",
      "later",
      "mine",
      "posts",
      "users",
    ])
  })

  test("a database that kit dev has synced takes over the migrations that lead to what it is", async () => {
    const { folder, database, kit } = await newApp("title: f.text()")
    const synced = new KitProcess(["start", "--port", "0"], { cwd: folder.path, env: { DATABASE_URL: database.url } })
    await synced.printed(/ready in/)
    await synced.stop()
    await kit("migrate", "create", "initial")

    const up = await kit("migrate", "up")

    expect(up).toMatchObject({ code: 0, output: expect.stringMatching(/_initial was there already/) })
    expect((await kit("migrate", "up")).output).toContain("nothing to do")
  })

  test("kit dev syncs although there are migrations, and says what it keeps", async () => {
    const { folder, database, kit } = await newApp("title: f.text(), note: f.text()")
    await kit("migrate", "create", "initial")

    const dev = new KitProcess(["dev", "--port", "0"], { cwd: folder.path, env: { DATABASE_URL: database.url } })
    await dev.printed(/ready in/)
    await declare(folder, "title: f.text(), extra: f.text()")
    await dev.printed(/posts\.note is no longer declared; its data is kept[\s\S]*ready in/)
    await dev.stop()

    expect(await columnsOf(database)).toEqual(expect.arrayContaining(["note", "extra"]))
  })

  test("a snapshot that is missing is named", async () => {
    const { folder, kit } = await newApp("title: f.text()")
    await kit("migrate", "create", "initial")
    const [snapshot = ""] = await files(folder)
    await rm(join(folder.path, "src/migrations", snapshot))

    const up = await kit("migrate", "up")

    expect(up).toMatchObject({ code: 1, output: expect.stringContaining(`${snapshot} is missing`) })
  })
})
