import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import pg from "pg"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { startEmbeddedPostgres } from "../packages/kit/src/drivers/embedded-postgres/start.ts"
import { type AppFolder, appFolder, KitProcess } from "./support/kit-process.ts"
import { type SeededRandom, seededRandom } from "./support/seeded-random.ts"
import { createTestDatabase, type TestDatabase } from "./support/test-database.ts"

const PATIENCE_MS = 60_000

describe("P1: an acknowledged write survives", () => {
  const KEYS = `
    import { collection } from "kit"
    export default collection("keys")
      .fields(({ f }) => ({ key: f.text().required().unique() }))
      .access({ read: true, create: true })`
  const WRITERS = 4
  const SERVER_KILLS = 5
  // SIGQUIT is what `pg_ctl restart -m immediate` sends.
  const DATABASE_KILLS = ["SIGKILL", "SIGQUIT"] as const

  test(
    "kill -9 of the server and of its embedded database, under load",
    async () => {
      const random = seededRandom()
      await using folder = await appFolder({ "src/collections/keys.ts": KEYS })
      const history = new History()

      for (let life = 0; life < SERVER_KILLS; life++) await writeUntilServerDies(folder, { history, random })
      await writeWhileDatabaseDies(folder, { history, random })
      const stored = await storedKeys(folder)

      const lost = history.ok.filter((key) => !stored.has(key))
      const invented = [...stored].filter((key) => !history.tried.has(key))
      expect({ lost, invented }, figures(random, history)).toEqual({ lost: [], invented: [] })
      expect(history.ok.length, figures(random, history)).toBeGreaterThan(SERVER_KILLS + DATABASE_KILLS.length)
    },
    PATIENCE_MS,
  )

  interface Experiment {
    readonly history: History
    readonly random: SeededRandom
  }

  /** What became of each write: answered as done, answered as failed, or not answered at all. */
  class History {
    readonly tried = new Set<string>()
    readonly ok: string[] = []
    failed = 0
    unknown = 0
    readonly readyAgainMs: number[] = []

    newKey(): string {
      const key = `key-${this.tried.size}`
      this.tried.add(key)
      return key
    }
  }

  function figures({ seed }: SeededRandom, { tried, ok, failed, unknown, readyAgainMs }: History): string {
    return JSON.stringify({ seed, tried: tried.size, ok: ok.length, failed, unknown, readyAgainMs })
  }

  async function start(folder: AppFolder): Promise<{ server: KitProcess; url: string }> {
    const server = new KitProcess(["start", "--port", "0"], { cwd: folder.path, env: { DATABASE_URL: "" } })
    onTestFinished(() => server.kill())
    const [, url = ""] = await server.printed(/on (http:\S+)/)
    return { server, url }
  }

  async function write(url: string, history: History): Promise<"ok" | "failed" | "unknown"> {
    const key = history.newKey()
    const init = { method: "POST", body: JSON.stringify({ key }), headers: { "content-type": "application/json" } }
    const status = await fetch(`${url}/keys`, init).then(
      (answer) => answer.status,
      () => 0,
    )
    if (status === 201) history.ok.push(key)
    else if (status === 0) history.unknown++
    else history.failed++
    return status === 201 ? "ok" : status === 0 ? "unknown" : "failed"
  }

  async function acknowledged({ history }: Experiment, more: number): Promise<void> {
    const goal = history.ok.length + more
    await vi.waitFor(() => expect(history.ok.length).toBeGreaterThanOrEqual(goal), { timeout: 15_000, interval: 1 })
  }

  async function writeUntilServerDies(folder: AppFolder, experiment: Experiment): Promise<void> {
    const { server, url } = await start(folder)
    const writer = async () => {
      while ((await write(url, experiment.history)) !== "unknown");
    }
    const writers = Array.from({ length: WRITERS }, writer)
    await acknowledged(experiment, 1 + experiment.random.below(150))
    await server.kill()
    await Promise.all(writers)
  }

  async function writeWhileDatabaseDies(folder: AppFolder, experiment: Experiment): Promise<void> {
    const { server, url } = await start(folder)
    let isOver = false
    const writer = async () => {
      while (!isOver) if ((await write(url, experiment.history)) !== "ok") await ready(url)
    }
    const writers = Array.from({ length: WRITERS }, writer)
    for (const signal of DATABASE_KILLS) {
      await acknowledged(experiment, 1 + experiment.random.below(150))
      process.kill(await postmasterOf(folder), signal)
      const killedAt = performance.now()
      await ready(url)
      experiment.history.readyAgainMs.push(Math.round(performance.now() - killedAt))
    }
    await acknowledged(experiment, 20)
    isOver = true
    await Promise.all(writers)
    await server.stop()
  }

  async function ready(url: string): Promise<void> {
    const isReady = async () => expect((await fetch(`${url}/_kit/ready`)).status).toBe(200)
    await vi.waitFor(isReady, { timeout: 15_000, interval: 20 })
  }

  async function postmasterOf(folder: AppFolder): Promise<number> {
    return Number((await readFile(join(folder.path, ".kit/db/data/postmaster.pid"), "utf8")).split("\n")[0])
  }

  async function storedKeys(folder: AppFolder): Promise<Set<string>> {
    const embedded = await startEmbeddedPostgres({ directory: join(folder.path, ".kit/db") })
    const client = new pg.Client({ connectionString: embedded.url })
    await client.connect()
    const { rows } = await client.query("select key from keys")
    await client.end()
    await embedded.release()
    return new Set(rows.map(({ key }) => key))
  }
})

describe("P2: a write that is not acknowledged is wholly there or not at all", () => {
  const ROWS = 10_000
  const BATCH = 1_000
  const CHILDREN = 60
  const KILLS = 3
  const FILES = {
    "src/collections/items.ts": `
      import { collection } from "kit"
      export default collection("items")
        .fields(({ f }) => ({ mark: f.text() }))
        .options({ revision: true })
        .access({ read: true, update: true })`,
    "src/collections/parents.ts": `
      import { collection } from "kit"
      export default collection("parents")
        .fields(({ f }) => ({
          mark: f.text(),
          children: f.relation("children").hasMany({ via: "parent" }),
          tags: f.relation("tags").manyToMany({ through: "tagging" }),
        }))
        .access({ read: true, create: true })`,
    "src/collections/children.ts": `
      import { collection } from "kit"
      export default collection("children")
        .fields(({ f }) => ({ mark: f.text(), parent: f.relation("parents") }))
        .access({ read: true, create: true, update: true })`,
    "src/collections/tags.ts": `
      import { collection } from "kit"
      export default collection("tags").fields(({ f }) => ({ mark: f.text() })).access({ read: true, create: true })`,
  }

  /** A request that writes much, how to count what it has written, and the counts of all of it. */
  interface BigWrite {
    request(mark: string): { method: string; path: string; body: unknown }
    readonly counts: string
    readonly whole: Readonly<Record<string, number>>
  }

  const itemsOf = (length: number) => Array.from({ length }, (_, index) => itemId(index))
  const MARKED_ITEMS = `select count(*)::int as items, count(distinct revision)::int as revisions,
    (select count(*)::int from "_kit_changes" where after->>'mark' = $1) as changes from items where mark = $1`

  const updateBatch: BigWrite = {
    request: (mark) => {
      const updates = itemsOf(BATCH).map((id) => ({ id, data: { mark } }))
      return { method: "POST", path: "/items/update-batch", body: { updates } }
    },
    counts: MARKED_ITEMS,
    whole: { items: BATCH, revisions: 1, changes: BATCH },
  }
  const updateMany: BigWrite = {
    request: (mark) => ({ method: "PATCH", path: "/items", body: { all: true, data: { mark } } }),
    counts: MARKED_ITEMS,
    whole: { items: ROWS, revisions: 1, changes: ROWS },
  }
  const nestedCreate: BigWrite = {
    request: (mark) => {
      const create = Array.from({ length: CHILDREN }, () => ({ mark }))
      return { method: "POST", path: "/parents", body: { mark, children: { create }, tags: { create } } }
    },
    counts: `select
      (select count(*)::int from parents where mark = $1) as parents,
      (select count(*)::int from children join parents on parents.id = parent where children.mark = $1) as children,
      (select count(*)::int from tags where mark = $1) as tags,
      (select count(*)::int from "tagging.links" join parents on parents.id = parents_id where mark = $1) as links,
      (select count(*)::int from "_kit_changes" where kind = 'create' and after->>'mark' = $1) as changes`,
    whole: { parents: 1, children: CHILDREN, tags: CHILDREN, links: CHILDREN, changes: 1 + 2 * CHILDREN },
  }

  test.each([
    ["an update-batch of 1,000", updateBatch],
    ["a nested create", nestedCreate],
    ["an updateMany of 10,000", updateMany],
  ])(
    "%s, when the server is killed with -9 in the middle",
    async (_name, write) => {
      const random = seededRandom()
      const { folder, database } = await appWithItems()
      const calm = await attempt(folder, { database, write, mark: "calm" })
      const outcomes = []

      for (let kill = 0; kill < KILLS; kill++) {
        const killAfterMs = random.below(calm.ms * 1.2)
        outcomes.push(await attempt(folder, { database, write, mark: `kill-${kill}`, killAfterMs }))
      }

      const partial = outcomes.filter(({ found }) => Object.values(found).some((count) => count > 0) && !isWhole(found))
      const lost = outcomes.filter(({ isAcknowledged, found }) => isAcknowledged && !isWhole(found))
      expect({ calm: calm.found, partial, lost }, JSON.stringify({ seed: random.seed, calm, outcomes })).toEqual({
        calm: write.whole,
        partial: [],
        lost: [],
      })

      function isWhole(found: Readonly<Record<string, number>>): boolean {
        return Object.entries(write.whole).every(([name, count]) => found[name] === count)
      }
    },
    PATIENCE_MS,
  )

  function itemId(index: number): string {
    return `01890000-0000-7000-8000-${String(index).padStart(12, "0")}`
  }

  async function appWithItems(): Promise<{ folder: AppFolder; database: TestDatabase }> {
    const database = await createTestDatabase()
    const folder = await appFolder(FILES)
    onTestFinished(async () => {
      await folder[Symbol.asyncDispose]()
      await database.drop()
    })
    const { server } = await start(folder, database)
    await server.stop()
    await database.query(
      `insert into items (id, revision, "createdAt", "updatedAt") select id, 1, now(), now() from unnest($1::uuid[]) id`,
      [itemsOf(ROWS)],
    )
    return { folder, database }
  }

  async function start(folder: AppFolder, database: TestDatabase): Promise<{ server: KitProcess; url: string }> {
    const env = { DATABASE_URL: database.url }
    const server = new KitProcess(["start", "--port", "0"], { cwd: folder.path, env })
    onTestFinished(() => server.kill())
    const [, url = ""] = await server.printed(/on (http:\S+)/)
    return { server, url }
  }

  interface Attempt {
    readonly database: TestDatabase
    readonly write: BigWrite
    readonly mark: string
    readonly killAfterMs?: number
  }

  /** Sends the write to a server of its own, kills that at the given moment, and counts what is found then. */
  async function attempt(folder: AppFolder, { database, write, mark, killAfterMs }: Attempt) {
    const { server, url } = await start(folder, database)
    const { path, method, body } = write.request(mark)
    const init = { method, body: JSON.stringify(body), headers: { "content-type": "application/json" } }
    const startedAt = performance.now()
    const answer = fetch(`${url}${path}`, init).then(
      ({ ok }) => ok,
      () => false,
    )
    // The experiment is a death at any moment, so here the time itself is the event.
    if (killAfterMs !== undefined) await Promise.race([delay(killAfterMs).then(() => server.kill()), answer])
    const isAcknowledged = await answer
    const ms = performance.now() - startedAt
    await server.kill()
    await untilAlone(database)
    const found = (await database.query(write.counts, [mark]))[0] as Record<string, number>
    return { mark, isAcknowledged, ms, killAfterMs, found }
  }

  /** What a killed server has sent is still being done by the database. */
  async function untilAlone(database: TestDatabase): Promise<void> {
    const others = `select 1 from pg_stat_activity where datname = current_database() and application_name = 'kit'`
    await vi.waitFor(async () => expect(await database.query(others)).toEqual([]), { timeout: 15_000, interval: 10 })
  }
})
