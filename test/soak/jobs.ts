import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { setTimeout as wait } from "node:timers/promises"
import pg from "pg"
import { openPostgres } from "../../packages/kit/src/drivers/postgres/open-postgres.ts"
import { syncSchema } from "../../packages/kit/src/engine/migrate/sync-schema.ts"
import { compileSchema } from "../../packages/kit/src/schema/compile/compile.ts"
import { present } from "../support/present.ts"
import { argumentsOf } from "../support/processes/typescript-program.ts"

interface JobsOptions {
  /** An empty database. */
  readonly url: string
  /** How many numbers are published. */
  readonly jobs: number
  /** How often an instance is killed, or asked to stop. */
  readonly strikeEveryMs: number
  /** How often in all. */
  readonly strikes: number
  /** After this the jobs of an instance that is silent are taken over. */
  readonly leaseMs: number
  /** Seeded: a whole number from 0 up to the bound. */
  readonly below: (bound: number) => number
}

const INSTANCE = new URL("jobs/instance.ts", import.meta.url)
// Two instances are struck. A third is frozen for longer than a lease, in the middle of its jobs, and then continues.
const STRUCK = 2
const FROZEN = 2
const FREEZE_LONGER_MS = 2_000
const LOOK_EVERY_MS = 100
const GIVE_UP_MS = 600_000

/**
 * A job of a committed transaction takes effect exactly once, and a job of a rolled back transaction never, no matter
 * which process dies. Instances publish and run jobs; each strike kills one of them or, every third time, stops it, and
 * replaces it. Another instance is frozen until others have taken over its jobs, and must not complete them afterwards.
 */
export async function soakJobs(options: JobsOptions) {
  const client = new pg.Client({ connectionString: options.url })
  await client.connect()
  const fleet = new Fleet(options, client)
  try {
    await prepare(options.url, client)
    // The lock keeps every job from completing until the first instances are struck in the middle of their jobs.
    await client.query("begin; lock table effects in access exclusive mode")
    for (let place = 0; place <= FROZEN; place++) await fleet.start(place)
    await fleet.untilAllHaveJobs()
    await fleet.freeze(FROZEN)
    await fleet.strike(1)
    await client.query("commit")
    await Promise.all([fleet.strikeOn(), fleet.thaw(FROZEN)])
    await untilDone(client, fleet)
    return { ...(await evaluate(client)), ...fleet.figures() }
  } finally {
    await fleet.stopAll()
    await client.end()
  }
}

async function prepare(url: string, client: pg.Client) {
  const compiled = compileSchema([])
  if (!("schema" in compiled)) throw new Error("An empty schema compiles.")
  const database = openPostgres({ url, maxConnections: 1 })
  await syncSchema(database, compiled.schema)
  await database.close()
  await client.query("create sequence numbers")
  await client.query("create table published (number integer primary key)")
  await client.query(
    "create table effects (number integer, attempt integer, worker text, at timestamptz default clock_timestamp())",
  )
  await client.query("create table interrupted (number integer, at timestamptz default clock_timestamp())")
}

/** The instances, which are struck one after the other. */
type Instance = ChildProcess & { readonly instanceName: string }

class Fleet {
  #children: Instance[] = []
  #started = 0
  #killed = 0
  #stopped = 0
  #slowestStopMs = 0
  #leftByStopped = 0
  #frozen = 0
  /** Instances that have nothing more to publish. */
  #donePublishing: Set<ChildProcess> = new Set()

  readonly options: JobsOptions
  readonly client: pg.Client

  constructor(options: JobsOptions, client: pg.Client) {
    this.options = options
    this.client = client
  }

  async start(place: number) {
    this.#started += 1
    const name = `instance-${this.#started}`
    const { url, jobs, leaseMs } = this.options
    const args = argumentsOf(INSTANCE, url, name, String(jobs), String(leaseMs))
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
    this.#children[place] = Object.assign(child, { instanceName: name })
    await new Promise((resolve, reject) => {
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        if (text.includes("started")) resolve(undefined)
        if (text.includes("published")) this.#donePublishing.add(child)
      })
      child.once("exit", (code) => reject(new Error(`${name} ended with ${code} before it had started.`)))
    })
  }

  async untilAllHaveJobs() {
    for (const place of this.#children.keys()) {
      while ((await this.#countRunning(this.#child(place).instanceName)) === 0) await wait(LOOK_EVERY_MS)
    }
  }

  /** Kills an instance, or asks it to stop. The first strike is number 1. */
  async strike(strike: number) {
    const place = this.options.below(STRUCK)
    if (strike % 3 === 0) await this.#askToStop(place)
    else await this.#kill(place)
    await this.start(place)
  }

  /** Runs all strikes after the first. */
  async strikeOn() {
    const { strikes, strikeEveryMs, below } = this.options
    for (let strike = 2; strike <= strikes; strike++) {
      await wait(strikeEveryMs / 2 + below(strikeEveryMs))
      await this.strike(strike)
    }
  }

  /** Freezes an instance, and counts the jobs that it is running. */
  async freeze(place: number) {
    const child = this.#child(place)
    child.kill("SIGSTOP")
    this.#frozen = await this.#countRunning(child.instanceName)
  }

  async thaw(place: number) {
    await wait(this.options.leaseMs + FREEZE_LONGER_MS)
    this.#child(place).kill("SIGCONT")
  }

  get hasPublished() {
    return this.#children.every((child) => this.#donePublishing.has(child))
  }

  /** True if an instance died that was not struck. */
  get hasLostOne() {
    return this.#children.some(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null)
  }

  figures() {
    const stops = { stopped: this.#stopped, slowestStopMs: Math.round(this.#slowestStopMs) }
    return { killed: this.#killed, ...stops, leftByStopped: this.#leftByStopped, frozen: this.#frozen }
  }

  async stopAll() {
    for (const child of this.#children) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      child.kill("SIGKILL")
      await once(child, "exit")
    }
  }

  async #kill(place: number) {
    const child = this.#child(place)
    child.kill("SIGKILL")
    await once(child, "exit")
    this.#killed += 1
    await this.client.query(
      `insert into interrupted select (payload->>'number')::integer from "_kit_jobs"
       where state = 'running' and worker = $1`,
      [child.instanceName],
    )
  }

  async #askToStop(place: number) {
    const child = this.#child(place)
    const askedAt = performance.now()
    child.kill("SIGTERM")
    await once(child, "exit")
    this.#stopped += 1
    this.#slowestStopMs = Math.max(this.#slowestStopMs, performance.now() - askedAt)
    this.#leftByStopped += await this.#countRunning(child.instanceName)
  }

  async #countRunning(worker: string): Promise<number> {
    const text = `select count(*)::integer as count from "_kit_jobs" where state = 'running' and worker = $1`
    return (await this.client.query(text, [worker])).rows[0].count
  }

  #child(place: number) {
    return present(this.#children[place])
  }
}

async function untilDone(client: pg.Client, fleet: Fleet) {
  const giveUpAt = performance.now() + GIVE_UP_MS
  for (;;) {
    const { rows } = await client.query(`select count(*)::integer as count from "_kit_jobs" where state <> 'failed'`)
    if (fleet.hasPublished && rows[0].count === 0) return
    if (fleet.hasLostOne) throw new Error("An instance has ended by itself; it says why above.")
    if (performance.now() > giveUpAt) throw new Error(`${rows[0].count} jobs are left after ${GIVE_UP_MS / 1000} s.`)
    await wait(LOOK_EVERY_MS)
  }
}

/** Checks the tables, read directly with SQL. */
async function evaluate(client: pg.Client) {
  const count = async (text: string) => Number((await client.query(text)).rows[0].count)
  return {
    published: await count("select count(*) from published"),
    lost: await count("select count(*) from published where number not in (select number from effects)"),
    doubles: await count("select count(*) from (select number from effects group by number having count(*) > 1) twice"),
    invented: await count("select count(*) from effects where number not in (select number from published)"),
    failed: await count(`select count(*) from "_kit_jobs" where state = 'failed'`),
    interrupted: await count("select count(*) from interrupted"),
    slowestRerunMs: Math.round(
      await count(
        `select coalesce(max(extract(epoch from effects.at - interrupted.at)) * 1000, 0) as count
         from interrupted join effects using (number)`,
      ),
    ),
  }
}
