// @module-tag experiment
// @module-tag installed-postgres

import { appendFile, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { describe, expect, test, vi } from "vitest"
import { readPostmasterFile } from "../../packages/kit/src/drivers/embedded-postgres/files/postmaster-file.ts"
import { latestLock } from "../../packages/kit/src/drivers/embedded-postgres/files/supervisor-lock.ts"
import { expectGone } from "../../packages/kit/test/drivers/embedded-postgres-world.ts"
import { type AppFolder, appFolder, KitProcess } from "../support/processes/kit-process.ts"

const KILLS = 11
const WRITERS = 4
const MAX_OUTAGE_MS = 10_000
const WAIT = { timeout: 120_000, interval: 20 }

const APP = {
  "src/collections/keys.ts": `
    import { collection } from "kit"
    export default collection("keys")
      .fields(({ f }) => ({ key: f.text().required().unique() }))
      .access({ read: true, create: true })`,
}

// The tests share nothing, and mostly wait.
describe.concurrent("the embedded database comes back without a restart of kit", () => {
  test("after its server was killed eleven times in a row", async () => {
    await using folder = await appFolder(APP)
    await using app = await start(folder)
    const { url } = app
    const acknowledged: string[] = []

    let previous = 0
    for (let kill = 0; kill < KILLS; kill++) {
      previous = await newPostmaster(folder, previous)
      await vi.waitFor(async () => expect((await write(url, `key-${kill}`)).status).toBe(201), WAIT)
      acknowledged.push(`key-${kill}`)
      process.kill(previous, "SIGKILL")
    }

    await vi.waitFor(async () => expect((await write(url, "last")).status).toBe(201), WAIT)
    expect(await storedKeys(url)).toEqual([...acknowledged, "last"].sort())
  })

  test("after its server and its supervisor were killed, for every process, and the last exit leaves nothing behind", async () => {
    await using folder = await appFolder(APP)
    await using first = await start(folder)
    await using second = await start(folder)
    expect((await write(first.url, "before")).status).toBe(201)

    const victims = processesOf(folder)
    for (const pid of victims) process.kill(pid, "SIGKILL")

    await vi.waitFor(async () => expect((await write(first.url, "first")).status).toBe(201), WAIT)
    await vi.waitFor(async () => expect((await write(second.url, "second")).status).toBe(201), WAIT)
    expect(await storedKeys(second.url)).toEqual(["before", "first", "second"])
    const successors = processesOf(folder)
    expect(successors.filter((pid) => victims.includes(pid))).toEqual([])
    expect([await first.server.stop(), await second.server.stop()]).toEqual([0, 0])
    for (const pid of successors) await expectGone(pid)
  })

  test("under another supervisor after a kill of the first, which ends the server with the last process", async () => {
    await using folder = await appFolder(APP)
    await using app = await start(folder)
    const [supervisor = 0, postmaster = 0] = processesOf(folder)

    process.kill(supervisor, "SIGKILL")
    await vi.waitFor(() => expect(processesOf(folder)[0]).not.toBe(supervisor), WAIT)

    expect(processesOf(folder)[1]).toBe(postmaster)
    expect(await app.server.stop()).toBe(0)
    await expectGone(postmaster)
  })

  test("after the folder of its sockets was deleted under writes, and loses none of them", async () => {
    await using folder = await appFolder(APP)
    await using app = await start(folder)
    const [supervisor, postmaster = 0] = processesOf(folder)
    const writers = new Writers(app.url)
    await writers.progress()

    await rm(dirname(latestLock(homeOf(folder))?.controlSocket ?? ""), { recursive: true })
    await newPostmaster(folder, postmaster)
    await writers.progress()

    const { acknowledged, longestGapMs } = await writers.end()
    console.log(JSON.stringify({ writes: acknowledged.length, longestGapMs }))
    expect(longestGapMs).toBeLessThan(MAX_OUTAGE_MS)
    expect(await storedKeys(app.url)).toEqual(expect.arrayContaining(acknowledged))
    await app.server.printed(/embedded database is down: \S+ was deleted/)
    await using second = await start(folder)
    expect((await write(second.url, "second")).status).toBe(201)
    expect(processesOf(folder)[0]).toBe(supervisor)
  })

  test("once what kept its server from starting is mended; until then callers get 503, and the log says why once", async () => {
    await using folder = await appFolder(APP)
    await using app = await start(folder)
    const { server, url } = app
    const settings = join(folder.path, ".kit/db/data/postgresql.conf")
    const sound = await readFile(settings, "utf8")
    expect((await write(url, "before")).status).toBe(201)

    await appendFile(settings, "shared_memory_type = 'imaginary'\n")
    process.kill(await newPostmaster(folder, 0), "SIGKILL")
    await server.printed(/embedded database is down[^\n]*contains errors/)
    const refused = await fetch(`${url}/keys`)
    const ready = await fetch(`${url}/_kit/ready`)
    // The pauses between attempts are 0.2, 0.4 and 0.8 s: each attempt is one start, but not one log line.
    await vi.waitFor(async () => expect(await failedStarts(folder)).toBeGreaterThan(3), WAIT)
    await writeFile(settings, sound)

    await vi.waitFor(async () => expect((await write(url, "after")).status).toBe(201), WAIT)
    expect(refused.status).toBe(503)
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/)
    expect(ready.status).toBe(503)
    expect(await storedKeys(url)).toEqual(["after", "before"])
    await server.printed(/embedded database is up again/)
    expect(server.output.match(/embedded database is down[^\n]*contains errors/g)).toHaveLength(1)
  })
})

interface RunningApp extends AsyncDisposable {
  readonly server: KitProcess
  readonly url: string
}

async function start(folder: AppFolder): Promise<RunningApp> {
  const server = new KitProcess(["start", "--port", "0"], { cwd: folder.path, env: { DATABASE_URL: "" } })
  const end = async () => void (await server.stop())
  const [, url = ""] = await server.printed(/on (http:\S+)/).catch(async (error) => {
    await end()
    throw error
  })
  return { server, url, [Symbol.asyncDispose]: end }
}

/** Writes one key after another, and measures the longest time in which no write was acknowledged. */
class Writers {
  readonly #url: string
  readonly #acknowledged: string[] = []
  readonly #work: Promise<void>[]
  #longestGapMs = 0
  #lastAt = performance.now()
  #isOver = false

  constructor(url: string) {
    this.#url = url
    this.#work = Array.from({ length: WRITERS }, (_, writer) => this.#write(writer))
  }

  /** Resolves when each writer can have had several writes acknowledged. */
  async progress(): Promise<void> {
    const before = this.#acknowledged.length
    await vi.waitFor(() => expect(this.#acknowledged.length).toBeGreaterThan(before + 10 * WRITERS), WAIT)
  }

  async end(): Promise<{ acknowledged: string[]; longestGapMs: number }> {
    this.#isOver = true
    await Promise.all(this.#work)
    return { acknowledged: this.#acknowledged, longestGapMs: this.#longestGapMs }
  }

  async #write(writer: number): Promise<void> {
    for (let number = 0; !this.#isOver; number++) {
      const key = `${writer}.${number}`
      const { status } = await write(this.#url, key)
      if (status !== 201) continue
      this.#acknowledged.push(key)
      this.#longestGapMs = Math.max(this.#longestGapMs, Math.round(performance.now() - this.#lastAt))
      this.#lastAt = performance.now()
    }
  }
}

function write(url: string, key: string): Promise<Response> {
  const headers = { "content-type": "application/json" }
  return fetch(`${url}/keys`, { method: "POST", body: JSON.stringify({ key }), headers })
}

async function storedKeys(url: string): Promise<string[]> {
  // A pooled connection to the killed server may still be open: its first statement is answered with 503.
  const answer = await vi.waitFor(async () => {
    const found = await fetch(`${url}/keys?limit=1000&orderBy[key]=asc`)
    expect(found.status).toBe(200)
    return found
  }, WAIT)
  // The body of a find.
  const { docs } = (await answer.json()) as { docs: { key: string }[] }
  return docs.map(({ key }) => key).sort()
}

function homeOf(folder: AppFolder): string {
  return join(folder.path, ".kit/db")
}

/** Returns the pids of supervisor and server. */
function processesOf(folder: AppFolder): number[] {
  const supervisor = Number(/control-(\d+)/.exec(latestLock(homeOf(folder))?.controlSocket ?? "")?.[1])
  return [supervisor, readPostmasterFile(join(homeOf(folder), "data"))?.pid ?? 0]
}

// The file of a killed server has its supervisor's pid until the next server has written its own.
function newPostmaster(folder: AppFolder, previous: number): Promise<number> {
  return vi.waitFor(() => {
    const [supervisor, postmaster = 0] = processesOf(folder)
    expect([0, previous, supervisor]).not.toContain(postmaster)
    return postmaster
  }, WAIT)
}

async function failedStarts(folder: AppFolder): Promise<number> {
  const log = await readFile(join(homeOf(folder), "postgres.log"), "utf8")
  return log.match(/invalid value for parameter "shared_memory_type"/g)?.length ?? 0
}
