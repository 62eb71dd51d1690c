// @module-tag not-about-shortcuts
// @module-tag not-about-connections

import { describe, expect, test, vi } from "vitest"
import { cancelJob, getJob, listJobs, retryJobNow } from "../../packages/kit/src/features/jobs/job-admin.ts"
import type { JobNotification } from "../../packages/kit/src/features/jobs/job-queue.ts"
import { Job, job } from "../../packages/kit/src/schema/builders/job.ts"
import { type DatabaseProxy, startDatabaseProxy } from "../support/processes/database-proxy.ts"
import { type JobWorld, jobWorld, schemaOf } from "../support/worlds/job-world.ts"

// The tests wait for leases, each in its own database, so they run concurrently.
const WAIT = { timeout: 60_000, interval: 5 }
const never = new Promise<never>(() => {})

/** A worker takes the job and disappears; its lease expires. */
async function loseWorker(world: JobWorld, task: Job): Promise<void> {
  const proxy = await startDatabaseProxy(world.database)
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const run = () => {
    begin()
    return never
  }
  await world.instance({ url: proxy.url }).work([task], { run })
  await begun
  await proxy.cut()
  await world.database.query(`update "_kit_jobs" set lease_until = now() - interval '1 second' where state = 'running'`)
}

/** Collects the notifications about jobs that another process receives from now on. */
async function listenElsewhere(world: JobWorld): Promise<JobNotification[]> {
  const notices: JobNotification[] = []
  world.instance().queue.subscribe((notice) => void notices.push(notice))
  // The bus itself sends this once it listens.
  await vi.waitFor(() => expect(notices).toContainEqual({ kind: "due" }), WAIT)
  notices.length = 0
  return notices
}

const states = async (world: JobWorld) =>
  (await world.database.query(`select state, attempts from "_kit_jobs" order by id`)).map(
    ({ state, attempts }) => `${state} ${attempts}`,
  )

test.concurrent("a job of a worker that is silent for too long runs again elsewhere", async () => {
  await using world = await jobWorld()
  const attempts: number[] = []
  const task = job({ name: "task", schema: schemaOf(), handler: () => {} })
  await world.instance().publish(task, {})
  await loseWorker(world, task)

  await world.instance().work([task], { run: async ({ attempt }) => void attempts.push(attempt) })
  await vi.waitFor(() => expect(attempts).toEqual([2]), WAIT)

  await vi.waitFor(async () => expect(await states(world)).toEqual([]), WAIT)
})

test.concurrent("a job whose worker dies at every try ends as failed and is kept", async () => {
  await using world = await jobWorld()
  const poison = job({ name: "poison", schema: schemaOf(), options: { retryLimit: 1 }, handler: () => {} })
  const other = job({ name: "other", schema: schemaOf(), handler: () => {} })
  const instance = world.instance()
  await instance.publish(poison, {})

  await loseWorker(world, poison)
  await loseWorker(world, poison)
  await instance.work([other])
  await vi.waitFor(async () => expect(await states(world)).toEqual(["failed 2"]), WAIT)

  const [stored] = await listJobs(instance.database, { state: "failed" })
  expect(stored?.error).toBe("The worker test was lost while it ran this job.")
})

test.concurrent("a worker that stops lets its jobs end and takes no more", async () => {
  await using world = await jobWorld()
  const task = job({ name: "task", schema: schemaOf(), handler: () => {} })
  const instance = world.instance()
  let finish: (() => void) | undefined
  const worker = await instance.work([task], {
    concurrency: 1,
    run: () =>
      new Promise<void>((resolve) => {
        finish = resolve
      }),
  })
  await instance.publish(task, "first")
  await instance.publish(task, "second")
  await vi.waitFor(() => expect(finish).toBeDefined(), WAIT)

  const stopped = worker.stop()
  finish?.()
  await stopped

  expect(await listJobs(instance.database)).toMatchObject([{ payload: "second", state: "waiting", attempts: 0 }])
})

test.concurrent("what has not ended when a worker must stop is given to others at once, and the try does not count", async () => {
  await using world = await jobWorld()
  const task = job({ name: "task", schema: schemaOf(), options: { retryLimit: 0 }, handler: () => {} })
  const stopping = world.instance()
  const reasons: string[] = []
  let begun = 0
  const worker = await stopping.work([task], {
    run: ({ signal }) => {
      signal.addEventListener("abort", () => reasons.push(signal.reason.message))
      begun++
      return never
    },
  })
  const attempts: number[] = []
  await stopping.publish(task, {})
  await vi.waitFor(() => expect(begun).toBe(1), WAIT)
  await world.instance().work([task], { run: async ({ attempt }) => void attempts.push(attempt) })

  const notices = await listenElsewhere(world)
  await worker.stop(0)
  await vi.waitFor(() => expect(attempts).toEqual([1]), WAIT)

  expect(reasons).toEqual(["The worker stops."])
  await vi.waitFor(() => expect(notices).toContainEqual({ kind: "due" }), WAIT)
})

test.concurrent("handlers that hold every connection do not keep the worker from its leases", async () => {
  await using world = await jobWorld()
  const task = job({ name: "task", schema: schemaOf(), handler: () => {} })
  const instance = world.instance({ maxConnections: 1 })
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  await instance.work([task], {
    run: (run) =>
      run.transaction(async (transaction) => {
        await transaction.query({ text: "select 1", values: [] })
        await finished
      }),
  })
  await world.instance().publish(task, {})
  const leaseOf = async () => (await world.database.query(`select lease_until from "_kit_jobs"`))[0]?.["lease_until"]
  await vi.waitFor(async () => expect(await leaseOf()).toBeInstanceOf(Date), WAIT)
  const first = await leaseOf()

  await vi.waitFor(async () => expect(await leaseOf()).not.toEqual(first), WAIT)
  finish()

  await vi.waitFor(async () => expect(await states(world)).toEqual([]), WAIT)
})

test.concurrent("a worker that is late to extend its leases does not take its own jobs for lost ones", async () => {
  await using world = await jobWorld()
  const own = job({ name: "own", schema: schemaOf(), handler: () => {} })
  const lost = job({ name: "lost", schema: schemaOf(), handler: () => {} })
  const instance = world.instance()
  const attempts: number[] = []
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  await instance.publish(own, {})
  await instance.publish(lost, {})
  await instance.work([own], {
    run: ({ attempt }) => {
      attempts.push(attempt)
      return finished
    },
  })
  await vi.waitFor(() => expect(attempts).toEqual([1]), WAIT)

  await world.database.query(
    `update "_kit_jobs" set state = 'running', lease = coalesce(lease, gen_random_uuid()), lease_until = now() - interval '1 second'`,
  )
  // A worker that has looked for lost jobs has found the other one.
  await vi.waitFor(async () => expect(await states(world)).toEqual(["running 1", "waiting 0"]), WAIT)
  finish()

  await vi.waitFor(async () => expect(await states(world)).toEqual(["waiting 0"]), WAIT)
  expect(attempts).toEqual([1])
})

// If the machine stalls for as long as a short lease, another worker may find the lease expired.
const TRIES = { retry: 4 }

test.concurrent("a short lease is extended as long as its job runs", TRIES, async () => {
  await using world = await jobWorld()
  const { definition } = job({ name: "task", schema: schemaOf(), handler: () => {} })
  const task = new Job({ ...definition, leaseMs: 4_000 })
  const attempts: number[] = []
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const run = ({ attempt }: { attempt: number }) => {
    attempts.push(attempt)
    return finished
  }
  const leases = new Set<number>()
  const noteLease = async () => {
    const [row] = await world.database.query(`select lease_until from "_kit_jobs"`)
    if (row?.["lease_until"] instanceof Date) leases.add(row["lease_until"].getTime())
  }
  await world.instance().work([task], { run })
  await world.instance().work([task], { run })
  await world.instance().publish(task, {})

  await vi.waitFor(async () => {
    await noteLease()
    expect(leases.size).toBeGreaterThan(3)
  }, WAIT)
  const [first = 0, last = 0] = [Math.min(...leases), Math.max(...leases)]
  finish()

  expect(last - first).toBeGreaterThan(3_000)
  expect(last - first).toBeLessThan(14_000)
  expect(attempts).toEqual([1])
})

test.concurrent("an outage of the database costs no second run and loses no notice", async () => {
  await using world = await jobWorld()
  await using proxy = await startDatabaseProxy(world.database)
  const task = job({ name: "task", schema: schemaOf(), handler: () => {} })
  const seen: unknown[] = []
  let finish = () => {}
  await world.instance({ url: proxy.url }).work([task], {
    run: ({ payload, attempt }) => {
      seen.push([payload, attempt])
      return new Promise<void>((resolve) => {
        finish = resolve
      })
    },
  })
  const publisher = world.instance()
  await publisher.publish(task, "before")
  await vi.waitFor(() => expect(seen).toHaveLength(1), WAIT)

  await proxy.cut()
  finish()
  await publisher.publish(task, "during")
  await proxy.restore()
  await vi.waitFor(() => expect(seen).toHaveLength(2), WAIT)
  finish()

  await vi.waitFor(async () => expect(await states(world)).toEqual([]), WAIT)
  expect(seen).toEqual([
    ["before", 1],
    ["during", 1],
  ])
})

describe("a claim whose answer was lost", () => {
  const task = job({ name: "task", schema: schemaOf(), handler: () => {} })

  test.concurrent("gives its jobs back long before their lease ends", async () => {
    await using world = await jobWorld()
    await using proxy = await startDatabaseProxy(world.database)
    const seen: unknown[] = []
    await world.instance({ url: proxy.url, bookkeepingConnections: 5 }).work([task], {
      run: async ({ payload, attempt }) => void seen.push([payload, attempt]),
    })

    await loseClaim(world, { proxy, task })
    await proxy.restore()

    await vi.waitFor(() => expect(seen).toEqual([["taken", 1]]), WAIT)
  })

  test.concurrent("gives its jobs back when the worker stops before it has looked again", async () => {
    await using world = await jobWorld()
    await using proxy = await startDatabaseProxy(world.database)
    const instance = world.instance({ url: proxy.url, bookkeepingConnections: 5 })
    const worker = await instance.work([task], { run: () => never })

    await loseClaim(world, { proxy, task })
    await proxy.restore()
    await worker.stop(0)

    expect(await states(world)).toEqual(["waiting 0"])
  })
})

/** PostgreSQL executes a claim of the worker behind the proxy, but the worker gets no answer. */
async function loseClaim(world: JobWorld, { proxy, task }: { proxy: DatabaseProxy; task: Job }): Promise<void> {
  const publisher = world.instance()
  await publisher.database.transaction(async (transaction) => {
    await transaction.query({ text: `lock table "_kit_jobs" in access exclusive mode`, values: [] })
    await vi.waitFor(async () => expect(await claimsThatWait(world)).toBe(1), WAIT)
    await proxy.cut()
    await publisher.publish(task, "taken", { on: transaction })
  })
  await vi.waitFor(async () => expect(await states(world)).toEqual(["running 1"]), WAIT)
}

async function claimsThatWait({ database }: JobWorld): Promise<number> {
  const text = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%skip locked%set state = ''running''%'`
  return (await database.query(text)).length
}

test.concurrent("a failed job can be looked at, retried with all its tries, and cancelled", async () => {
  await using world = await jobWorld()
  const task = job({ name: "task", schema: schemaOf(), options: { retryLimit: 0 }, handler: () => {} })
  const instance = world.instance()
  let fails = true
  await instance.work([task], { run: () => (fails ? Promise.reject(new Error("Not yet.")) : Promise.resolve()) })
  const ids = [await instance.publish(task, 1), await instance.publish(task, 2)]
  await vi.waitFor(async () => expect(await states(world)).toEqual(["failed 1", "failed 1"]), WAIT)
  fails = false

  const admin = { queue: instance.queue, dueNow: () => null }
  const shown = await getJob(instance.database, ids[0] ?? "")
  const outcomes = [
    await retryJobNow(admin, instance.database, ids[0] ?? ""),
    await cancelJob(instance.database, ids[1] ?? ""),
    await cancelJob(instance.database, ids[1] ?? ""),
  ]

  expect(shown).toMatchObject({ id: ids[0], name: "task", payload: 1, error: expect.stringContaining("Not yet.") })
  expect(outcomes).toEqual([true, true, false])
  await vi.waitFor(async () => expect(await states(world)).toEqual([]), WAIT)
})

test.concurrent("what is no id is no job, and what is no state is refused", async () => {
  await using world = await jobWorld()
  const { database, queue } = world.instance()
  const admin = { queue, dueNow: () => null }

  expect(await getJob(database, "no id")).toBeUndefined()
  expect(await retryJobNow(admin, database, "no id")).toBe(false)
  expect(await cancelJob(database, "no id")).toBe(false)
  await expect(listJobs(database, { state: "' or true --" as never })).rejects.toThrow(/is not a job state/)
})
