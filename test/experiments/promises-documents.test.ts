// @module-tag experiment
// @module-tag full-count

import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { soakDocuments } from "../soak/documents.ts"
import { count } from "../support/count.ts"
import { seededRandom } from "../support/seeded-random.ts"

const EDITORS = 20
const KILLS = count({ short: 6, long: 100 })
// On a busy machine two processes may take minutes to come back.
const STUCK_MS = 240_000
const PATIENCE_MS = count({ short: 900_000, long: 1_800_000 })

test(
  "P13: no acknowledged edit of a document is lost, and replicas converge, whatever is cut or killed",
  async () => {
    const random = seededRandom()
    const folder = await mkdtemp(join(tmpdir(), "kit-documents-"))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    // PostgreSQL never runs as root: its own user must be able to enter the folder.
    await chmod(folder, 0o755)

    const options = { folder, below: random.below, editors: EDITORS, kills: KILLS, patienceMs: STUCK_MS }
    const figures = await soakDocuments(options)

    const note = JSON.stringify({ seed: random.seed, ...figures }, null, 1)
    console.log(note)
    const { lost, invented, diverged, differentValues, faults } = figures
    expect({ lost, invented, diverged, differentValues, faults }, note).toEqual({
      ...{ lost: 0, invented: 0, diverged: 0, differentValues: 0, faults: 0 },
    })
    expect(figures.serverKills + figures.databaseKills, note).toBe(KILLS)
    expect(figures.acknowledged, note).toBeGreaterThan(20 * KILLS)
    expect(Math.min(figures.cuts, figures.vanished, figures.overwrites, figures.unknown), note).toBeGreaterThan(0)
  },
  PATIENCE_MS,
)
