import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { testApp } from "kit/testing"
import { DEFAULT_LEASE_MS } from "../../packages/kit/src/schema/builders/job.ts"
import { soakBackwards } from "./backwards.ts"
import { soakDocuments } from "./documents.ts"
import { soakEmbedded } from "./embedded.ts"
import { type Experiment, experiment } from "./experiment.ts"
import { FAIR_PARTS, isUnfair, printFairBars, soakFair } from "./fair.ts"
import { soakFilters } from "./filters.ts"
import { soakJobs } from "./jobs.ts"
import { startInstance } from "./live/start-instance.ts"
import { soakLive } from "./live.ts"
import { soakMove } from "./move.ts"
import { soakSilence } from "./silence.ts"
import { soakTransitions } from "./transitions.ts"
import { soakWorlds } from "./worlds.ts"

// The memory that a Node process may gain from beginning to end without leaking rows.
const FLAT_MB = 40
// The maximum delay of a pending transition.
const MAX_LATE_MS = 5_000
// The maximum time from the beginning of a silence, or from the return of the network, to the last failed request.
const MAX_SILENCE_MS = 15_000

export const EXPERIMENTS: Record<string, Experiment> = {
  // P3: clients reconnect to the other one of two processes, while these are killed, frozen and cut off.
  backwards: experiment({
    sizes: { rounds: 28 },
    run: ({ url, below, sizes }) => soakBackwards({ url, below, streams: 11, patienceMs: 60_000, ...sizes }),
    isBroken: ({ backwards, notConverged, ended }) => backwards + notConverged + ended > 0,
  }),
  // P13: editors of the same documents on two instances, which are killed under load, as PostgreSQL is.
  documents: experiment({
    sizes: { editors: 20, kills: 100 },
    run: async ({ folder, below, sizes }) => {
      const own = join(folder, "documents")
      await mkdir(own)
      return soakDocuments({ folder: own, below, patienceMs: 60_000, ...sizes })
    },
    isBroken: ({ lost, invented, diverged, differentValues, faults }) =>
      lost + invented + diverged + differentValues + faults > 0,
  }),
  // The embedded database of two processes: its server is killed eleven times in a row, then with its supervisor, and
  // its disk is full.
  embedded: experiment({
    sizes: { rounds: 3 },
    run: ({ below, sizes }) => soakEmbedded({ below, kills: 11, fullMs: 5_000, ...sizes }),
    isBroken: ({ lost, jobsLost, processesLeft, stored, liveKeys }) =>
      lost + jobsLost + processesLeft > 0 || stored !== liveKeys,
  }),
  // Anonymous callers filter over several levels of relations: each request is answered within a second, or refused.
  filters: experiment({
    sizes: { filters: 200, books: 3_000, reviews: 150_000 },
    isWithoutCrash: true,
    run: ({ url, below, sizes }) => {
      process.env["KIT_TEST_DATABASE_URL"] = url
      return soakFilters({ start: testApp, below, ...sizes })
    },
    isBroken: ({ failed, slow }) => failed + slow > 0,
  }),
  // One anonymous caller sends the most expensive requests; the effect on other callers is measured. `phase` and `mix`
  // are seconds.
  fair: experiment({
    sizes: { rounds: 5, phase: 5, mix: 60 },
    parts: FAIR_PARTS,
    isWithoutCrash: true,
    run: async ({ url, folder, below, sizes, parts }) => {
      const { rounds, phase, mix } = sizes
      const times = { warmUpMs: 3_000, phaseMs: phase * 1_000, mixMs: mix * 1_000 }
      const onPart = (part: string, found: object) => console.log(part, JSON.stringify(found))
      const figures = await soakFair({ url, folder, below, parts, rounds, onPart, ...times })
      printFairBars(figures)
      return figures
    },
    isBroken: isUnfair,
  }),
  // P4: 20,000 jobs on two instances, one of which is killed every few seconds.
  jobs: experiment({
    sizes: { jobs: 20_000 },
    run: ({ url, below, sizes }) =>
      soakJobs({ url, below, strikes: 15, strikeEveryMs: 2_500, leaseMs: DEFAULT_LEASE_MS, ...sizes }),
    isBroken: ({ lost, doubles, invented, failed, leftByStopped }) =>
      lost + doubles + invented + failed + leftByStopped > 0,
  }),
  // P3: generated topics on two instances, one of which is killed now and then, while rights and records change.
  live: experiment({
    sizes: { topics: 200, batches: 50 },
    run: ({ url, below, sizes }) => {
      const start = () => startInstance(url)
      return soakLive({
        start,
        below,
        transactions: 10,
        strikes: 12,
        patienceMs: 30_000,
        ...sizes,
      })
    },
    isBroken: ({ divergences, leaks, late }) => divergences + leaks + late > 0,
  }),
  // A database of a million rows, copied once with a kill in the middle and once without.
  move: experiment({
    sizes: { rows: 1_000_000 },
    run: ({ url, folder, below, sizes }) => soakMove({ url, folder, below, ...sizes }),
    isBroken: ({ peakMb, peakMbAtTenth, isEqual, isSameAfterKill }) =>
      peakMb > peakMbAtTenth + FLAT_MB || !isEqual || !isSameAfterKill,
  }),
  // P5: 1,000 pending transitions for the same second, on two instances, one of which is killed at that second.
  transitions: experiment({
    sizes: { transitions: 1_000 },
    run: ({ url, sizes }) => soakTransitions({ url, leadMs: 2_000, ...sizes }),
    isBroken: ({ missed, doubles, early, versions, latestMs }, { transitions }) =>
      missed + doubles + early > 0 || versions !== transitions || latestMs > MAX_LATE_MS,
  }),
  // The network between a process and its database drops every packet, repeatedly, under load.
  silence: experiment({
    sizes: { clients: 64, rounds: 4 },
    run: ({ url, below, sizes }) => soakSilence({ url, below, ...sizes }),
    isBroken: ({ lost, doubles, rounds }) =>
      lost + doubles > 0 || rounds.some((round) => round.lastFailureMs > MAX_SILENCE_MS),
  }),
  // Two worlds that differ only in hidden data get the same requests; their answers may differ only in a documented
  // 409.
  worlds: experiment({
    sizes: { requests: 50_000 },
    isWithoutCrash: true,
    run: ({ url, below, sizes }) => {
      // Each round creates two databases there, as tests do.
      process.env["KIT_TEST_DATABASE_URL"] = url
      const onRound = (counts: object) => console.log(JSON.stringify(counts))
      return soakWorlds({
        start: testApp,
        below,
        onRound,
        perRound: 1_000,
        topics: 60,
        liveEvery: 2,
        ...sizes,
      })
    },
    isBroken: ({ differences, faults }) => differences + faults > 0,
  }),
}
