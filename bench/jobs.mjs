// Measures how soon a published job starts, and how many jobs run per second, each with one committed write.
//   npm run build && node bench/jobs.mjs
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { startEmbeddedPostgres } from "../packages/kit/dist/drivers/embedded-postgres/start.js"
import { openPostgresBus } from "../packages/kit/dist/drivers/postgres/bus.js"
import { openPostgres } from "../packages/kit/dist/drivers/postgres/open-postgres.js"
import { syncSchema } from "../packages/kit/dist/engine/migrate/sync-schema.js"
import { JobQueue } from "../packages/kit/dist/features/jobs/job-queue.js"
import { claimJobs } from "../packages/kit/dist/features/jobs/job-rows.js"
import { JobWorker } from "../packages/kit/dist/features/jobs/job-worker.js"
import { job } from "../packages/kit/dist/schema/builders/job.js"
import { compileSchema } from "../packages/kit/dist/schema/compile/compile.js"
import { Cleanup } from "./harness/cleanup.mjs"
import { showStep } from "./harness/progress.mjs"
import { median, quantile } from "./harness/statistics.mjs"
import { makeTemporaryFolder } from "./harness/temporary-folder.mjs"

// Our limits, on a machine with two cores.
const BARS = { startP50Ms: 10, startP99Ms: 50, jobsPerSecond: 1_500 }
// More jobs than the pool has connections: no connection is idle while a job is being claimed.
const CONCURRENCY = 20
const CONNECTIONS = 10
const STARTS = 500
const WARM_UP = 50
const JOBS = 10_000
const WAITING = 1_000_000
const CLAIMS = 200
const LEASE_MS = 30_000

const anything = {
  "~standard": { version: 1, vendor: "bench", validate: (/** @type {unknown} */ value) => ({ value }) },
}
const task = job({ name: "task", schema: /** @type {any} */ (anything), handler: () => {} }).definition
const now = () => new Date()
const logger = { info: () => {}, warn: console.error, error: console.error }
const cleanup = new Cleanup()

try {
  const embedded = await startEmbeddedPostgres({ directory: join(await makeTemporaryFolder(cleanup), "db") })
  cleanup.add(() => embedded.release())
  const instance = openInstance(embedded.url)
  await prepare(instance.database)
  await report("in the same process", await measureStarts({ publisher: instance, worker: instance }))
  await report("in another instance", await measureStarts({ publisher: instance, worker: openInstance(embedded.url) }))
  await reportSpeed(instance)
  await reportClaims(instance)
} finally {
  await cleanup.run()
}

/** @typedef {ReturnType<typeof openInstance>} Instance */

/** Opens the same as an app: a pool, two connections for the worker, and one for messages. @param {string} url */
function openInstance(url) {
  const database = openPostgres({ url, maxConnections: CONNECTIONS })
  const bookkeeping = openPostgres({ url, maxConnections: 2 })
  const bus = openPostgresBus({ url })
  cleanup.add(() => Promise.all([bus.close(), database.close(), bookkeeping.close()]))
  return { database, bookkeeping, queue: new JobQueue({ bus, now, dueNow: now }) }
}

/** @param {import("../packages/kit/dist/ports/database.js").Database} database */
async function prepare(database) {
  const compiled = compileSchema([])
  if (!("schema" in compiled)) throw new Error("An empty schema compiles.")
  await syncSchema(database, compiled.schema)
  await database.query({ text: "create table effects (number integer)", values: [] })
}

/** @param {Instance} instance @param {(run: import("../packages/kit/dist/features/jobs/running-job.js").JobRun) => Promise<unknown>} run */
async function startWorker(instance, run) {
  const worker = new JobWorker({
    ...instance,
    logger,
    dueNow: now,
    mayWork: () => true,
    run,
    jobs: [task],
    concurrency: CONCURRENCY,
    name: "bench",
  })
  await worker.start()
  return worker
}

/**
 * Measures from the call of publish to the start of the handler, one job at a time.
 *
 * @param {{ publisher: Instance, worker: Instance }} sides
 */
async function measureStarts({ publisher, worker: side }) {
  let begin = (/** @type {number} */ _at) => {}
  const worker = await startWorker(side, async () => begin(performance.now()))
  const times = []
  for (let turn = 0; turn < WARM_UP + STARTS; turn += 1) {
    // The system is at rest: the last job is done, and no worker is polling at this moment.
    await wait(5 + Math.random() * 30)
    const begun = new Promise((resolve) => {
      begin = resolve
    })
    const publishedAt = performance.now()
    await publisher.queue.publish(publisher.database, { job: task, payload: { turn } })
    const startedAt = /** @type {number} */ (await begun)
    if (turn >= WARM_UP) times.push(startedAt - publishedAt)
  }
  await worker.stop()
  return times
}

/** @param {string} where @param {number[]} times */
function report(where, times) {
  const [p50, p99] = [median(times), quantile(times, 0.99)]
  const verdict = p50 <= BARS.startP50Ms && p99 <= BARS.startP99Ms ? "ok" : "TOO SLOW"
  console.log(`publish to start, ${where}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms  ${verdict}`)
}

/** @param {Instance} instance */
async function reportSpeed(instance) {
  showStep(`publishing ${JOBS} jobs`)
  await publishMany(instance, JOBS)
  let ended = 0
  let finish = () => {}
  const finished = new Promise((resolve) => {
    finish = () => resolve(undefined)
  })
  const startedAt = performance.now()
  const worker = await startWorker(instance, async (run) => {
    await run.transaction(async (transaction) => {
      await transaction.query({ text: "insert into effects (number) values ($1)", values: [run.attempt] })
    })
    ended += 1
    if (ended === JOBS) finish()
  })
  await finished
  const perSecond = (JOBS / (performance.now() - startedAt)) * 1000
  await worker.stop()
  const verdict = perSecond >= BARS.jobsPerSecond ? "ok" : "TOO SLOW"
  console.log(`jobs with one committed write each, one worker: ${Math.round(perSecond)} a second  ${verdict}`)
  console.log(`the same writes, each with a delete, and no queue: ${Math.round(await bareSpeed(instance))} a second`)
}

/**
 * Measures the limit of the machine: as many concurrent transactions as the pool has connections.
 *
 * @param {Instance} instance
 */
async function bareSpeed(instance) {
  const { database } = instance
  await publishMany(instance, JOBS)
  const ids = (await database.query({ text: `select id from "_kit_jobs"`, values: [] })).rows.map(([id]) => id)
  const startedAt = performance.now()
  const loop = async () => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) await writeAndDelete(database, id)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, loop))
  return (JOBS / (performance.now() - startedAt)) * 1000
}

/** @param {import("../packages/kit/dist/ports/database.js").Database} database @param {unknown} id */
function writeAndDelete(database, id) {
  return database.transaction(async (transaction) => {
    await transaction.query({ text: "insert into effects (number) values ($1)", values: [1] })
    await transaction.query({ text: `delete from "_kit_jobs" where id = $1`, values: [id] })
  })
}

/** @param {Instance} instance @param {number} count */
async function publishMany({ database }, count) {
  await database.query({
    text: `insert into "_kit_jobs" (id, name, state, payload, priority, run_at, max_attempts, created_at)
      select gen_random_uuid(), 'task', 'waiting', '{}', 0, now(), 4, now() from generate_series(1, $1)`,
    values: [count],
  })
}

/**
 * Measures a claim right after a million jobs were inserted, with query plans made for an empty table.
 *
 * @param {Instance} instance
 */
async function reportClaims(instance) {
  const small = await timeClaims(instance)
  showStep(`storing ${WAITING} waiting jobs`)
  for (let part = 0; part < 10; part += 1) await publishMany(instance, WAITING / 10)
  const large = await timeClaims(instance)
  console.log(`claim of 10 jobs: ${small.toFixed(2)} ms with none waiting, ${large.toFixed(2)} ms with ${WAITING}`)
}

/** @param {Instance} instance */
async function timeClaims({ bookkeeping }) {
  const times = []
  for (let turn = 0; turn < CLAIMS; turn += 1) {
    const capacities = [{ name: "task", free: 10, leaseMs: LEASE_MS }]
    const startedAt = performance.now()
    await claimJobs(bookkeeping, { capacities, limit: 10, lease: crypto.randomUUID(), worker: "bench", now: now() })
    times.push(performance.now() - startedAt)
  }
  return median(times)
}
