// @module-tag not-about-engine

import { rm } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { declare, insertPosts, newApp, syncOnce } from "../support/worlds/migrated-app.ts"

test("kit doctor lists the columns and tables that nothing uses any more, with their rows and how to drop them", async () => {
  const { folder, database, kit } = await newApp("title: f.text(), note: f.text()")
  await folder.write("src/collections/others.ts", OTHERS)
  await syncOnce(folder, database)
  await insertPosts(database, ["'a', 'x'", "'b', null"])
  await declare(folder, "heading: f.text()")
  await rm(join(folder.path, "src/collections/others.ts"))
  const started = await syncOnce(folder, database)
  await syncOnce(folder, database)

  const synced = await kit("doctor", "--json")
  await kit("migrate", "create", "initial")
  await kit("migrate", "up")
  const migrated = await kit("doctor")
  await database.query("alter table posts drop column note")
  await database.query("drop table others")
  const after = await kit("doctor")

  expect(started).toContain("posts.heading is new and posts.title is left over")
  const { findings } = JSON.parse(synced.stdout)
  expect(findings.filter(({ message }: { message: string }) => message.includes("left over"))).toEqual([
    {
      check: "database",
      status: "warn",
      message: 'table "others" is left over: nothing declares it, and it has 0 rows',
      fix: 'If it was renamed, write .renamedFrom(…). Otherwise: drop table "others"; (psql $(kit db url), or kit migrate create --empty)',
    },
    {
      check: "database",
      status: "warn",
      message: 'column "posts.title" is left over: no field uses it, and 2 rows hold a value',
      fix: expect.stringContaining('write .renamedFrom("title"). Otherwise: alter table "posts" drop column "title";'),
    },
    expect.objectContaining({
      message: 'column "posts.note" is left over: no field uses it, and 1 row holds a value',
    }),
  ])
  expect(migrated.output).toContain('table "others" is left over')
  expect(after.output).not.toContain("others")
  expect(after.output).not.toContain("posts.note")
  expect(after.output).toContain('column "posts.title" is left over')
})

test("kit doctor says which records the next start would refuse, and which rename is not possible", async () => {
  const { folder, database, kit } = await newApp("title: f.text(), note: f.text()")
  await syncOnce(folder, database)
  await insertPosts(database, ["'a', 'x'", "'a', 'y'"])
  await declare(folder, 'title: f.text().unique(), note: f.text().renamedFrom("old")')

  const refused = await kit("doctor")
  await declare(folder, 'title: f.text(), note: f.text().renamedFrom("old")')
  await database.query("alter table posts add column old text default 'z'")
  const blocked = await kit("doctor")

  expect(refused.code).toBe(1)
  expect(refused.output).toMatch(/fail {2}database .*occur more than once: 1, such as "a" in 2 records\./)
  expect(refused.output).toContain("The next start would fail with this error.")
  expect(blocked.output).toMatch(/warn {2}database {2}posts\.note cannot be renamed from posts\.old: both have values/)
})

const OTHERS = `import { collection } from "kit"
  export default collection("others").fields(({ f }) => ({ name: f.text() })).access({ read: true })`
