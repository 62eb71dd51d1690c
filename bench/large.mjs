// Measures lists, pages, groups and aggregates of a large collection, in one run against its first page without a total.
//   npm run build && node bench/large.mjs [--rows 200000] [--rounds 15]
import { parseArgs } from "node:util"
import pg from "pg"
import { Cleanup } from "./harness/cleanup.mjs"
import { openDatabase, openServer } from "./harness/databases.mjs"
import { showStep } from "./harness/progress.mjs"
import { startKit } from "./harness/servers.mjs"
import { intervalConfidence, median, medianInterval } from "./harness/statistics.mjs"
import { firstPage, measurements } from "./large/measurements.mjs"
import { storeOrders } from "./large/store.mjs"

/** @typedef {import("./large/measurements.mjs").Measurement} Measurement */

const { values: flags } = parseArgs({ options: { rows: { type: "string" }, rounds: { type: "string" } } })
const ROWS = Number(flags.rows ?? 2_000_000)
const ROUNDS = Number(flags.rounds ?? 15)
// No round begins after this time, of which storing the rows takes the most.
const LAST_ROUND_MS = 480_000
const TIME_LIMIT_MS = 600_000
// The first page, and whatever takes as little, is asked for so often in each round: one answer says nothing.
const REPETITIONS = 5
const SHORT_MS = 100
const WARM_UP_ROUNDS = 1
const NAME_WIDTH = 32

/** The reason why something cannot be measured: the server does not have it, or it takes longer than callers may wait. */
class Unmeasured extends Error {}

const cleanup = new Cleanup()
// Ends the script even if something hangs.
const timer = setTimeout(() => {
  console.error(`Not done after ${TIME_LIMIT_MS / 1000} s.`)
  process.exitCode = 1
  void cleanup.run().finally(() => process.exit())
}, TIME_LIMIT_MS)
try {
  await measure()
} finally {
  clearTimeout(timer)
  await cleanup.run()
}

async function measure() {
  const url = await openDatabase(await openServer(cleanup), "bench_large", cleanup)
  const kit = await startKit({ url, cleanup, app: "bench/large/app", firstCall: "/health" })
  const client = await connect(url)
  showStep(`storing ${ROWS} rows`)
  await storeOrders(client, ROWS)
  const world = {
    ask: (/** @type {string} */ path, /** @type {object | undefined} */ body) => ask(kit.port, path, body),
    sql: async (/** @type {string} */ text, /** @type {unknown[]} */ values = []) =>
      (await client.query(text, values)).rows,
    rows: ROWS,
  }
  const list = await measurements(world)
  const left = new Map()
  const rounds = await runRounds(firstPage(world), { list, left })
  report(list, { rounds, left })
}

/** @param {string} url */
async function connect(url) {
  const client = new pg.Client({ connectionString: url })
  client.on("error", () => {})
  await client.connect()
  cleanup.add(() => client.end())
  // As for kit's own statements, of which each takes one processor.
  await client.query("set max_parallel_workers_per_gather = 0")
  return client
}

/** @param {number} port @param {string} path @param {object} [body] */
async function ask(port, path, body) {
  const init = body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
  if (response.ok) return response.json()
  const text = await response.text()
  if (response.status === 400 || response.status === 404) throw new Unmeasured("not there")
  if (response.status === 503) throw new Unmeasured("took longer than a caller may wait")
  throw new Error(`${path}: ${response.status}: ${text}`)
}

/**
 * @typedef {{ first: number, times: Map<string, { ms: number, byHandMs: number | undefined }> }} Round
 * @typedef {{ list: readonly Measurement[], left: Map<string, string> }} Asked
 *   `left` says why a measurement was left out, by its name.
 */

/**
 * Asks everything once in each round, so that a disturbance of the machine affects all of it.
 *
 * @param {() => Promise<unknown>} first
 * @param {Asked} asked
 */
async function runRounds(first, asked) {
  const startedAt = performance.now()
  /** @type {Round[]} */
  const rounds = []
  for (let number = -WARM_UP_ROUNDS; number < ROUNDS; number += 1) {
    if (number > 1 && process.uptime() * 1_000 > LAST_ROUND_MS) break
    showStep(`round ${number + 1} of ${ROUNDS}, after ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
    const round = await runRound(first, asked)
    if (number >= 0) rounds.push(round)
  }
  return rounds
}

/** @param {() => Promise<unknown>} first @param {Asked} asked @returns {Promise<Round>} */
async function runRound(first, { list, left }) {
  const firstMs = await usualTimeOf(first)
  /** @type {Round["times"]} */
  const times = new Map()
  for (const { name, ask: work, byHand } of list) {
    if (left.has(name)) continue
    try {
      const ms = await usualTimeOf(work)
      times.set(name, { ms, byHandMs: byHand && (await usualTimeOf(byHand)) })
    } catch (error) {
      if (!(error instanceof Unmeasured)) throw error
      left.set(name, error.message)
    }
  }
  return { first: firstMs, times }
}

/** The time of the work, of which short work is repeated. @param {() => Promise<unknown>} work */
async function usualTimeOf(work) {
  const first = await timeOf(work)
  const times = [first]
  while (times.length < REPETITIONS && first < SHORT_MS) times.push(await timeOf(work))
  return median(times)
}

/** @param {() => Promise<unknown>} work */
async function timeOf(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** @param {readonly Measurement[]} list @param {{ rounds: readonly Round[], left: Asked["left"] }} measured */
function report(list, { rounds, left }) {
  const confidence = Math.round(intervalConfidence(rounds.length) * 100)
  const base = median(rounds.map(({ first }) => first))
  console.log(`\n${ROWS} rows; medians of ${rounds.length} rounds, with intervals of ${confidence} %`)
  console.log(`first page without a total: ${base.toFixed(2)} ms\n`)
  for (const each of list) {
    const reason = left.get(each.name)
    console.log(reason ? `${each.name.padEnd(NAME_WIDTH)}${reason}` : lineOf(each, rounds))
  }
}

/** @param {Measurement} measurement @param {readonly Round[]} rounds */
function lineOf({ name, bar, byHand }, rounds) {
  const found = rounds.flatMap(({ first, times }) => {
    const time = times.get(name)
    return time ? [{ ...time, first }] : []
  })
  const ms = `${median(found.map((time) => time.ms)).toFixed(1)} ms`.padStart(12)
  const toFirst = ratio(found.map((time) => time.ms / time.first))
  const toHand = byHand && ratio(found.map((time) => time.ms / (time.byHandMs ?? Number.NaN)))
  const judged = toHand ?? toFirst
  const verdict = bar === undefined ? "" : `   bar ${bar}: ${judged.value <= bar ? "met" : "missed"}`
  const hand = toHand ? `   ${toHand.text} × by hand` : ""
  return `${name.padEnd(NAME_WIDTH)}${ms}   ${toFirst.text} × first page${hand}${verdict}`
}

/** @param {readonly number[]} ratios */
function ratio(ratios) {
  const value = median(ratios)
  const { low, high } = medianInterval(ratios)
  return { value, text: `${value.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})` }
}
