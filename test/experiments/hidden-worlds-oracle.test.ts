// @module-tag experiment

import { testApp } from "kit/testing"
import { expect, test } from "vitest"
import { soakWorlds } from "../soak/worlds.ts"
import { seededRandom } from "../support/seeded-random.ts"
import { poolOfThisRun } from "../support/worlds/test-app.ts"

const REQUESTS = 3_000
const PATIENCE_MS = 600_000

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

    const figures = await soakWorlds({ start, below, requests: REQUESTS, perRound: 750, topics: 60, liveEvery: 4 })

    console.log(`two worlds, seed ${seed}: ${figures.requests} requests in ${figures.rounds} rounds`)
    const note = JSON.stringify({ seed, ...figures }, null, 1)
    expect({ differences: figures.differences, faults: figures.faults }, note).toEqual({ differences: 0, faults: 0 })
    // Many reads are valid, and some writes succeed: how many depends on the seed.
    expect(figures.statuses["POST 200"], note).toBeGreaterThan(REQUESTS / 10)
    expect(figures.statuses["SEARCH 200"], note).toBeGreaterThan(REQUESTS / 20)
    expect(figures.statuses["PATCH 200"], note).toBeGreaterThan(REQUESTS / 500)
    expect(Math.min(figures.events, figures.silences), note).toBeGreaterThan(0)
    expect(Math.min(figures.echoes, ...Object.values<number>(figures.workers)), note).toBeGreaterThan(0)
  },
  PATIENCE_MS,
)
