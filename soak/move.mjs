import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import pg from "pg"
import { openPostgres } from "../packages/kit/dist/drivers/postgres/open-postgres.js"
import { syncSchema } from "../packages/kit/dist/engine/migrate/sync-schema.js"
import { collection } from "../packages/kit/dist/index.js"
import { compileSchema } from "../packages/kit/dist/schema/compile/compile.js"

/**
 * @typedef {object} MoveOptions
 * @property {string} url      an empty database on a server where others can be made
 * @property {number} rows     how many posts are stored
 * @property {string} folder   an empty folder
 * @property {(bound: number) => number} below  seeded: a whole number from 0 up to the bound
 */

const KIT = fileURLToPath(new URL("../packages/kit/bin/kit.mjs", import.meta.url))
const LOOK_EVERY_MS = 50
const TARGET = "moved"

/**
 * Copies a database of many rows, with a kill in the middle, and measures the memory of the copying process.
 *
 * @param {MoveOptions} options
 */
export async function soakMove(options) {
  const client = new pg.Client({ connectionString: options.url })
  await client.connect()
  await prepare(options, client)
  await client.query(`create database ${TARGET}`)
  const cwd = join(options.folder, "app")
  await mkdir(cwd)
  const killed = new Move(options, cwd)
  const killedAt = await killed.killAt(20 + options.below(60))
  const startedAt = performance.now()
  const resumed = await new Move(options, cwd).end()
  const seconds = (performance.now() - startedAt) / 1000
  await client.query(`drop database ${TARGET} with (force)`)
  await client.query(`create database ${TARGET}`)
  const freshAt = performance.now()
  const fresh = await new Move(options, cwd).end()
  const freshSeconds = (performance.now() - freshAt) / 1000
  await client.end()
  return {
    rows: options.rows,
    seconds: freshSeconds,
    rowsPerSecond: Math.round(options.rows / freshSeconds),
    ...fresh.figures,
    isEqual: fresh.isEqual && resumed.isEqual,
    killedAtPercent: killedAt,
    resumedSeconds: seconds,
    checksum: fresh.checksum,
    isSameAfterKill: fresh.checksum === resumed.checksum,
  }
}

/** @param {MoveOptions} options @param {pg.Client} client */
async function prepare({ url, rows }, client) {
  const posts = collection("posts").fields(({ f }) => ({
    title: f.text(200).required(),
    slug: f.text().unique(),
    body: f.textarea(),
    status: f.select(["draft", "done"]).index(),
    views: f.number().integer(),
    meta: f.json(),
  }))
  const compiled = compileSchema([{ file: "posts.ts", definition: posts.definition }])
  if (!("schema" in compiled)) throw new Error("The schema of the soak compiles.")
  const database = openPostgres({ url, maxConnections: 1 })
  await syncSchema(database, compiled.schema)
  await database.close()
  await client.query(
    `insert into posts (id, title, slug, body, status, views, meta, "createdAt", "updatedAt")
     select gen_random_uuid(), 'Post ' || n, 'post-' || n, repeat('lorem ipsum ', 1 + n % 30) || E'\\n\\\\', 'done', n % 1000,
       jsonb_build_object('n', n, 'tags', array['a', 'ž']), now(), now()
     from generate_series(1, ${rows}) n`,
  )
}

/** One run of `kit db move`. */
class Move {
  #output = ""
  #report = ""
  #isOver = false
  #peakUntilTenth = 0
  #peak = 0

  /** @param {MoveOptions} options @param {string} cwd */
  constructor({ url }, cwd) {
    const target = url.replace(/\/[^/?]*\?/, `/${TARGET}?`)
    const args = [KIT, "db", "move", target, "--json", "--allow-others"]
    this.child = spawn(process.execPath, args, { cwd, env: { ...process.env, DATABASE_URL: url } })
    this.child.stderr.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
      this.#output += text
    })
    this.child.stdout.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
      this.#report += text
    })
    this.ended = once(this.child, "close").then(() => {
      this.#isOver = true
    })
    this.looked = this.#look()
  }

  /** Kills the run at this percentage, and returns the actual one. @param {number} percent */
  async killAt(percent) {
    while (this.#percent < percent && !this.#isOver) await wait(1)
    const reached = this.#percent
    this.child.kill("SIGKILL")
    await this.ended
    return reached
  }

  async end() {
    await this.ended
    await this.looked
    if (this.child.exitCode !== 0) throw new Error(`The move ended with ${this.child.exitCode}:\n${this.#output}`)
    const { tables, isEqual } = JSON.parse(this.#report)
    const posts = tables.find((/** @type {{ table: string }} */ { table }) => table === "public.posts")
    return {
      isEqual,
      checksum: posts.source.checksum,
      figures: { peakMbAtTenth: Math.round(this.#peakUntilTenth / 1024), peakMb: Math.round(this.#peak / 1024) },
    }
  }

  /** The percentage of posts that are copied. */
  get #percent() {
    return Number(/^.*public\.posts .* (\d+) %\s*$/ms.exec(this.#output)?.[1] ?? 0)
  }

  async #look() {
    const run = promisify(execFile)
    while (!this.#isOver) {
      const { stdout } = await run("ps", ["-o", "rss=", "-p", String(this.child.pid)]).catch(() => ({ stdout: "0" }))
      this.#peak = Math.max(this.#peak, Number(stdout))
      if (this.#percent <= 10) this.#peakUntilTenth = this.#peak
      await wait(LOOK_EVERY_MS)
    }
  }
}
