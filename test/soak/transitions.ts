import { spawn } from "node:child_process"
import { once } from "node:events"
import { setTimeout as wait } from "node:timers/promises"
import pg from "pg"
import { openPostgresBus } from "../../packages/kit/src/drivers/postgres/bus.ts"
import { JobQueue } from "../../packages/kit/src/features/jobs/job-queue.ts"
import { argumentsOf } from "../support/processes/typescript-program.ts"

interface MovesOptions {
  /** An empty database. */
  readonly url: string
  /** How many are due in one second. */
  readonly transitions: number
  /** How long before that second the instances, which are up, learn of it. */
  readonly leadMs: number
}

const INSTANCE = new URL("transitions/instance.ts", import.meta.url)
// Long enough for any machine to schedule all transitions before the first is due.
const AHEAD_MS = 3_600_000
const LOOK_EVERY_MS = 10
const GIVE_UP_MS = 120_000

/**
 * A pending transition runs exactly once, never early and within seconds, no matter which process dies. All transitions
 * are scheduled, then every process is killed. Two new instances start shortly before the time, and one of them is
 * killed at that second, while it runs transitions.
 */
export async function soakTransitions({ url, transitions, leadMs }: MovesOptions) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const instances: Instance[] = []
  const start = async (...args: string[]) => {
    const instance = new Instance(url, args)
    instances.push(instance)
    await instance.ready()
    return instance
  }
  try {
    const startedAt = Date.now()
    const scheduler = await start(String(transitions), String(startedAt + AHEAD_MS))
    const scheduledInMs = Date.now() - startedAt
    await scheduler.kill()
    await watch(client)
    const [victim] = await Promise.all([start(), start()])
    await passTime(client, startedAt + AHEAD_MS - (Date.now() + leadMs))
    await lookAgain(url)
    const interrupted = await strike(client, victim)
    await untilNoneIsLeft(client)
    return { transitions, scheduledInMs, interrupted, ...(await evaluate(client)) }
  } finally {
    for (const instance of instances) await instance.kill()
    await client.end()
  }
}

class Instance {
  readonly child

  constructor(url: string, args: readonly string[]) {
    this.child = spawn(process.execPath, argumentsOf(INSTANCE, url, ...args), { stdio: ["ignore", "pipe", "inherit"] })
  }

  ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.child.stdout.setEncoding("utf8").on("data", (text: string) => {
        if (text.includes("ready")) resolve()
      })
      this.child.once("exit", (code) => reject(new Error(`An instance ended with ${code} before it was ready.`)))
    })
  }

  async kill() {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    this.child.kill("SIGKILL")
    await once(this.child, "exit")
  }
}

/** Every committed copy that is created or replaced leaves a row. */
async function watch(client: pg.Client) {
  await client.query("create table effects (record text, at timestamptz default clock_timestamp())")
  await client.query(
    `create function watch() returns trigger language plpgsql
     as 'begin insert into effects (record) values (new.id); return null; end'`,
  )
  await client.query(
    `create trigger watch after insert or update on "posts.stage.published" for each row execute function watch()`,
  )
}

/** Brings the time of each transition nearer, as if all processes had been down for that long. */
async function passTime(client: pg.Client, ms: number) {
  const passed = `run_at - interval '${ms} milliseconds'`
  await client.query(`update "_kit_jobs" set run_at = ${passed} where name = 'kit.transition'`)
  await client.query(
    `create table due as select payload->>'id' as record, run_at from "_kit_jobs" where name = 'kit.transition'`,
  )
}

/** Notifies the workers, because they planned for the original time. */
async function lookAgain(url: string) {
  const bus = openPostgresBus({ url })
  const queue = new JobQueue({ bus, now: () => new Date(), dueNow: () => null })
  // The callback runs once the bus is connected; a notification before that would not be sent.
  await new Promise((resolve) => queue.subscribe(resolve))
  queue.notify({ kind: "later" })
  await bus.close()
}

/** Kills the instance in the middle of its transitions, and returns how many it was running. */
async function strike(client: pg.Client, victim: Instance) {
  // The lock keeps every transition from completing until the instance is killed.
  await client.query("begin; lock table effects in access exclusive mode")
  const giveUpAt = performance.now() + GIVE_UP_MS
  const countHeld = () =>
    count(client, `select count(*) from "_kit_jobs" where state = 'running' and worker like '%:${victim.child.pid}'`)
  while ((await countHeld()) === 0) {
    if (performance.now() > giveUpAt) throw new Error("The instance that is to be killed takes no transitions.")
    await wait(LOOK_EVERY_MS)
  }
  await victim.kill()
  const held = await countHeld()
  await client.query("commit")
  return held
}

async function untilNoneIsLeft(client: pg.Client) {
  const giveUpAt = performance.now() + GIVE_UP_MS
  const countLeft = () =>
    count(client, `select count(*) from "_kit_jobs" where name = 'kit.transition' and state <> 'failed'`)
  while ((await countLeft()) > 0) {
    if (performance.now() > giveUpAt) throw new Error(`${await countLeft()} transitions are left.`)
    await wait(LOOK_EVERY_MS)
  }
}

/** Checks the tables, read directly with SQL. */
async function evaluate(client: pg.Client) {
  const late = "extract(epoch from at - run_at) * 1000"
  const { rows } = await client.query(
    `select max(${late})::integer as most, percentile_cont(0.5) within group (order by ${late})::integer as median
     from effects join due using (record)`,
  )
  return {
    missed: await count(client, "select count(*) from due where record not in (select record from effects)"),
    doubles: await count(client, "select count(*) - count(distinct record) as count from effects"),
    versions: await count(client, `select count(*) from "_kit_versions" where operation = 'transition'`),
    early: await count(client, "select count(*) from effects join due using (record) where at < run_at"),
    latestMs: rows[0].most,
    medianMs: rows[0].median,
  }
}

async function count(client: pg.Client, text: string) {
  return Number((await client.query(text)).rows[0].count)
}
