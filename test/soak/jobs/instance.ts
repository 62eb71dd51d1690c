// One instance of the experiment in jobs.ts: it publishes numbers in transactions and runs their jobs.

import { setTimeout as wait } from "node:timers/promises"
import { openPostgresBus } from "../../../packages/kit/src/drivers/postgres/bus.ts"
import { openPostgres } from "../../../packages/kit/src/drivers/postgres/open-postgres.ts"
import { JobQueue } from "../../../packages/kit/src/features/jobs/job-queue.ts"
import { JobWorker } from "../../../packages/kit/src/features/jobs/job-worker.ts"
import type { JobRun } from "../../../packages/kit/src/features/jobs/running-job.ts"
import { job } from "../../../packages/kit/src/schema/builders/job.ts"

const [, , url = "", name = "", last = "0", lease = "0"] = process.argv
const PUBLISHERS = 4
const MAX_WORK_MS = 20
// A kill counts as an attempt, so there must be more attempts than kills.
const RETRY_LIMIT = 500

const anything = {
  "~standard": { version: 1, vendor: "soak", validate: (value: unknown) => ({ value }) },
} as const
const { definition } = job({
  name: "effect",
  schema: anything,
  options: { retryLimit: RETRY_LIMIT, retryDelay: 0 },
  handler: () => {},
})
const effect = { ...definition, leaseMs: Number(lease) }

class RolledBack extends Error {}

const now = () => new Date()
const dueNow = () => null
const logger = { info: () => {}, warn: () => {}, error: console.error }
const database = openPostgres({ url })
const bookkeeping = openPostgres({ url, maxConnections: 2 })
const bus = openPostgresBus({ url })
const queue = new JobQueue({ bus, now, dueNow })
const worker = new JobWorker({
  database,
  bookkeeping,
  queue,
  logger,
  name,
  dueNow,
  jobs: [effect],
  concurrency: 10,
  mayWork: () => true,
  run,
})
let isStopping = false

process.once("SIGTERM", () => void stop())
await worker.start()
console.log("started")
await Promise.all(Array.from({ length: PUBLISHERS }, publishNumbers))
if (!isStopping) console.log("published")

function run(run: JobRun) {
  return run.transaction(async (transaction) => {
    // Every payload was published below.
    const { number } = run.payload as { number: number }
    const values = [number, run.attempt, name]
    await transaction.query({ text: "insert into effects (number, attempt, worker) values ($1, $2, $3)", values })
    await wait(Math.random() * MAX_WORK_MS)
  })
}

async function publishNumbers() {
  for (;;) {
    const number = await nextNumber().catch(ignoreUnpublished)
    if (number > Number(last) || isStopping) return
    if (number > 0) await publish(number).catch(ignoreUnpublished)
  }
}

async function nextNumber() {
  const { rows } = await database.query({ text: "select nextval('numbers')::integer", values: [] })
  return Number(rows[0]?.[0])
}

/** Every tenth transaction is rolled back, and its job must never run. */
function publish(number: number) {
  return database.transaction(async (transaction) => {
    await transaction.query({ text: "insert into published (number) values ($1)", values: [number] })
    await queue.publish(transaction, { job: effect, payload: { number } })
    if (number % 10 === 0) throw new RolledBack()
  })
}

/** An instance that was frozen may time out waiting for a connection, or for a new one to open. */
function ignoreUnpublished(error: unknown) {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  const hadNone = code === "POOL_BUSY" || code === "08001"
  if (!hadNone && !(error instanceof RolledBack)) throw error
  return 0
}

async function stop() {
  isStopping = true
  await worker.stop()
  await bus.close()
  await Promise.all([database.close(), bookkeeping.close()])
}
