// @module-tag full-count

import { testApp } from "kit/testing"
import { expect, test } from "vitest"
import { world } from "../soak/live/world.ts"
import { soakLive } from "../soak/live.ts"
import { count } from "../support/count.ts"
import { seededRandom } from "../support/seeded-random.ts"
import { createTestDatabase } from "../support/test-database.ts"
import { poolOfThisRun } from "../support/worlds/test-app.ts"

const PATIENCE_MS = 300_000

test(
  "P3: a topic was last told what find answers, whoever wrote where, and nobody was told what they could not read",
  async () => {
    const random = seededRandom()
    const database = await createTestDatabase()
    const start = async () => {
      const config = { ...world.config, db: { url: database.url, ...poolOfThisRun() } }
      const { url, stop } = await testApp({ ...world, config })
      return { url, kill: stop }
    }

    const options = {
      start,
      below: random.below,
      topics: count({ short: 30, long: 60 }),
      batches: 3,
      transactions: 6,
      strikes: 1,
      patienceMs: 60_000,
    }
    const figures = await soakLive(options)
    await database.drop()

    const note = JSON.stringify({ seed: random.seed, ...figures }, null, 1)
    expect(figures.faults, note).toEqual([])
    expect({ divergences: figures.divergences, leaks: figures.leaks }, note).toEqual({ divergences: 0, leaks: 0 })
    expect(figures.writes, note).toBeGreaterThan(50)
    const { snapshots, ranges, aggregates, confirmed, kills } = figures
    expect(Math.min(snapshots, ranges, aggregates, confirmed, kills), note).toBeGreaterThan(0)
  },
  PATIENCE_MS,
)
