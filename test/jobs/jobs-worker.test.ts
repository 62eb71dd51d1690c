// @module-tag not-about-shortcuts
// @module-tag not-about-connections
// @module-tag experiment

import { describe, expect, test, vi } from "vitest"
import { appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts"

const PATIENCE_MS = 300_000
const WAIT = { timeout: 120_000, interval: 20 }

// The job waits for a value in the database, so that a test decides when it continues.
const FILES = {
  "src/collections/runs.ts": `
import { collection } from "kit"
export default collection("runs").fields(({ f }) => ({ text: f.text(200).required() })).access({ read: true })
`,
  "src/jobs/note-run.ts": `
import { job } from "kit"
const schema = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const
export default job({
  name: "note-run",
  schema,
  options: { retryLimit: 5, retryDelay: 0 },
  handler: async ({ payload, attempt, collections, kv, signal, transaction }) => {
    await collections.runs.create({ text: "begun by try " + attempt })
    while (!(await kv.has("gate")) && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, 20))
    await transaction(async (inner) => inner.collections.runs.create({ text: "done by try " + attempt }))
  },
})
`,
  "src/routes/publish.ts": `
import { route } from "kit"
export default route().handler(({ queue }) => queue.noteRun.publish({}))
`,
}

const runs = async (database: TestDatabase) =>
  (await database.query(`select text from runs order by "createdAt", text`)).map((row) => row["text"])
const untilRuns = (database: TestDatabase, expected: readonly string[]) =>
  vi.waitFor(async () => expect(await runs(database)).toEqual(expected), WAIT)
const openGate = (database: TestDatabase) =>
  database.query(`insert into "_kit_kv" (key, value) values ('gate', 'true')`)
const states = async (database: TestDatabase) =>
  (await database.query(`select state from "_kit_jobs" where name not like 'kit.%'`)).map((row) => row["state"])

async function publish(url: string | undefined): Promise<number> {
  const headers = { "content-type": "application/json" }
  return (await fetch(`${url}/publish`, { method: "POST", body: "{}", headers })).status
}

describe("kit worker", () => {
  test(
    "runs what a server without a worker has published; the job of a killed worker runs again",
    async () => {
      const database = await createTestDatabase()
      await using folder = await appFolder({
        ...FILES,
        "kit.config.ts": "export default { queue: { worker: false } }",
      })
      const options = { cwd: folder.path, env: { DATABASE_URL: database.url } }
      const server = new KitProcess(["start", "--port", "0"], options)
      const [, url] = await server.printed(/on (http:\S+)/)
      await server.printed(/ready in/)

      const status = await publish(url)
      const unstarted = await states(database)
      const victim = new KitProcess(["worker"], options)
      await untilRuns(database, ["begun by try 1"])
      await victim.kill()
      await database.query(`update "_kit_jobs" set lease_until = now()`)
      const heir = new KitProcess(["worker"], options)
      await untilRuns(database, ["begun by try 1", "begun by try 2"])
      await openGate(database)
      await untilRuns(database, ["begun by try 1", "begun by try 2", "done by try 2"])
      const code = await heir.stop()
      await server.stop()

      expect(status).toBe(200)
      expect(unstarted).toEqual(["waiting"])
      expect(server.output).toContain("jobs, left to kit worker: note-run\n")
      expect(victim.output).toContain("working on note-run")
      expect(code, heir.output).toBe(0)
      expect(await states(database)).toEqual([])
      await database.drop()
    },
    PATIENCE_MS,
  )
})

describe("kit start", () => {
  test(
    "runs jobs itself, and told to stop lets them end",
    async () => {
      const database = await createTestDatabase()
      await using folder = await appFolder(FILES)
      const server = new KitProcess(["start", "--port", "0"], { cwd: folder.path, env: { DATABASE_URL: database.url } })
      const [, url] = await server.printed(/on (http:\S+)/)

      await publish(url)
      await untilRuns(database, ["begun by try 1"])
      const stopped = server.stop()
      await openGate(database)
      const code = await stopped

      expect(code, server.output).toBe(0)
      expect(await runs(database)).toEqual(["begun by try 1", "done by try 1"])
      expect(await states(database)).toEqual([])
      await database.drop()
    },
    PATIENCE_MS,
  )

  test("tells what is wrong with the files of jobs, and stops", async () => {
    await using folder = await appFolder({
      ...FILES,
      "src/jobs/bad-cron.ts": FILES["src/jobs/note-run.ts"]
        .replace('"note-run"', '"bad-cron"')
        .replace("retryDelay: 0", 'cron: "61 * * * *"'),
      "src/jobs/wrong.ts": "export default 5",
      "src/emails/misplaced.ts": FILES["src/jobs/note-run.ts"].replace('"note-run"', '"misplaced"'),
    })

    const server = new KitProcess(["start", "--port", "0"], { cwd: folder.path, env: { DATABASE_URL: "" } })
    const code = await server.exit()

    expect(code).toBe(1)
    expect(server.output).toMatch(/src\/jobs\/bad-cron\.ts.*Job "bad-cron": .*61/)
    expect(server.output).toContain("src/jobs/wrong.ts: its default export is not a job: export default job(")
    expect(server.output).toMatch(/src\/emails\/misplaced\.ts: .* It is a job: move the file to jobs\//)
  })

  test("stops when what a cron job is to be given does not fit its schema", async () => {
    const database = await createTestDatabase()
    await using folder = await appFolder({
      ...FILES,
      "src/jobs/note-run.ts": FILES["src/jobs/note-run.ts"]
        .replace("({ value })", '({ issues: [{ message: "Never fits." }] })')
        .replace("retryDelay: 0", 'cron: "0 6 * * *"'),
    })

    const server = new KitProcess(["start", "--port", "0"], { cwd: folder.path, env: { DATABASE_URL: database.url } })
    const code = await server.exit()

    expect(code).toBe(1)
    expect(server.output).toContain(
      'src/jobs/note-run.ts: cron cannot publish it. The payload of job "note-run" is refused. payload: Never fits. Write',
    )
    expect(server.output).not.toContain("ready in")
    await database.drop()
  })
})
