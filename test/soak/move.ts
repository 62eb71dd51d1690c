import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import pg from "pg"
import { openPostgres } from "../../packages/kit/src/drivers/postgres/open-postgres.ts"
import { syncSchema } from "../../packages/kit/src/engine/migrate/sync-schema.ts"
import { collection } from "../../packages/kit/src/index.ts"
import { compileSchema } from "../../packages/kit/src/schema/compile/compile.ts"

interface MoveOptions {
  /** An empty database on a server where others can be made. */
  readonly url: string
  /** How many posts are stored. */
  readonly rows: number
  /** An empty folder. */
  readonly folder: string
  /** Seeded: a whole number from 0 up to the bound. */
  readonly below: (bound: number) => number
}

const KIT = fileURLToPath(new URL("../../packages/kit/bin/kit.mjs", import.meta.url))
const LOOK_EVERY_MS = 50
const TARGET = "moved"

/** Copies a database of many rows, with a kill in the middle, and measures the memory of the copying process. */
export async function soakMove(options: MoveOptions): ReturnType<typeof moveTwice> {
  const client = new pg.Client({ connectionString: options.url })
  await client.connect()
  try {
    await prepare(options, client)
    return await moveTwice(options, client)
  } finally {
    await client.end()
  }
}

/** Moves with a kill in the middle, then without one, each time into an empty database. */
async function moveTwice(options: MoveOptions, client: pg.Client) {
  const cwd = join(options.folder, "app")
  await mkdir(cwd)
  await client.query(`create database ${TARGET}`)
  const killedAtPercent = await new Move(options, cwd).killAt(20 + options.below(60))
  const resumedAt = performance.now()
  const resumed = await new Move(options, cwd).end()
  const resumedSeconds = (performance.now() - resumedAt) / 1000
  await client.query(`drop database ${TARGET} with (force)`)
  await client.query(`create database ${TARGET}`)
  const freshAt = performance.now()
  const fresh = await new Move(options, cwd).end()
  const freshSeconds = (performance.now() - freshAt) / 1000
  return {
    rows: options.rows,
    copiedInSeconds: Math.round(freshSeconds),
    rowsPerSecond: Math.round(options.rows / freshSeconds),
    ...fresh.figures,
    isEqual: fresh.isEqual && resumed.isEqual,
    killedAtPercent,
    resumedInSeconds: Math.round(resumedSeconds),
    checksum: fresh.checksum,
    isSameAfterKill: fresh.checksum === resumed.checksum,
  }
}

async function prepare({ url, rows }: MoveOptions, client: pg.Client) {
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

  readonly child
  readonly ended
  readonly looked

  constructor({ url }: MoveOptions, cwd: string) {
    const target = url.replace(/\/[^/?]*\?/, `/${TARGET}?`)
    const args = [KIT, "db", "move", target, "--json", "--allow-others"]
    this.child = spawn(process.execPath, args, { cwd, env: { ...process.env, DATABASE_URL: url } })
    this.child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#output += text
    })
    this.child.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.#report += text
    })
    this.ended = once(this.child, "close").then(() => {
      this.#isOver = true
    })
    this.looked = this.#look()
  }

  /** Kills the run at this percentage, and returns the actual one. */
  async killAt(percent: number) {
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
    const posts = tables.find(({ table }: { table: string }) => table === "public.posts")
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
