// @module-tag not-about-shortcuts
// @module-tag not-about-connections

import { expect, test } from "vitest"
import { job } from "../../packages/kit/src/schema/builders/job.ts"
import { type JobWorld, jobWorld, schemaOf } from "../support/worlds/job-world.ts"

const HOUR_MS = 3_600_000
const dueNow = () => null

const wrongClocks = [
  ["ahead", () => new Date(Date.now() + HOUR_MS)],
  ["behind", () => new Date(Date.now() - HOUR_MS)],
] as const

const task = job({ name: "task", schema: schemaOf(), handler: () => {} })

const stored = (world: JobWorld) =>
  world.database.query(`
    select payload, state, round(extract(epoch from run_at - created_at))::int as delay,
      abs(extract(epoch from now() - created_at)) < 600 as by_database
    from "_kit_jobs" order by payload`)

test.each(wrongClocks)("a process whose clock is %s stores due times by the database's clock", async (_name, now) => {
  await using world = await jobWorld()
  const instance = world.instance({ now, dueNow })
  const [row] = await world.database.query("select now() + interval '10 minutes' as later")

  await instance.publish(task, 1)
  await instance.publish(task, 2, { startAfter: 600 })
  await instance.publish(task, 3, { startAfter: new Date(String(row?.["later"])) })

  expect(await stored(world)).toEqual([
    { payload: 1, state: "waiting", delay: 0, by_database: true },
    { payload: 2, state: "scheduled", delay: 600, by_database: true },
    { payload: 3, state: "scheduled", delay: expect.closeTo(600, -2), by_database: true },
  ])
})

test("a worker whose clock is ahead runs no job before its time, and retries none", async () => {
  await using world = await jobWorld()
  const [, now] = wrongClocks[0]
  const instance = world.instance({ now, dueNow })
  const runs: unknown[] = []
  const failing = job({ name: "failing", schema: schemaOf(), options: { retryDelay: 600 }, handler: () => {} })
  await instance.publish(task, "later", { startAfter: 600 })
  await instance.publish(failing, "now")

  const worker = await instance.work([task, failing], {
    run: ({ payload }) => {
      runs.push(payload)
      return Promise.reject(new Error("Try again."))
    },
  })
  await worker.settle()

  expect(runs).toEqual(["now"])
  expect((await stored(world)).map(({ state }) => state)).toEqual(["scheduled", "scheduled"])
})

test.each(wrongClocks)(
  "a cron job is registered by the database's clock, by a process whose clock is %s",
  async (_name, now) => {
    await using world = await jobWorld()
    const hourly = job({ name: "hourly", schema: schemaOf(), options: { cron: "0 * * * *" }, handler: () => {} })

    const worker = await world.instance({ now, dueNow }).work([hourly])
    await worker.settle()

    const rows = await world.database.query(
      `select abs(extract(epoch from now() - last_at)) < 600 as is_right from "_kit_cron"`,
    )
    expect(rows).toEqual([{ is_right: true }])
  },
)
