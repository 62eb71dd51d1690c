// @module-tag experiment
// @module-tag full-count

import { expect, onTestFinished, test, vi } from "vitest"
import { freePort } from "../support/processes/free-port.ts"
import { type AppFolder, appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts"

// Not a multiple of the minute of the cron pattern, so that its ticks differ, too.
const AHEAD_MS = 75_000
const DELAY_S = 4
const RETRY_DELAY_S = 2
// The planned time is sent in whole milliseconds.
const ROUNDING_MS = 1
const MAX_LATE_MS = 5_000
const PATIENCE_MS = 300_000
const WAIT = { timeout: 120_000, interval: 50 }

const FIRED = `sql\`insert into fired (key) values (\${key})\`.execute(db)`
const ANYTHING = `const schema = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } }`

const FILES = {
  "ahead.mjs": `
    const Right = Date
    globalThis.Date = class Date extends Right {
      constructor(...given) {
        if (given.length === 0) super(Date.now())
        else super(...given)
      }
      static now() {
        return Right.now() + ${AHEAD_MS}
      }
    }`,
  "kit.config.ts": `
    const session = { user: { id: "eva" } }
    export default { sessions: { read: () => session, load: async () => session } }`,
  "src/collections/posts.ts": `
    import { collection } from "kit"
    import { sql } from "kit/db"
    export default collection("posts")
      .fields(({ f }) => ({ key: f.text() }))
      .options({ workflow: true })
      .access({ read: true, drafts: true, create: true, update: true, transition: true })
      .hooks({ afterTransition: ({ original: { key }, db }) => ${FIRED} })`,
  "src/jobs/once.ts": `
    import { job } from "kit"
    import { sql } from "kit/db"
    ${ANYTHING}
    export default job({ name: "once", schema, handler: ({ payload: { key }, db }) => ${FIRED} })`,
  "src/jobs/twice.ts": `
    import { job } from "kit"
    import { sql } from "kit/db"
    ${ANYTHING}
    export default job({
      name: "twice",
      schema,
      options: { retryLimit: 1, retryDelay: ${RETRY_DELAY_S} },
      handler: async ({ payload, attempt, db }) => {
        const key = payload.key + ", attempt " + attempt
        await ${FIRED}
        if (attempt === 1) throw new Error("Again.")
      },
    })`,
  "src/jobs/tick.ts": `
    import { job } from "kit"
    import { sql } from "kit/db"
    ${ANYTHING}
    const key = "tick"
    export default job({ name: "tick", schema, options: { cron: "* * * * *" }, handler: ({ db }) => ${FIRED} })`,
  "src/routes/plan.ts": `
    import { route } from "kit"
    ${ANYTHING}
    export default route().schema(schema).access(true).handler(async ({ input: { by, at }, queue }) => {
      await queue.once.publish({ key: by + " after seconds" }, { startAfter: ${DELAY_S} })
      await queue.once.publish({ key: by + " at a time" }, { startAfter: new Date(at) })
      await queue.twice.publish({ key: by })
      return {}
    })`,
}

test(
  "beside a process whose clock is ahead, nothing fires before its time by the database's clock, and nothing late",
  async () => {
    const database = await createTestDatabase()
    const folder = await appFolder(FILES)
    onTestFinished(async () => {
      await folder[Symbol.asyncDispose]()
      await database.drop()
    })
    await database.query("create table fired (key text not null, at timestamptz not null default clock_timestamp())")
    const servers = {
      right: await startServer(folder, database, {}),
      ahead: await startServer(folder, database, { NODE_OPTIONS: `--import=${folder.path}/ahead.mjs` }),
    }

    const plannedAt = await databaseTime(database)
    const at = new Date(plannedAt + DELAY_S * 1000).toISOString()
    for (const [by, url] of Object.entries(servers)) {
      await post(`${url}/plan`, { by, at })
      const { id } = await post(`${url}/posts`, { key: `${by} transition` })
      await post(`${url}/posts/${id}/transition`, { stage: "published", scheduledAt: at })
    }
    const plannedUntil = await databaseTime(database)
    await vi.waitFor(async () => expect(new Set((await readFired(database)).keys())).toEqual(KEYS), WAIT)

    const fired = await readFired(database)
    const delays = [...KEYS].map((key) => ({ key, ...lateness({ key, fired, plannedAt, plannedUntil }) }))
    console.log(JSON.stringify(delays))
    expect(delays.filter(({ earlyMs }) => earlyMs > 0)).toEqual([])
    expect(delays.filter(({ lateMs }) => lateMs > MAX_LATE_MS)).toEqual([])
  },
  PATIENCE_MS,
)

const KEYS = new Set([
  "tick",
  ...["right", "ahead"].flatMap((by) => [
    `${by} after seconds`,
    `${by} at a time`,
    `${by} transition`,
    `${by}, attempt 1`,
    `${by}, attempt 2`,
  ]),
])

async function startServer(folder: AppFolder, database: TestDatabase, env: Record<string, string>): Promise<string> {
  const port = await freePort()
  const secret = "a secret for tests only, of 32 characters"
  const server = new KitProcess(["start", "--port", String(port)], {
    cwd: folder.path,
    env: { ...env, DATABASE_URL: database.url, KIT_SECRET: secret },
  })
  onTestFinished(() => server.kill())
  await server.printed(/ready in/)
  return `http://127.0.0.1:${port}/api`
}

async function post(url: string, body: object): Promise<any> {
  const headers = { "content-type": "application/json" }
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
  expect(answer.ok, `${url}: ${answer.status} ${await answer.clone().text()}`).toBe(true)
  return await answer.json()
}

/** Returns the time of the database's clock, in milliseconds. */
async function databaseTime(database: TestDatabase): Promise<number> {
  const [row] = await database.query("select extract(epoch from clock_timestamp()) * 1000 as ms")
  return Number(row?.["ms"])
}

/** Returns the time at which each key was fired first, in milliseconds of the database's clock. */
async function readFired(database: TestDatabase): Promise<Map<string, number>> {
  const rows = await database.query("select key, extract(epoch from min(at)) * 1000 as ms from fired group by key")
  return new Map(rows.map(({ key, ms }) => [String(key), Number(ms)]))
}

interface Firing {
  readonly key: string
  readonly fired: ReadonlyMap<string, number>
  /** Everything was planned between these two times. */
  readonly plannedAt: number
  readonly plannedUntil: number
}

/** Returns how long before its earliest, and how long after its latest due time a key was fired. */
function lateness({ key, fired, plannedAt, plannedUntil }: Firing): { earlyMs: number; lateMs: number } {
  const timeOf = (name: string) => fired.get(name) ?? Number.NaN
  const between = (from: number, to: number) => ({ earlyMs: from - timeOf(key), lateMs: timeOf(key) - to })
  const delayMs = DELAY_S * 1000
  if (key === "tick") {
    const pastMinuteMs = timeOf(key) % 60_000
    return { earlyMs: 0, lateMs: pastMinuteMs }
  }
  if (key.endsWith("attempt 1")) return between(plannedAt, plannedUntil)
  if (key.endsWith("attempt 2")) {
    const dueAt = timeOf(key.replace("2", "1")) + RETRY_DELAY_S * 1000
    return between(dueAt, dueAt)
  }
  const latest = key.endsWith("seconds") ? plannedUntil : plannedAt
  return between(plannedAt + delayMs - ROUNDING_MS, latest + delayMs)
}
