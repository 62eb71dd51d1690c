// @module-tag not-about-shortcuts
// @module-tag not-about-connections

import { once } from "node:events"
import { expect, test, vi } from "vitest"
import { listJobs } from "../../packages/kit/src/features/jobs/job-admin.ts"
import type { JobRun } from "../../packages/kit/src/features/jobs/running-job.ts"
import type { Connection } from "../../packages/kit/src/ports/database.ts"
import { job } from "../../packages/kit/src/schema/builders/job.ts"
import { startDatabaseProxy } from "../support/processes/database-proxy.ts"
import { type JobWorld, jobWorld, schemaOf } from "../support/worlds/job-world.ts"

const WAIT = { timeout: 60_000, interval: 2 }
const options = { retryLimit: 3, retryDelay: 0 }
const pay = job({ name: "pay", schema: schemaOf(), options, handler: () => {} })

async function worldWithPayments(): Promise<JobWorld> {
  const world = await jobWorld()
  await world.database.query("create table payments (job uuid, attempt integer)")
  return world
}

function insertPayment(connection: Connection, { id, attempt }: JobRun) {
  return connection.query({ text: "insert into payments values ($1, $2)", values: [id, attempt] })
}

/** Waits until a run has come this far. */
function milestone() {
  let reach = () => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  return { reached, reach: () => reach() }
}

const payments = (world: JobWorld) => world.database.query("select * from payments order by attempt")
const isEmpty = (world: JobWorld) =>
  vi.waitFor(async () => expect(await world.database.query(`select id from "_kit_jobs"`)).toEqual([]), WAIT)

test("the work of a job and its end commit together, jobs that it publishes included", async () => {
  await using world = await worldWithPayments()
  const instance = world.instance()
  const seen: unknown[] = []
  await instance.work([pay], {
    run: (run) =>
      run.transaction(async (transaction) => {
        await insertPayment(transaction, run)
        seen.push(run.payload)
        if (run.payload === "first") await instance.publish(pay, "second", { on: transaction })
        if (run.payload === "first" && run.attempt === 1) throw new Error("Rolled back.")
      }),
  })

  await instance.publish(pay, "first")
  await vi.waitFor(() => expect(seen).toEqual(["first", "first", "second"]), WAIT)
  await isEmpty(world)

  expect(await payments(world)).toMatchObject([{ attempt: 1 }, { attempt: 2 }])
})

test("a run whose job another worker has taken over is rolled back", async () => {
  await using world = await worldWithPayments()
  const begun = milestone()
  const takenOver = milestone()
  const outcomes: unknown[] = []
  await using proxy = await startDatabaseProxy(world.database)
  const slow = world.instance({ bookkeepingUrl: proxy.url })
  await slow.work([pay], {
    run: (run) =>
      run
        .transaction(async (transaction) => {
          await insertPayment(transaction, run)
          begun.reach()
          await takenOver.reached
        })
        .catch((error) => {
          outcomes.push(error.message)
          throw error
        }),
  })
  await slow.publish(pay, {})
  await begun.reached
  await proxy.cut()
  await world.database.query(`update "_kit_jobs" set lease_until = now() - interval '1 second'`)

  const other = world.instance()
  await other.work([pay], { run: (run) => run.transaction((transaction) => insertPayment(transaction, run)) })
  await isEmpty(world)
  takenOver.reach()
  await vi.waitFor(() => expect(outcomes).toHaveLength(1), WAIT)

  expect(outcomes[0]).toMatch(/Another worker has taken over/)
  expect(await payments(world)).toMatchObject([{ attempt: 2 }])
})

test("after its transaction a job is done, whatever its handler does then", async () => {
  await using world = await worldWithPayments()
  const instance = world.instance()
  const refusals: string[] = []
  await instance.work([pay], {
    run: async (run) => {
      await run.transaction((transaction) => insertPayment(transaction, run))
      const second = run.transaction((transaction) => insertPayment(transaction, run))
      await second.catch((error) => refusals.push(error.message))
      throw new Error("Too late.")
    },
  })

  await instance.publish(pay, {})
  await vi.waitFor(() => expect(world.logged).toHaveLength(1), WAIT)

  expect(world.logged[0]).toMatchObject({ message: "A job threw after its transaction had committed." })
  expect(refusals).toEqual([expect.stringMatching(/opened a second transaction/)])
  expect(await payments(world)).toHaveLength(1)
  await isEmpty(world)
})

test("a transaction that the handler forgot to await still commits with the end of the job", async () => {
  await using world = await worldWithPayments()
  const instance = world.instance()
  await instance.work([pay], {
    run: (run) => {
      void run.transaction((transaction) => insertPayment(transaction, run))
      return Promise.resolve()
    },
  })

  await instance.publish(pay, {})
  await isEmpty(world)

  expect(await payments(world)).toMatchObject([{ attempt: 1 }])
})

test("a handler that hangs in its transaction is cut off by the timeout, rolled back and tried again", async () => {
  await using world = await worldWithPayments()
  // On a machine that stalls, other attempts may be cut off as well, before and after it, so there are many.
  const many = { ...options, retryLimit: 1_000, timeout: 0.1 }
  const hasty = job({ name: "hasty", schema: schemaOf(), options: many, handler: () => {} })
  const instance = world.instance({ maxConnections: 1 })
  const aborted: unknown[] = []
  let hung = 0
  await instance.work([hasty], {
    run: (run) =>
      run.transaction(async (transaction) => {
        await insertPayment(transaction, run)
        hung ||= run.attempt
        if (hung !== run.attempt) return
        if (!run.signal.aborted) await once(run.signal, "abort")
        aborted.push(run.signal.reason.message)
        await new Promise(() => {})
      }),
  })

  await instance.publish(hasty, {})
  await isEmpty(world)

  expect(aborted).toEqual(["The job took longer than its timeout of 0.1 s."])
  const stored = await payments(world)
  expect(stored).toHaveLength(1)
  expect(stored[0]?.["attempt"]).toBeGreaterThan(hung)
})

test("what a handler does after its timeout does not end the job", async () => {
  await using world = await worldWithPayments()
  const hasty = job({ name: "hasty", schema: schemaOf(), options: { retryLimit: 0, timeout: 0.05 }, handler: () => {} })
  const instance = world.instance()
  const failed = milestone()
  const late = milestone()
  const refusals: string[] = []
  await instance.work([hasty], {
    run: async (run) => {
      await failed.reached
      await run
        .transaction((transaction) => insertPayment(transaction, run))
        .catch((error) => refusals.push(error.message))
      late.reach()
    },
  })

  await instance.publish(hasty, {})
  const isFailed = async () => expect(await listJobs(instance.database, { state: "failed" })).toHaveLength(1)
  await vi.waitFor(isFailed, WAIT)
  failed.reach()
  await late.reached

  expect(refusals).toEqual(["The job took longer than its timeout of 0.05 s."])
  expect(await payments(world)).toEqual([])
  expect(await listJobs(instance.database)).toMatchObject([
    { state: "failed", attempts: 1, error: expect.stringContaining("took longer than its timeout of 0.05 s") },
  ])
})
