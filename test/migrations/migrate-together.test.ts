// @module-tag experiment
// @module-tag full-count

import pg from "pg"
import { expect, onTestFinished, test, vi } from "vitest"
import { type AppFolder, appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts"

const INSTANCES = 10
const PATIENCE_MS = 300_000

test(
  "ten instances start on an empty database, and one is killed while it makes the tables",
  async () => {
    const { folder, database } = await newApp()
    await declare(folder, "title: f.text().required().unique()")
    // An uncommitted table of that name: an instance that is about to create it waits here.
    const blocker = await block(database, "create table posts (a text)")

    const instances = startAll(folder, database)
    await killStuck(instances, database)
    await blocker.release()
    const survivors = await survivorsOf(instances)

    expect(survivors.map(({ code }) => code)).toEqual(Array(INSTANCES - 1).fill(0))
    expect(await columnsOf(database)).toEqual(["id", "title", "createdAt", "updatedAt"])
  },
  PATIENCE_MS,
)

test(
  "ten instances start on an old schema, and one is killed while it migrates",
  async () => {
    const { folder, database, kit } = await newApp()
    await declare(folder, "title: f.text()")
    await kit("migrate", "create", "first")
    await kit("migrate", "up")
    await declare(folder, "title: f.text(), note: f.text()")
    await kit("migrate", "create", "second")
    await declare(folder, "title: f.text().unique(), note: f.text()")
    await kit("migrate", "create", "third")
    // An instance that is about to alter the table waits for its readers.
    const blocker = await block(database, "lock table posts in access share mode")

    const instances = startAll(folder, database)
    await killStuck(instances, database)
    await blocker.release()
    const survivors = await survivorsOf(instances)

    expect(survivors.map(({ code }) => code)).toEqual(Array(INSTANCES - 1).fill(0))
    const outputs = survivors.map(({ output }) => output).join("\n")
    expect(
      outputs
        .match(/applied \d+_\w+/g)
        ?.map((line) => line.replace(/.*_/, ""))
        .sort(),
    ).toEqual(["second", "third"])
    expect(await columnsOf(database)).toEqual(["id", "title", "createdAt", "updatedAt", "note"])
    expect(await database.query(`select count(*)::int as count from "_kit_migrations"`)).toEqual([{ count: 3 }])
  },
  PATIENCE_MS,
)

async function newApp() {
  const database = await createTestDatabase()
  const folder = await appFolder({})
  onTestFinished(async () => {
    await folder[Symbol.asyncDispose]()
    await database.drop()
  })
  const kit = async (...args: string[]) => {
    const started = new KitProcess(args, { cwd: folder.path, env: { DATABASE_URL: database.url } })
    if ((await started.exit()) !== 0) throw new Error(started.output)
  }
  return { folder, database, kit }
}

function declare(folder: AppFolder, fields: string): Promise<void> {
  return folder.write(
    "src/collections/posts.ts",
    `import { collection } from "kit"
     export default collection("posts").fields(({ f }) => ({ ${fields} })).access({ read: true })`,
  )
}

/** Opens a transaction that blocks others until it is released. */
async function block(database: TestDatabase, text: string) {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query("begin")
  await client.query(text)
  return {
    release: async () => {
      await client.query("rollback")
      await client.end()
    },
  }
}

function startAll(folder: AppFolder, { url }: TestDatabase): Map<string, KitProcess> {
  const names = Array.from({ length: INSTANCES }, (_, index) => `instance-${index}`)
  return new Map(
    names.map((name) => {
      const address = `${url}${url.includes("?") ? "&" : "?"}application_name=${name}`
      const env = { DATABASE_URL: address, KIT_SECRET: "a secret for tests only" }
      return [name, new KitProcess(["start", "--port", "0"], { cwd: folder.path, env })]
    }),
  )
}

/**
 * Waits until every other instance waits for the lock, then kills the instance that holds it and waits for the blocker.
 */
async function killStuck(instances: Map<string, KitProcess>, database: TestDatabase): Promise<void> {
  const name = await vi.waitFor(
    async () => {
      const waiting = await database.query(
        `select application_name as name, wait_event as lock from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' order by wait_event = 'advisory'`,
      )
      expect(waiting.map(({ lock }) => lock === "advisory")).toEqual([false, ...Array(INSTANCES - 1).fill(true)])
      return String(waiting[0]?.["name"])
    },
    { timeout: PATIENCE_MS / 2, interval: 50 },
  )
  await instances.get(name)?.kill()
  instances.delete(name)
}

function survivorsOf(instances: Map<string, KitProcess>) {
  return Promise.all(
    [...instances.values()].map(async (instance) => {
      await instance.printed(/ready in/, PATIENCE_MS / 2)
      return { code: await instance.stop(), output: instance.output }
    }),
  )
}

async function columnsOf(database: TestDatabase): Promise<unknown[]> {
  const rows = await database.query(
    "select column_name from information_schema.columns where table_name = 'posts' order by ordinal_position",
  )
  return rows.map((row) => row["column_name"])
}
