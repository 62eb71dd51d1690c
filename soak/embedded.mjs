import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { closeSync, existsSync, openSync, readFileSync, readlinkSync, writeSync } from "node:fs"
import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import pg from "pg"
import { createClient } from "../packages/kit/dist/client.js"
import { startEmbeddedPostgres } from "../packages/kit/dist/drivers/embedded-postgres/start.js"

/**
 * @typedef {object} EmbeddedOptions
 * @property {string} folder   an empty one, which the account of the server may enter
 * @property {number} rounds   how often each fault happens
 * @property {number} kills    how often the server is killed in a row
 * @property {number} fullMs   how long the disk stays full after the server went down
 * @property {(bound: number) => number} below  seeded: a whole number from 0 up to the bound
 */

/** @typedef {{ child: import("node:child_process").ChildProcess, url: string, log: string }} App */
/** @typedef {{ fault: string, readyAgainMs: number }} Recovery */

const KIT = fileURLToPath(new URL("../packages/kit", import.meta.url))
const WRITERS = 4
const LOOK_EVERY_MS = 20
const GIVE_UP_MS = 180_000
const DISK_MB = 192
const FILL_BYTES = 1024 * 1024

const APP = {
  "package.json": '{ "type": "module" }',
  "src/collections/keys.ts": `
    import { collection } from "kit"
    export default collection("keys")
      .fields(({ f }) => ({ key: f.text().required().unique() }))
      .hooks({ afterChange: async ({ row, queue }) => { await queue.echo.publish({ key: String(row.key) }) } })
      .access({ read: true, create: true })`,
  "src/collections/echoes.ts": `
    import { collection } from "kit"
    export default collection("echoes").fields(({ f }) => ({ key: f.text().required() })).access({ read: true })`,
  "src/jobs/echo.ts": `
    import { job } from "kit"
    import { z } from "zod"
    export default job({
      name: "echo",
      schema: z.object({ key: z.string() }),
      options: { retryLimit: 1000, retryDelay: 1 },
      handler: async ({ payload, collections }) => { await collections.echoes.create({ key: payload.key }) },
    })`,
}

/**
 * The embedded database recovers by itself and keeps every acknowledged write. Two processes of kit share it under
 * constant writes, while its server is killed many times in a row, then together with its supervisor, and while its
 * disk is full. The disk is a small one that only root can mount; otherwise that part is skipped and reported as
 * skipped.
 *
 * @param {EmbeddedOptions} options
 */
export async function soakEmbedded(options) {
  const startedAt = performance.now()
  const disk = await makeApp(options.folder)
  const apps = [await startApp(options.folder), await startApp(options.folder)]
  const load = new Load(apps)
  const live = followKeys(apps[1]?.url ?? "")
  try {
    const faults = new Faults({ ...options, apps, load, disk })
    await faults.run()
    await load.end()
    await untilSettled(options.folder, load, live)
    live.stop()
    const left = await stopApps(options.folder, apps)
    const figures = { ...(await evaluate(options.folder, load)), liveKeys: live.total, processesLeft: left }
    return { ...figures, ...faults.figures(), seconds: Math.round((performance.now() - startedAt) / 1000) }
  } finally {
    live.stop()
    await load.end()
    await stopApps(options.folder, apps)
    if (disk !== undefined) spawnSync("umount", [disk])
  }
}

/**
 * Returns the mount point of the small disk, if it could be mounted.
 *
 * @param {string} folder
 * @returns {Promise<string | undefined>}
 */
async function makeApp(folder) {
  for (const [file, text] of Object.entries(APP)) {
    await mkdir(join(folder, file, ".."), { recursive: true })
    await writeFile(join(folder, file), text)
  }
  await mkdir(join(folder, "node_modules"))
  await symlink(KIT, join(folder, "node_modules/kit"))
  await symlink(fileURLToPath(new URL("../node_modules/zod", import.meta.url)), join(folder, "node_modules/zod"))
  const disk = join(folder, ".kit/db")
  await mkdir(disk, { recursive: true })
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m,mode=755`, "tmpfs", disk])
  return status === 0 ? disk : undefined
}

/** @param {string} folder @returns {Promise<App>} */
async function startApp(folder) {
  const env = { ...process.env, DATABASE_URL: "" }
  const child = spawn(process.execPath, [join(KIT, "bin/kit.mjs"), "start", "--port", "0"], { cwd: folder, env })
  const app = { child, url: "", log: "" }
  await new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
        app.log += text
        app.url ||= / on (http:\S+)/.exec(app.log)?.[1] ?? ""
        if (app.url) resolve(undefined)
      })
    }
    child.once("exit", (code) => reject(new Error(`kit start ended with ${code}:\n${app.log}`)))
  })
  return app
}

/** Writers of unique keys. Each alternates between the two apps. */
class Load {
  /** @type {Set<string>} */
  acknowledged = new Set()
  /** @type {Map<number, number>} */
  refused = new Map()
  unanswered = 0
  tried = 0
  #isOver = false
  /** @type {Promise<void[]>} */
  #writers

  /** @param {readonly App[]} apps */
  constructor(apps) {
    this.#writers = Promise.all(Array.from({ length: WRITERS }, (_, index) => this.#write(apps[index % apps.length])))
  }

  async end() {
    this.#isOver = true
    await this.#writers
  }

  /** @param {App | undefined} app */
  async #write(app) {
    while (!this.#isOver) {
      const key = `key-${this.tried++}`
      const init = { method: "POST", body: JSON.stringify({ key }), headers: { "content-type": "application/json" } }
      const status = await fetch(`${app?.url}/keys`, init).then(
        (answer) => answer.status,
        () => 0,
      )
      if (status === 201) this.acknowledged.add(key)
      else if (status === 0) this.unanswered++
      else this.refused.set(status, (this.refused.get(status) ?? 0) + 1)
      if (status !== 201) await wait(LOOK_EVERY_MS)
    }
  }
}

/** The faults, in an order that the seed decides. */
class Faults {
  /** @type {Recovery[]} */
  #recoveries = []

  /** @param {EmbeddedOptions & { apps: readonly App[], load: Load, disk: string | undefined }} options */
  constructor(options) {
    this.options = options
  }

  async run() {
    const kinds = [
      () => this.#killInARow(),
      () => this.#killBoth(),
      ...(this.options.disk ? [() => this.#fillDisk()] : []),
    ]
    for (let round = 0; round < this.options.rounds; round++) {
      for (const fault of shuffled(kinds, this.options.below)) {
        await this.#untilWritten(1 + this.options.below(200))
        await fault()
      }
    }
    await this.#untilWritten(50)
  }

  figures() {
    const worst = (/** @type {string} */ fault) =>
      Math.max(0, ...this.#recoveries.filter((recovery) => recovery.fault === fault).map((one) => one.readyAgainMs))
    const count = (/** @type {string} */ fault) => this.#recoveries.filter((one) => one.fault === fault).length
    return {
      serverKills: count("server killed"),
      slowestAfterServerKillMs: worst("server killed"),
      killsOfBoth: count("both killed"),
      slowestAfterKillOfBothMs: worst("both killed"),
      fullDisks: count("disk full"),
      slowestAfterFullDiskMs: worst("disk full"),
      reasons: reasonsIn(this.options.apps),
    }
  }

  async #killInARow() {
    let previous = 0
    for (let kill = 0; kill < this.options.kills; kill++) {
      previous = await newPostmaster(this.options.folder, previous)
      await this.#untilWritten(1 + this.options.below(20))
      process.kill(previous, "SIGKILL")
      await this.#untilReady("server killed")
    }
  }

  async #killBoth() {
    const postmaster = await newPostmaster(this.options.folder, 0)
    const victims = shuffled([await supervisorOf(this.options.folder), postmaster], this.options.below)
    for (const pid of victims) process.kill(pid, "SIGKILL")
    await this.#untilReady("both killed")
  }

  async #fillDisk() {
    const filler = join(this.options.disk ?? "", "filler")
    fill(filler)
    await untilDown(this.options.folder)
    await wait(this.options.fullMs)
    await rm(filler)
    await this.#untilReady("disk full")
  }

  // The backends of a killed server still answer for a moment, so a write that began after the fault has to succeed.
  /** @param {string} fault */
  async #untilReady(fault) {
    const since = performance.now()
    await this.#untilWritten(20)
    for (const { url } of this.options.apps) await until(async () => (await fetch(`${url}/_kit/ready`)).status === 200)
    this.#recoveries.push({ fault, readyAgainMs: Math.round(performance.now() - since) })
  }

  /** @param {number} more */
  async #untilWritten(more) {
    const goal = this.options.load.acknowledged.size + more
    await until(async () => this.options.load.acknowledged.size >= goal)
  }
}

/** Writes as many bytes as fit on the disk. @param {string} path */
function fill(path) {
  const file = openSync(path, "w")
  try {
    for (let size = FILL_BYTES; size > 0; size = Math.floor(size / 2)) writeWhilePossible(file, size)
  } finally {
    closeSync(file)
  }
}

/** @param {number} file @param {number} size */
function writeWhilePossible(file, size) {
  const zeros = Buffer.alloc(size)
  try {
    for (;;) if (writeSync(file, zeros) < size) return
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ENOSPC") throw error
  }
}

/** Writes until the server cannot extend its write-ahead log, and stops. @param {string} folder */
async function untilDown(folder) {
  await until(async () => {
    const pid = postmasterOf(folder)
    const hasServer = existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("postgres")
    if (hasServer) await switchLog(folder)
    return !hasServer
  })
}

/** @param {string} folder */
async function switchLog(folder) {
  const socketDirectory = readFileSync(join(folder, ".kit/db/data/postmaster.pid"), "utf8").split("\n")[4]
  const client = new pg.Client({ host: socketDirectory, user: "postgres", database: "kit" })
  client.on("error", () => {})
  try {
    await client.connect()
    await client.query("select pg_logical_emit_message(false, 'soak', repeat('x', 100000)), pg_switch_wal()")
  } catch {
    // The statement was refused or cut off; the caller checks the state of the server.
  } finally {
    await client.end().catch(() => {})
  }
}

/** Subscribes to the newest key and the number of keys. @param {string} url */
function followKeys(url) {
  const { origin, pathname } = new URL(url)
  const client = createClient({ baseURL: origin, basePath: pathname })
  const followed = { total: 0, stop: () => {} }
  followed.stop = client.collections.keys.live({ limit: 1 }, (/** @type {{ totalDocs: number }} */ page) => {
    followed.total = page.totalDocs
  })
  return followed
}

/**
 * Waits until every key has its echo and the live query has reported all keys.
 *
 * @param {string} folder
 * @param {Load} load
 * @param {{ total: number }} live
 */
async function untilSettled(folder, load, live) {
  await withClient(folder, (client) =>
    until(async () => {
      const { rows } = await client.query(
        `select count(*)::int as keys, (select count(distinct key) from echoes)::int as echoes from keys`,
      )
      const [{ keys, echoes }] = rows
      return keys >= load.acknowledged.size && echoes === keys && live.total === keys
    }),
  )
}

/** Compares with the tables, read directly with SQL. @param {string} folder @param {Load} load */
async function evaluate(folder, load) {
  const stored = await withClient(folder, async (client) => (await client.query("select key from keys")).rows)
  const keys = new Set(stored.map(({ key }) => key))
  const echoed = await withClient(folder, async (client) => (await client.query("select key from echoes")).rows)
  const echoes = new Set(echoed.map(({ key }) => key))
  return {
    tried: load.tried,
    acknowledged: load.acknowledged.size,
    stored: keys.size,
    lost: [...load.acknowledged].filter((key) => !keys.has(key)).length,
    jobsLost: [...keys].filter((key) => !echoes.has(key)).length,
    refused: Object.fromEntries(load.refused),
    unanswered: load.unanswered,
  }
}

/** @template T @param {string} folder @param {(client: pg.Client) => Promise<T>} work @returns {Promise<T>} */
async function withClient(folder, work) {
  const embedded = await startEmbeddedPostgres({ directory: join(folder, ".kit/db") })
  const client = new pg.Client({ connectionString: embedded.url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
    await embedded.release()
  }
}

/**
 * Stops the apps, and counts the processes of the database that are still there afterwards.
 *
 * @param {string} folder
 * @param {readonly App[]} apps
 */
async function stopApps(folder, apps) {
  const server = [await supervisorOf(folder), postmasterOf(folder)]
  for (const { child } of apps) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill("SIGTERM")
    await once(child, "exit")
  }
  const isLeft = (/** @type {number} */ pid) => pid > 0 && existsSync(`/proc/${pid}`)
  await until(async () => !server.some(isLeft)).catch(() => {})
  return server.filter(isLeft).length
}

/** Returns the distinct reasons in the logs, without numbers. @param {readonly App[]} apps */
function reasonsIn(apps) {
  const lines = apps.flatMap(({ log }) => log.match(/(?<=database is down: ).*(?=\. It is restarted)/g) ?? [])
  return [...new Set(lines.map((line) => line.replaceAll(/\d+/g, "…").replaceAll("\\", "")))]
}

/** @param {string} folder @returns {Promise<number>} */
async function supervisorOf(folder) {
  const home = join(folder, ".kit/db")
  const numbers = (await readdir(home)).flatMap((name) => /^supervisor\.(\d+)$/.exec(name)?.[1] ?? []).map(Number)
  const socket = readlinkSync(join(home, `supervisor.${Math.max(...numbers)}`))
  return Number(/control-(\d+)/.exec(socket)?.[1])
}

/** @param {string} folder */
function postmasterOf(folder) {
  const file = join(folder, ".kit/db/data/postmaster.pid")
  return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : 0
}

/**
 * Waits for a new server: the file of a killed server has its supervisor's pid until then.
 *
 * @param {string} folder
 * @param {number} previous
 */
async function newPostmaster(folder, previous) {
  let postmaster = 0
  await until(async () => {
    postmaster = postmasterOf(folder)
    return ![0, previous, await supervisorOf(folder)].includes(postmaster) && existsSync(`/proc/${postmaster}`)
  })
  return postmaster
}

/** @param {() => Promise<boolean>} isSo */
async function until(isSo) {
  const giveUpAt = performance.now() + GIVE_UP_MS
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`It was not so after ${GIVE_UP_MS / 1000} s: ${isSo}`)
    await wait(LOOK_EVERY_MS)
  }
}

/** @template T @param {readonly T[]} items @param {(bound: number) => number} below @returns {T[]} */
function shuffled(items, below) {
  const left = [...items]
  return items.flatMap(() => left.splice(below(left.length), 1))
}
