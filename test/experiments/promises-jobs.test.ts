// @module-tag experiment
// @module-tag full-count

import { expect, test } from "vitest"
import { soakJobs } from "../soak/jobs.ts"
import { seededRandom } from "../support/seeded-random.ts"
import { createTestDatabase } from "../support/test-database.ts"

const PATIENCE_MS = 300_000

test(
  "P4 and P6: with instances killed, stopped and frozen in between, each committed job takes effect once, and no other does",
  async () => {
    const random = seededRandom()
    const database = await createTestDatabase()
    // The lease is a third of the normal one, so that no job is stuck for long.
    const size = { jobs: 2_000, strikes: 6, strikeEveryMs: 600, leaseMs: 5_000 }
    const options = { url: database.url, below: random.below, ...size }

    const figures = await soakJobs(options)
    await database.drop()

    const note = JSON.stringify({ seed: random.seed, ...figures })
    const { lost, doubles, invented, failed, leftByStopped, slowestRerunMs, slowestStopMs } = figures
    expect({ lost, doubles, invented, failed, leftByStopped }, note).toEqual({
      ...{ lost: 0, doubles: 0, invented: 0, failed: 0, leftByStopped: 0 },
    })
    expect(figures.published, note).toBeGreaterThan(1_500)
    expect(Math.min(figures.interrupted, figures.frozen), note).toBeGreaterThan(0)
    expect(slowestRerunMs, note).toBeLessThan(60_000)
    expect(slowestStopMs, note).toBeLessThan(10_000)
  },
  PATIENCE_MS,
)
