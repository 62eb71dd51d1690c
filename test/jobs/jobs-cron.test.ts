// @module-tag not-about-shortcuts
// @module-tag not-about-connections

import { expect, test, vi } from "vitest"
import { z } from "zod"
import type { JobWorker } from "../../packages/kit/src/features/jobs/job-worker.ts"
import { job } from "../../packages/kit/src/schema/builders/job.ts"
import { type JobWorld, jobWorld, schemaOf } from "../support/worlds/job-world.ts"

const WAIT = { timeout: 60_000, interval: 2 }
const MORNING = new Date("2026-03-02T07:59:00Z")

function newspaper(seen: unknown[]) {
  return job({
    name: "newspaper",
    schema: z.object({ edition: z.string() }),
    options: { cron: { pattern: "0 8 * * *", payload: { edition: "morning" } } },
    handler: ({ payload }) => void seen.push(payload),
  })
}

function at(world: JobWorld, moment: Date, workers: readonly JobWorker[] = []): void {
  world.clock.now = moment
  for (const worker of workers) worker.catchUp()
}

const lastTick = async (world: JobWorld) =>
  (await world.database.query(`select last_at from "_kit_cron"`))[0]?.["last_at"]

test("each tick is published once, however many instances there are", async () => {
  await using world = await jobWorld()
  at(world, MORNING)
  const seen: unknown[] = []
  const now = () => world.clock.now
  const instances = [world.instance({ now }), world.instance({ now }), world.instance({ now })]
  const workers = await Promise.all(instances.map((instance) => instance.work([newspaper(seen)])))

  for (const day of [2, 3, 4]) {
    const tick = new Date(`2026-03-0${day}T08:00:00Z`)
    at(world, tick, workers)
    await vi.waitFor(async () => expect(await lastTick(world)).toEqual(tick), WAIT)
    await vi.waitFor(() => expect(seen).toHaveLength(day - 1), WAIT)
  }
  for (const worker of workers) await worker.stop()

  expect(seen).toEqual(Array(3).fill({ edition: "morning" }))
  expect(await world.database.query(`select id from "_kit_jobs"`)).toEqual([])
})

test("a new job starts with its next tick, and of the ticks missed while nothing ran one is made up", async () => {
  await using world = await jobWorld()
  at(world, new Date("2026-03-02T12:00:00Z"))
  const seen: unknown[] = []
  const now = () => world.clock.now
  const first = await world.instance({ now }).work([newspaper(seen)])
  await first.stop()
  const seenOnFirstDay = seen.length

  at(world, new Date("2026-03-06T12:00:00Z"))
  const second = await world.instance({ now }).work([newspaper(seen)])
  await vi.waitFor(() => expect(seen).toHaveLength(1), WAIT)
  await second.stop()

  expect(seenOnFirstDay).toBe(0)
  expect(await lastTick(world)).toEqual(new Date("2026-03-06T08:00:00Z"))
  expect(seen).toHaveLength(1)
})

test("another pattern starts with its next tick", async () => {
  await using world = await jobWorld()
  const now = () => world.clock.now
  const hourly = (cron: string) => job({ name: "hourly", schema: schemaOf(), options: { cron }, handler: () => {} })
  at(world, MORNING)
  await (await world.instance({ now }).work([hourly("0 * * * *")])).stop()

  at(world, new Date("2026-03-05T10:20:00Z"))
  const worker = await world.instance({ now }).work([hourly("15 * * * *")])
  await worker.stop()

  expect(await lastTick(world)).toEqual(new Date("2026-03-05T10:20:00Z"))
  expect(await world.database.query(`select id from "_kit_jobs"`)).toEqual([])
})

test("a cron job whose payload does not pass its schema does not start", async () => {
  await using world = await jobWorld()
  const schema = z.object({ edition: z.string() })
  const broken = job({ name: "broken", schema, options: { cron: "0 8 * * *" }, handler: () => {} })

  const start = world.instance().work([broken])

  await expect(start).rejects.toThrow(/The payload of job "broken" is refused\. payload\.edition/)
})
