import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { seededRandom } from "../support/seeded-random.ts"
import { createTestDatabase } from "../support/test-database.ts"

const EXPERIMENT_URL = new URL("../../soak/fair.mjs", import.meta.url).href
// On a busy machine latencies mean nothing; the test checks only that every caller is answered.
const PARTS = ["queries-closed", "queries", "with", "bulk", "nested", "topics", "sign-ins"]
const PATIENCE_MS = 600_000

test(
  "others get the answers that they asked for while one caller does what costs most",
  async () => {
    const random = seededRandom()
    const { soakFair } = await import(EXPERIMENT_URL)
    const database = await createTestDatabase()
    const folder = await mkdtemp(join(tmpdir(), "kit-fair-"))
    const sizes = { rounds: 1, warmUpMs: 500, phaseMs: 2_000, mixMs: 0 }

    const { parts } = await soakFair({ url: database.url, folder, parts: PARTS, below: random.below, ...sizes })
    await database.drop()
    await rm(folder, { recursive: true })

    const note = JSON.stringify({ seed: random.seed, parts }, null, 1)
    for (const part of PARTS) {
      expect(parts[part], note).toMatchObject({ unavailable: 0, wrong: 0 })
      expect(parts[part].attacked.requests, note).toBeGreaterThan(0)
      expect(Object.keys(parts[part].answers), note).not.toEqual([])
    }
  },
  PATIENCE_MS,
)
