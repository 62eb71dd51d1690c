// @module-tag experiment
// @module-tag full-count

import { expect, test } from "vitest"
import { soakBackwards } from "../soak/backwards.ts"
import { seededRandom } from "../support/seeded-random.ts"
import { createTestDatabase } from "../support/test-database.ts"

const PATIENCE_MS = 300_000

test(
  "P3: no snapshot is older than one before it, whichever instance a client comes back to and whatever happens to that",
  async () => {
    const random = seededRandom()
    const database = await createTestDatabase()
    const options = { url: database.url, below: random.below, rounds: 5, streams: 11, patienceMs: 60_000 }

    const figures = await soakBackwards(options)
    await database.drop()

    const note = JSON.stringify({ seed: random.seed, ...figures }, null, 1)
    const { backwards, ended, notConverged, strikes } = figures
    expect({ backwards, ended, notConverged }, note).toEqual({ backwards: 0, ended: 0, notConverged: 0 })
    expect(strikes, note).toEqual({ freeze: 1, "hold some": 1, kill: 1, "hold all": 1, cut: 1 })
    expect(figures.writes, note).toBeGreaterThan(20)
    expect(Math.min(figures.connections, figures.snapshots), note).toBeGreaterThan(2 * figures.streams)
  },
  PATIENCE_MS,
)
