// @module-tag not-about-engine

import { describe, expect, onTestFinished, test } from "vitest"
import { runKit } from "../support/processes/kit-command.ts"
import { appFolder } from "../support/processes/kit-process.ts"
import { createTestDatabase } from "../support/test-database.ts"

const TEXTS = `
import { collection } from "kit"
export default collection("texts").fields(({ f }) => ({ title: f.text() })).searchable({ fields: ["title"] })
`
const PLAIN = `
import { collection } from "kit"
export default collection("plain").fields(({ f }) => ({ title: f.text() }))
`

// With an embedder, changed records wait for a worker.
const CONFIG = `
import { defineConfig } from "kit"
import { embedderOf } from "kit/embedders"
const embedder = embedderOf({ model: "none", dimensions: 2, embed: async () => { throw new Error("not used") } })
export default defineConfig({ search: { embedder } })
`

function run(args: readonly string[], { cwd, url }: { cwd: string; url: string }) {
  return runKit(args, { cwd, env: { DATABASE_URL: url } })
}

describe("kit search", () => {
  test("shows and rebuilds the indexes, and doctor says what is left to do", async () => {
    const database = await createTestDatabase()
    onTestFinished(() => database.drop())
    await using folder = await appFolder({ "src/collections/texts.ts": TEXTS, "kit.config.ts": CONFIG })
    const place = { cwd: folder.path, url: database.url }
    const first = await run(["search", "status"], place)
    await database.query(`insert into texts (id, title, "createdAt", "updatedAt")
      select gen_random_uuid(), 'apples', now(), now() from generate_series(1, 300)`)
    await database.query("update texts set _search = 'broken'")
    await database.query(
      "update _kit_search_state set finished_at = null, done = 0, total = 300, position = null, definition = 'other'",
    )
    await database.query("update _kit_search_queue set created_at = now() - interval '1 hour'")
    // A check that waits for a transaction is no sign that the worker stands still.
    await database.query(`insert into _kit_search_checks ("table", record_id, due_after, created_at)
      values ('texts', gen_random_uuid(), '1000000000', now() - interval '1 day')`)

    const doctor = await run(["doctor"], place)
    const rebuilt = await run(["search", "reindex", "texts"], place)
    const status = await run(["search", "status", "--json"], place)
    const unknown = await run(["search", "reindex", "text"], place)
    const left = await database.query("select count(*)::int as n from texts where _search = 'broken'")

    expect(first.output).toMatch(/collection +state +rows\n +texts +ready +0/)
    expect(doctor.output).toContain('the search index of "texts" was built for another .searchable(…)')
    expect(doctor.output).toContain("300 changed records wait for the search index, the oldest for 60 minutes")
    expect([rebuilt.code, rebuilt.output]).toEqual([0, expect.stringContaining("texts  300 rows rebuilt")])
    expect(status.output).toContain('{"indexes":[{"collection":"texts","done":300,"total":300,"state":"ready"}]}')
    expect([unknown.code, unknown.output]).toEqual([2, expect.stringContaining('Did you mean "texts"?')])
    expect(left).toEqual([{ n: 0 }])
  })

  test("says what to do if no collection is searchable", async () => {
    const database = await createTestDatabase()
    onTestFinished(() => database.drop())
    await using folder = await appFolder({ "src/collections/plain.ts": PLAIN })

    const { code, output } = await run(["search", "reindex"], { cwd: folder.path, url: database.url })

    expect([code, output]).toEqual([1, expect.stringContaining("Declare .searchable(")])
  })
})
