// The long experiments; the test command runs them in a short form.
//   npm run soak -- jobs [--jobs 20000] [--seed 7]
//   npm run soak -- live [--topics 200] [--batches 50] [--seed 7]
//   npm run soak -- move [--rows 1000000] [--seed 7]
//   npm run soak -- moves [--moves 1000]
//   npm run soak -- worlds [--requests 50000] [--seed 7]
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { testApp } from "kit/testing"
import { startEmbeddedPostgres } from "../packages/kit/dist/drivers/embedded-postgres/start.js"
import { DEFAULT_LEASE_MS } from "../packages/kit/dist/schema/job.js"
import { FORGETFUL_SETTINGS } from "../packages/kit/dist/testing/test-server.js"
import { soakJobs } from "./jobs.mjs"
import { startInstance } from "./live/start-instance.mjs"
import { soakLive } from "./live.mjs"
import { soakMove } from "./move.mjs"
import { soakMoves } from "./moves.mjs"
import { soakWorlds } from "./worlds.mjs"

// What a process of Node may need more at the end than at the beginning without holding on to rows.
const FLAT_MB = 40

// Of a move that waited for its time.
const MAX_LATE_MS = 5_000

const EXPERIMENTS = { jobs: runJobs, live: runLive, move: runMove, moves: runMoves, worlds: runWorlds }

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: "string", default: "20000" },
    topics: { type: "string", default: "200" },
    batches: { type: "string", default: "50" },
    rows: { type: "string", default: "1000000" },
    moves: { type: "string", default: "1000" },
    requests: { type: "string", default: "50000" },
    seed: { type: "string" },
  },
})
const experiment = EXPERIMENTS[/** @type {keyof typeof EXPERIMENTS} */ (positionals[0])]
if (!experiment) throw new Error(`Name an experiment: ${Object.keys(EXPERIMENTS).join(", ")}.`)

const folder = await mkdtemp(join(tmpdir(), "kit-soak-"))
// Run as root, Postgres itself is an ordinary user and has to get in.
await chmod(folder, 0o755)
// No crash is part of it, and it writes into a hundred databases.
const settings = experiment === runWorlds ? { settings: FORGETFUL_SETTINGS } : {}
const embedded = await startEmbeddedPostgres({ directory: join(folder, "db"), ...settings })
try {
  await experiment(embedded.url)
} finally {
  await embedded.release()
  await rm(folder, { recursive: true, force: true })
}

/** P4: 20,000 jobs on two instances, one of them struck every few seconds. @param {string} url */
async function runJobs(url) {
  const seed = Number(values.seed ?? crypto.getRandomValues(new Uint32Array(1))[0])
  const size = { jobs: Number(values.jobs), strikes: 15, strikeEveryMs: 2_500, leaseMs: DEFAULT_LEASE_MS }
  const options = { url, below: seeded(seed), ...size }
  const figures = { seed, ...(await soakJobs(options)) }
  console.log(figures)
  await writeFile(new URL("results/jobs.json", import.meta.url), `${JSON.stringify(figures, null, 2)}\n`)
  const { lost, doubles, invented, failed, leftByStopped } = figures
  if (lost + doubles + invented + failed + leftByStopped > 0) process.exitCode = 1
}

/** P3: generated topics on two instances, of which one is killed now and then, while rights and records change. @param {string} url */
async function runLive(url) {
  const seed = Number(values.seed ?? crypto.getRandomValues(new Uint32Array(1))[0])
  const size = { topics: Number(values.topics), batches: Number(values.batches), transactions: 10, strikes: 12 }
  const options = { start: () => startInstance(url), below: seeded(seed), patienceMs: 30_000, ...size }
  const startedAt = performance.now()
  const figures = { seed, ...(await soakLive(options)), seconds: Math.round((performance.now() - startedAt) / 1000) }
  console.log(figures)
  await writeFile(new URL("results/live.json", import.meta.url), `${JSON.stringify(figures, null, 2)}\n`)
  const { divergences, leaks, late } = figures
  if (divergences + leaks + late > 0) process.exitCode = 1
}

/** A database of a million rows, moved once with a kill in between and once without. @param {string} url */
async function runMove(url) {
  const seed = Number(values.seed ?? crypto.getRandomValues(new Uint32Array(1))[0])
  const figures = { seed, ...(await soakMove({ url, rows: Number(values.rows), folder, below: seeded(seed) })) }
  console.log(figures)
  await writeFile(new URL("results/move.json", import.meta.url), `${JSON.stringify(figures, null, 2)}\n`)
  const isFlat = figures.peakMb <= figures.peakMbAtTenth + FLAT_MB
  if (!isFlat || !figures.isEqual || !figures.isSameAfterKill) process.exitCode = 1
}

/** P5: 1,000 moves of records due in one second, on two instances of which one is killed at that second. @param {string} url */
async function runMoves(url) {
  const moves = Number(values.moves)
  const figures = await soakMoves({ url, moves, leadMs: 2_000 })
  console.log(figures)
  await writeFile(new URL("results/moves.json", import.meta.url), `${JSON.stringify(figures, null, 2)}\n`)
  const { missed, doubles, early, versions, latestMs } = figures
  if (missed + doubles + early > 0 || versions !== moves || latestMs > MAX_LATE_MS) process.exitCode = 1
}

/** Two worlds that differ in what is hidden, asked the same; all they may differ in is a documented 409. @param {string} url */
async function runWorlds(url) {
  const seed = Number(values.seed ?? crypto.getRandomValues(new Uint32Array(1))[0])
  console.log(`seed ${seed}`)
  // Every round has two databases of its own there, as tests have.
  process.env["KIT_TEST_DATABASE_URL"] = url
  const size = { requests: Number(values.requests), perRound: 1_000, topics: 60, liveEvery: 2 }
  const onRound = (/** @type {object} */ counts) => console.log(JSON.stringify(counts))
  const startedAt = performance.now()
  const result = await soakWorlds({ start: testApp, below: seeded(seed), onRound, ...size })
  const figures = { seed, ...result, seconds: Math.round((performance.now() - startedAt) / 1000) }
  console.log(figures)
  await writeFile(new URL("results/worlds.json", import.meta.url), `${JSON.stringify(figures, null, 2)}\n`)
  if (figures.differences + figures.faults > 0) process.exitCode = 1
}

/** The same numbers for the same seed. @param {number} seed */
function seeded(seed) {
  let state = seed >>> 0
  return (/** @type {number} */ bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}
