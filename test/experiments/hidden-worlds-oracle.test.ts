// @module-tag experiment
// @module-tag full-count

import { testApp } from "kit/testing"
import { expect, test } from "vitest"
import { soakWorlds } from "../soak/worlds.ts"
import { count } from "../support/count.ts"
import { seededRandom } from "../support/seeded-random.ts"
import { poolOfThisRun } from "../support/worlds/test-app.ts"

const REQUESTS = count({ short: 1_000, long: 3_000 })
// Each has other callers and new worlds. In the second one, topics are followed.
const ROUNDS = 4
const PATIENCE_MS = count({ short: 600_000, long: 1_800_000 })

type Figures = Awaited<ReturnType<typeof soakWorlds>>

// How many requests are valid depends on the callers of the rounds.
const hasSeenAll = ({ statuses, tried, events, silences, echoes, workers }: Figures) =>
  (statuses["POST 200"] ?? 0) > REQUESTS / 10 &&
  (statuses["SEARCH 200"] ?? 0) > REQUESTS / 20 &&
  (statuses["PATCH 200"] ?? 0) > REQUESTS / 500 &&
  Math.min(events, silences, echoes, ...Object.values(workers), ...Object.values(tried)) > 0

/**
 * Two worlds are the same to some callers, and differ in all data that is hidden from these callers: records, drafts,
 * stages, versions, fields and names. For every read, write or subscription of these callers, both worlds answer the
 * same, whether or not the index workers are held up.
 */
test(
  "nothing that is hidden changes any answer, write or live query",
  async () => {
    const { seed, below } = seededRandom()
    const start = (model: NonNullable<Parameters<typeof testApp>[0]>) =>
      testApp({ ...model, config: { ...model.config, db: poolOfThisRun() } })

    const figures = await soakWorlds({
      ...{ start, below, requests: REQUESTS, perRound: REQUESTS / ROUNDS, topics: 60, liveEvery: ROUNDS },
      isComplete: hasSeenAll,
    })

    console.log(`two worlds, seed ${seed}: ${figures.requests} requests in ${figures.rounds} rounds`, figures.tried)
    const note = JSON.stringify({ seed, ...figures }, null, 1)
    expect({ differences: figures.differences, faults: figures.faults }, note).toEqual({ differences: 0, faults: 0 })
    expect(hasSeenAll(figures), note).toBe(true)
  },
  PATIENCE_MS,
)
