// @module-tag not-about-engine

import { describe, expect, test } from "vitest"
import { declare, editNewest, files, insertPosts, newApp, tablesOf } from "../support/worlds/migrated-app.ts"

describe("the records in the database", () => {
  test("are counted by plan and create if they stop a change", async () => {
    const { folder, database, kit } = await newApp("title: f.text(), note: f.text()")
    await kit("migrate", "create", "initial")
    await kit("migrate", "up")
    await insertPosts(database, ["'a', 'x'", "'a', 'x'", "'b', 'y'", "'b', null", "'b', null", "null, null"])
    const changed = 'title: f.text().unique(), note: f.text().required(), other: f.select(["p"])'
    await declare(folder, changed)

    const planned = await kit("migrate", "plan")
    const facts = await kit("migrate", "plan", "--json")
    const refused = await kit("migrate", "create", "strict")
    const filesBefore = await files(folder)

    const duplicates = 'Values that occur more than once: 2, such as "b" in 3 records, "a" in 2 records.'
    for (const { code, output } of [planned, refused]) {
      expect(code).toBe(1)
      expect(output).toContain(duplicates)
      expect(output).toContain('The field "note" of "posts" is required')
      expect(output).toContain("Records without it: 3.")
    }
    expect(JSON.parse(facts.stdout).refusals).toHaveLength(2)
    expect(filesBefore).toHaveLength(2)
  })

  test("stop up before the first of several files runs, unless a file has SQL of its own", async () => {
    const { folder, database, kit } = await newApp("title: f.text(), note: f.text()")
    await kit("migrate", "create", "initial")
    await kit("migrate", "up")
    await folder.write("src/collections/others.ts", OTHERS)
    await kit("migrate", "create", "others")
    await declare(folder, "title: f.text().unique(), note: f.text()")
    await kit("migrate", "create", "unique")
    await insertPosts(database, ["'a', 'x'", "'a', 'x'"])

    const refused = await kit("migrate", "up")
    const tablesAfter = await tablesOf(database)
    await editNewest(folder, (sql) => `update posts set title = id::text;\n${sql}`)
    const up = await kit("migrate", "up")

    expect(refused.code).toBe(1)
    expect(refused.output).toMatch(/_unique\.sql cannot run: .* such as "a" in 2 records\./)
    expect(refused.output).toContain("No migration was run.")
    expect(tablesAfter).not.toContain("others")
    expect(up.output).toMatch(/applied \d{14}_others\n.*applied \d{14}_unique/)
  })

  test("get the values of a default function from the SQL that the author writes where the file says so", async () => {
    const { folder, database, kit } = await newApp("title: f.text(), note: f.text()")
    await kit("migrate", "create", "initial")
    await kit("migrate", "up")
    await insertPosts(database, ["'a', 'x'"])
    await declare(folder, 'title: f.text(), note: f.text(), code: f.text().required().default(() => "new")')

    const planned = await kit("migrate", "plan")
    const created = await kit("migrate", "create", "code")
    const refused = await kit("migrate", "up")
    await editNewest(folder, (sql) => sql.replace(/-- (update .*)…(.*)/, "$1upper(title)$2"))
    const up = await kit("migrate", "up")

    for (const { code, output } of [planned, created]) {
      expect(code).toBe(0)
      expect(output).toContain("Records without it: 1. Its default is a function, which SQL cannot call")
    }
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("Its default is a function") })
    expect(up).toMatchObject({ code: 0 })
    expect(await database.query("select code from posts")).toEqual([{ code: "A" }])
    expect((await kit("migrate", "plan")).output).toContain("nothing to do")
  })

  test("with an option that is no longer declared are counted, and changed by the migration that replaces it", async () => {
    const { folder, database, kit } = await newApp('title: f.text(), note: f.select(["old", "new"])')
    await kit("migrate", "create", "initial")
    await kit("migrate", "up")
    await insertPosts(database, ["'a', 'old'", "'b', 'old'", "'c', 'new'"])
    await declare(folder, 'title: f.text(), note: f.select(["new"])')

    const refused = await kit("migrate", "plan")
    const started = await kit("start", "--port", "0")
    await declare(folder, 'title: f.text(), note: f.select(["new"]).replacedOptions({ old: "new" })')
    const created = await kit("migrate", "create", "fewer")
    const up = await kit("migrate", "up")
    await declare(folder, 'title: f.text(), note: f.select(["newer", "new"])')
    const more = await kit("migrate", "create", "more")

    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('They hold "old" (2×).') })
    expect(started).toMatchObject({ code: 1, output: expect.stringContaining("run kit migrate create") })
    expect(created.output).toContain('limit column "posts.note" to "new", and replace "old" by "new"')
    expect(up.code).toBe(0)
    expect(await database.query("select distinct note from posts")).toEqual([{ note: "new" }])
    expect(more.output).toContain('allow "newer" in column "posts.note"')
    expect((await kit("migrate", "up")).output).toMatch(/applied \d{14}_more/)
  })
})

const OTHERS = `import { collection } from "kit"
  export default collection("others").fields(({ f }) => ({ name: f.text() })).access({ read: true })`
