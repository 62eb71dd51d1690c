// @module-tag experiment
// @module-tag full-count

import { readFile } from "node:fs/promises"
import { join } from "node:path"
import pg from "pg"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { startEmbeddedPostgres } from "../../packages/kit/src/drivers/embedded-postgres/start.ts"
import { count } from "../support/count.ts"
import { type AppFolder, appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { type SeededRandom, seededRandom } from "../support/seeded-random.ts"

const PATIENCE_MS = count({ short: 300_000, long: 1_800_000 })
const WAIT = { timeout: 60_000, interval: 20 }

describe("P1: an acknowledged write survives", () => {
  const KEYS = `
    import { collection } from "kit"
    export default collection("keys")
      .fields(({ f }) => ({ key: f.text().required().unique() }))
      .access({ read: true, create: true })`
  const WRITERS = 4
  const SERVER_KILLS = count({ short: 5, long: 50 })
  // `pg_ctl restart -m immediate` sends SIGQUIT.
  const DATABASE_KILLS = Array.from(
    { length: count({ short: 1, long: 10 }) },
    () => ["SIGKILL", "SIGQUIT"] as const,
  ).flat()

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

  /** The outcome of each write: acknowledged, failed, or not answered. */
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
    await vi.waitFor(() => expect(history.ok.length).toBeGreaterThanOrEqual(goal), { timeout: 60_000, interval: 1 })
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
    let postmaster = 0
    for (const signal of DATABASE_KILLS) {
      await acknowledged(experiment, 1 + experiment.random.below(150))
      postmaster = await postmasterAfter(postmaster, folder)
      process.kill(postmaster, signal)
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
    await vi.waitFor(isReady, WAIT)
  }

  // The backends of a killed server may answer for a moment, and its pid file stays until another server replaces it.
  function postmasterAfter(previous: number, folder: AppFolder): Promise<number> {
    const file = join(folder.path, ".kit/db/data/postmaster.pid")
    return vi.waitFor(async () => {
      const postmaster = Number((await readFile(file, "utf8")).split("\n")[0])
      expect(postmaster).toBeGreaterThan(0)
      expect(postmaster).not.toBe(previous)
      return postmaster
    }, WAIT)
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
