// Measures the time from a keystroke to the other editors of a document, next to a channel event of the same size and
// next to Hocuspocus.
//   npm run build && node bench/documents/keystrokes.mjs [--quick] [--without document]
import { parseArgs } from "node:util"
import { Cleanup } from "../harness/cleanup.mjs"
import { openDatabases } from "../harness/databases.mjs"
import { showStep } from "../harness/progress.mjs"
import { printTable, roundAll } from "../harness/report.mjs"
import { intervalConfidence, median, medianInterval, quantile } from "../harness/statistics.mjs"
import { writeResults } from "../search/results.mjs"
import { editorCookie } from "./editor-sessions.mjs"
import { startMeasuredHocuspocus, startMeasuredKit } from "./measured-server.mjs"
import { TypingLoad } from "./typing-load.mjs"
import { post } from "./typists/post.mjs"

/** @typedef {import("./typists/typist.mjs").Side} Side */
/** @typedef {{ port: number, room: string, memory: () => Promise<import("./measured-server.mjs").Memory> }} Place */

const BAR = 1.5
const TYPISTS = 20
const FIRST_WORDS = 400
const MEGABYTE = 2 ** 20

const { values: flags } = parseArgs({ options: { quick: { type: "boolean" }, without: { type: "string" } } })
// The sides that are measured. Without one of them no results are written.
const SIDES = /** @type {Side[]} */ (["document", "channel", "hocuspocus", "hocuspocus, stored"]).filter(
  (side) => side !== flags.without,
)
// Each of the 20 types five letters a second, which are a hundred keystrokes a second.
const plan = flags.quick
  ? { rounds: 2, warmUp: 0, strokes: 3, pauseMs: 200 }
  : { rounds: 9, warmUp: 4, strokes: 10, pauseMs: 200 }
const cleanup = new Cleanup()
try {
  const places = await startAll()
  const load = new TypingLoad()
  cleanup.add(() => load.stop())
  const before = await memories(places)
  for (const side of SIDES) await load.run({ ...orderOf(places, side), strokes: 0 })
  showStep("measuring")
  const rounds = []
  for (let number = -plan.warmUp; number < plan.rounds; number += 1) {
    const round = await runRound(load, places, number)
    if (number >= 0) rounds.push(round)
  }
  const after = await memories(places)
  const results = SIDES.map((side) => ({
    name: side,
    ...latenciesOf(rounds, side),
    ...growth(before[side], after[side]),
  }))
  const [first, ...others] = SIDES
  const ratios = others.map((to) => ratioOf(rounds, /** @type {Side} */ (first), to))
  show(results, ratios)
  if (!flags.quick && flags.without === undefined) {
    const load = { typists: TYPISTS, pauseMs: plan.pauseMs, strokesOfEach: plan.strokes * 2 * plan.rounds }
    const figures = {
      bar: { "document / channel": BAR },
      load,
      results: results.map(roundAll),
      ratios: ratios.map(roundAll),
    }
    await writeResults("documents-keystrokes", { rounds: plan.rounds, ...figures })
  }
} finally {
  await cleanup.run()
}

/** @returns {Promise<Record<Side, Place>>} */
async function startAll() {
  const urls = await openDatabases(cleanup)
  const kit = await startMeasuredKit({ url: urls.kit, cleanup })
  const memory = await startMeasuredHocuspocus({ url: urls.raw, cleanup }, { isStored: false })
  const stored = await startMeasuredHocuspocus({ url: urls.raw, cleanup }, { isStored: true })
  const body = JSON.stringify({ title: "A note", body: "word ".repeat(FIRST_WORDS) })
  const { id } = await post({ port: kit.port, path: "/notes", cookie: editorCookie(0), type: "application/json", body })
  return {
    document: { ...kit, room: id },
    channel: { ...kit, room: id },
    hocuspocus: { ...memory, room: "note" },
    "hocuspocus, stored": { ...stored, room: "note" },
  }
}

/** @param {Record<Side, Place>} places @param {Side} side */
function orderOf(places, side) {
  const { port, room } = places[side]
  return { side, port, room, typists: TYPISTS, strokes: plan.strokes, pauseMs: plan.pauseMs }
}

/**
 * Gives each side two turns, in mirrored order, so that a machine that slows down affects all.
 *
 * @param {TypingLoad} load
 * @param {Record<Side, Place>} places
 * @param {number} number
 */
async function runRound(load, places, number) {
  const order = number % 2 === 0 ? SIDES : SIDES.toReversed()
  /** @type {Record<Side, number[]>} */
  const latencies = { document: [], channel: [], hocuspocus: [], "hocuspocus, stored": [] }
  for (const side of [...order, ...order.toReversed()]) latencies[side].push(...(await load.run(orderOf(places, side))))
  return latencies
}

/** @param {readonly Record<Side, number[]>[]} rounds @param {Side} side */
function latenciesOf(rounds, side) {
  const all = rounds.flatMap((round) => round[side])
  return { p50Ms: quantile(all, 0.5), p95Ms: quantile(all, 0.95), p99Ms: quantile(all, 0.99), received: all.length }
}

/**
 * Returns the median of the rounds' ratios of the medians.
 *
 * @param {readonly Record<Side, number[]>[]} rounds
 * @param {Side} side
 * @param {Side} other
 */
function ratioOf(rounds, side, other) {
  const ratios = rounds.map((round) => median(round[side]) / median(round[other]))
  const confidence = intervalConfidence(ratios.length)
  return { name: `${side} / ${other}`, ratio: median(ratios), ...medianInterval(ratios), confidence }
}

/** @param {Record<Side, Place>} places @returns {Promise<Record<Side, import("./measured-server.mjs").Memory>>} */
async function memories(places) {
  const entries = await Promise.all(SIDES.map(async (side) => [side, await places[side].memory()]))
  return Object.fromEntries(entries)
}

/** @param {import("./measured-server.mjs").Memory} before @param {import("./measured-server.mjs").Memory} after */
function growth(before, after) {
  return {
    heapMb: after.heapUsed / MEGABYTE,
    heapGrownMb: (after.heapUsed - before.heapUsed) / MEGABYTE,
    rssMb: after.rss / MEGABYTE,
    rssGrownMb: (after.rss - before.rss) / MEGABYTE,
  }
}

/** @param {readonly Record<string, any>[]} results @param {readonly Record<string, any>[]} ratios */
function show(results, ratios) {
  const figures = ["p50Ms", "p95Ms", "p99Ms", "heapMb", "heapGrownMb", "rssMb", "rssGrownMb"]
  const head = ["", "p50 ms", "p95 ms", "p99 ms", "heap MB", "grown", "RSS MB", "grown"]
  printTable(
    head,
    results.map((result) => [result.name, ...figures.map((figure) => result[figure].toFixed(1))]),
  )
  for (const { name, ratio, low, high, confidence } of ratios) {
    const bar = name === "document / channel" ? `; at most ${BAR}` : ""
    const interval = `${low.toFixed(2)}–${high.toFixed(2)} at ${(confidence * 100).toFixed(0)} %`
    console.log(`${name}: ${ratio.toFixed(2)} (${interval}${bar})`)
  }
}
