// @module-tag experiment

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { soakFair } from "../soak/fair.ts"
import { seededRandom } from "../support/seeded-random.ts"
import { createTestDatabase } from "../support/test-database.ts"

// On a busy machine latencies mean nothing; the test checks only that every caller is answered.
const PARTS = ["queries-closed", "queries", "with", "bulk", "nested", "topics", "sign-ins"]
const PATIENCE_MS = 600_000

test(
  "others get the answers that they asked for while one caller does what costs most",
  async () => {
    const random = seededRandom()
    const database = await createTestDatabase()
    const folder = await mkdtemp(join(tmpdir(), "kit-fair-"))
    const sizes = { rounds: 1, warmUpMs: 500, phaseMs: 2_000, mixMs: 0 }

    const { parts } = await soakFair({ url: database.url, folder, parts: PARTS, below: random.below, ...sizes })
    await database.drop()
    await rm(folder, { recursive: true })

    const note = JSON.stringify({ seed: random.seed, parts }, null, 1)
    for (const part of PARTS) {
      const found = parts[part]
      if (!found || !("attacked" in found)) throw new Error(`${part} has no figures: ${note}`)
      expect(found, note).toMatchObject({ unavailable: 0, wrong: 0 })
      expect(found.attacked.requests, note).toBeGreaterThan(0)
      expect(Object.keys(found.answers), note).not.toEqual([])
    }
  },
  PATIENCE_MS,
)
