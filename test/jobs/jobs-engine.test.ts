// @module-tag not-about-shortcuts
// @module-tag not-about-connections

import { expect, test, vi } from "vitest"
import { z } from "zod"
import { listJobs } from "../../packages/kit/src/features/jobs/job-admin.ts"
import { job } from "../../packages/kit/src/schema/builders/job.ts"
import { jobWorld, schemaOf } from "../support/worlds/job-world.ts"

const anything = schemaOf()

/** Collects the inputs of handlers, and waits for them. */
function collector() {
  const seen: any[] = []
  const until = (count: number) => vi.waitFor(() => expect(seen.length).toBeGreaterThanOrEqual(count), WAIT)
  return { seen, until }
}

const WAIT = { timeout: 60_000, interval: 2 }

test("a published job runs with the payload that its schema made, and is gone afterwards", async () => {
  await using world = await jobWorld()
  const { seen, until } = collector()
  const schema = z.object({ at: z.coerce.date(), count: z.number().default(1) })
  const digest = job({ name: "digest", schema, handler: (context) => void seen.push(context) })
  const instance = world.instance()
  await instance.work([digest])

  const id = await instance.publish(digest, { at: "2026-01-02T00:00:00Z", extra: true })
  await until(1)

  expect(seen[0]).toMatchObject({
    payload: { at: new Date("2026-01-02T00:00:00Z"), count: 1 },
    jobId: id,
    attempt: 1,
    publishedBy: null,
  })
  expect(seen[0].payload).not.toHaveProperty("extra")
  await vi.waitFor(async () => expect(await listJobs(instance.database)).toEqual([]), WAIT)
})

test("a job published in a transaction runs if that commits, and never if it rolls back", async () => {
  await using world = await jobWorld()
  const { seen, until } = collector()
  const note = job({ name: "note", schema: anything, handler: ({ payload }) => void seen.push(payload) })
  const instance = world.instance()
  await instance.work([note])

  const rolledBack = instance.database.transaction(async (on) => {
    await instance.publish(note, "never", { on })
    throw new Error("No.")
  })
  await expect(rolledBack).rejects.toThrow("No.")
  await instance.database.transaction(async (on) => {
    await instance.publish(note, "once", { on })
    expect(await listJobs(instance.database)).toEqual([])
  })
  await until(1)

  await instance.publish(note, "last")
  await until(2)
  expect(seen).toEqual(["once", "last"])
})

test("publishing tells the workers of other processes, once it is committed", async () => {
  await using world = await jobWorld()
  const note = job({ name: "note", schema: anything, handler: () => {} })
  const publisher = world.instance()
  const heard: unknown[] = []
  const listening = new Promise<void>((resolve) => {
    world.instance().queue.subscribe((notice) => {
      heard.push(notice)
      if (notice.kind === "due" && notice.name === undefined) resolve()
    })
  })
  await listening
  heard.length = 0

  await publisher.database.transaction(async (on) => {
    await publisher.publish(note, {}, { on })
    await publisher.publish(note, {}, { on })
    expect(heard).toEqual([])
  })
  await vi.waitFor(() => expect(heard).toEqual([{ kind: "due", name: "note" }]), WAIT)
  await publisher.publish(note, {}, { startAfter: 60 })

  await vi.waitFor(() => expect(heard.at(-1)).toEqual({ kind: "later", name: "note" }), WAIT)
})

test("a failing job is retried after its delay, twice as long each time, and then kept with its error", async () => {
  await using world = await jobWorld()
  const { seen, until } = collector()
  const now = () => world.clock.now
  const broken = job({
    name: "broken",
    schema: anything,
    options: { retryLimit: 2, retryDelay: 10 },
    handler: ({ attempt }) => {
      seen.push(attempt)
      throw new Error(`Try ${attempt} went wrong.`)
    },
  })
  const instance = world.instance({ now })
  const worker = await instance.work([broken])
  const advance = (seconds: number) => {
    world.clock.now = new Date(world.clock.now.getTime() + seconds * 1000)
    worker.catchUp()
  }
  const stored = async (state: string) => {
    await vi.waitFor(async () => expect((await listJobs(instance.database))[0]?.state).toBe(state), WAIT)
    return (await listJobs(instance.database))[0]
  }

  await instance.publish(broken, {})
  await until(1)
  const afterFirst = await stored("scheduled")
  advance(10)
  await until(2)
  const afterSecond = await stored("scheduled")
  advance(20)
  await until(3)
  const atLast = await stored("failed")

  expect(afterFirst?.runAt.getTime()).toBe(world.clock.now.getTime() - 20_000)
  expect(afterSecond?.runAt).toEqual(world.clock.now)
  expect(atLast).toMatchObject({ attempts: 3, maxAttempts: 3, worker: null, finishedAt: world.clock.now })
  expect(atLast?.error).toMatch(/^Error: Try 3 went wrong\.\n\s+at /)
  expect(seen).toEqual([1, 2, 3])
})

test("a job with a start in the future waits for its time", async () => {
  await using world = await jobWorld()
  const { seen, until } = collector()
  const note = job({ name: "note", schema: anything, handler: ({ payload }) => void seen.push(payload) })
  const instance = world.instance({ now: () => world.clock.now })
  const worker = await instance.work([note])

  await instance.publish(note, "in an hour", { startAfter: 3600 })
  await instance.publish(note, "tomorrow", { startAfter: new Date(world.clock.now.getTime() + 86_400_000) })
  await instance.publish(note, "now")
  await until(1)
  world.clock.now = new Date(world.clock.now.getTime() + 3_600_000)
  worker.catchUp()
  await until(2)

  expect(seen).toEqual(["now", "in an hour"])
  const scheduled = await listJobs(instance.database, { state: "scheduled" })
  expect(scheduled).toMatchObject([{ payload: "tomorrow" }])
})

test("a job that starts in a moment is run by a worker elsewhere when that moment comes", async () => {
  await using world = await jobWorld()
  const { seen, until } = collector()
  const note = job({ name: "note", schema: anything, handler: () => void seen.push(Date.now()) })
  const publisher = world.instance()
  await world.instance().work([note])

  const lateMs: number[] = []
  do {
    const dueAt = Date.now() + 300
    await publisher.publish(note, {}, { startAfter: new Date(dueAt) })
    await until(lateMs.length + 1)
    lateMs.push(seen.at(-1) - dueAt)
    // Without a notification a worker would poll after five seconds. With it, the start is fast, on a busy machine at
    // least in one of the attempts.
  } while (Math.min(...lateMs) >= 1_500 && lateMs.length < 10)

  expect(Math.min(...lateMs)).toBeGreaterThanOrEqual(0)
  expect(Math.min(...lateMs)).toBeLessThan(1_500)
})

test("of one key at most one job waits, and publishing another gives the id of that one", async () => {
  await using world = await jobWorld()
  const { seen, until } = collector()
  const index = job({ name: "index", schema: anything, handler: ({ payload }) => void seen.push(payload) })
  const other = job({ name: "other", schema: anything, handler: () => {} })
  const instance = world.instance()

  const key = { singletonKey: "post 7" }
  const ids = await Promise.all([1, 2, 3].map((payload) => instance.publish(index, payload, key)))
  const otherId = await instance.publish(other, 4, key)

  expect(new Set(ids).size).toBe(1)
  expect(otherId).not.toBe(ids[0])
  await instance.work([index])
  await until(1)
  const later = await instance.publish(index, 5, key)
  await until(2)
  expect(later).not.toBe(ids[0])
  expect(seen).toHaveLength(2)
})

test("a waiting job whose key is published again does not start before that transaction has ended", async () => {
  await using world = await jobWorld()
  const { seen, until } = collector()
  const index = job({ name: "index", schema: anything, handler: () => void seen.push("ran") })
  const instance = world.instance()
  await instance.publish(index, {}, { singletonKey: "7" })

  await instance.database.transaction(async (on) => {
    await instance.publish(index, {}, { singletonKey: "7", on })
    await instance.work([index])
    const other = await instance.publish(index, {}, { singletonKey: "8" })
    await until(1)
    await vi.waitFor(
      async () => expect((await listJobs(instance.database)).map(({ id }) => id)).not.toContain(other),
      WAIT,
    )
    expect(seen).toEqual(["ran"])
  })

  await until(2)
})

test("more urgent jobs go first, then older ones", async () => {
  await using world = await jobWorld()
  const { seen, until } = collector()
  const handler = ({ payload }: { payload: unknown }) => void seen.push(payload)
  const plain = job({ name: "plain", schema: anything, handler })
  const urgent = job({ name: "urgent", schema: anything, options: { priority: 5 }, handler })
  const instance = world.instance()
  for (const payload of ["first", "second"]) await instance.publish(plain, payload)
  await instance.publish(urgent, "urgent")
  await instance.publish(plain, "most urgent", { priority: 9 })
  await instance.publish(plain, "least", { priority: -1 })

  await instance.work([plain, urgent], { concurrency: 1 })
  await until(5)

  expect(seen).toEqual(["most urgent", "urgent", "first", "second", "least"])
})

test("a worker runs as many jobs at once as it may, and of one job no more than its concurrency", async () => {
  await using world = await jobWorld()
  const running = { single: 0, many: 0 }
  const most = { single: 0, many: 0 }
  let ended = 0
  const handlerOf = (name: keyof typeof running) => async () => {
    running[name]++
    most[name] = Math.max(most[name], running[name])
    await new Promise(setImmediate)
    running[name]--
    ended++
  }
  const single = job({ name: "single", schema: anything, options: { concurrency: 1 }, handler: handlerOf("single") })
  const many = job({ name: "many", schema: anything, handler: handlerOf("many") })
  const instance = world.instance()
  for (let number = 0; number < 20; number++) {
    await instance.publish(single, number)
    await instance.publish(many, number)
  }

  await instance.work([single, many], { concurrency: 4 })
  await vi.waitFor(() => expect(ended).toBe(40), WAIT)

  expect(most.single).toBe(1)
  expect(most.many).toBeGreaterThanOrEqual(3)
  expect(most.many).toBeLessThanOrEqual(4)
})

test("a worker leaves jobs alone that it does not know", async () => {
  await using world = await jobWorld()
  const { seen, until } = collector()
  const mine = job({ name: "mine", schema: anything, handler: () => void seen.push(1) })
  const theirs = job({ name: "theirs", schema: anything, handler: () => {} })
  const instance = world.instance()
  await instance.work([mine])

  await instance.publish(theirs, {})
  await instance.publish(mine, {})
  await until(1)

  expect(await listJobs(instance.database, { name: "theirs" })).toMatchObject([{ state: "waiting", attempts: 0 }])
})
