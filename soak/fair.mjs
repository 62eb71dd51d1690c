import { setTimeout as wait } from "node:timers/promises"
import { Caller } from "./fair/caller.mjs"
import { Library } from "./fair/library.mjs"
import { startServer } from "./fair/server.mjs"
import { Worker } from "./fair/worker.mjs"

/**
 * @typedef {object} FairOptions
 * @property {string} url      an empty database
 * @property {string} folder   for uploaded files
 * @property {readonly string[]} parts  of FAIR_PARTS
 * @property {number} rounds   of each attack: a quiet phase and one under attack
 * @property {number} phaseMs
 * @property {number} warmUpMs of the others, before each part
 * @property {number} mixMs    of each mix, in five tries
 * @property {(part: string, figures: object) => void} [onPart]  when a part is done
 * @property {(bound: number) => number} below  seeded: a whole number from 0 up to the bound
 *
 * @typedef {Awaited<ReturnType<typeof startServer>>} Server
 * @typedef {{ library: Library, server: Server, others: Worker, attacker: Worker, file: { path: string, text: string } }} Scene
 */

const ATTACKED = ["queries-closed", "queries", "with", "bulk", "nested", "topics", "sign-ins"]
const MIXED = ["topics", "with", "bulk", "nested"]
const MIX = "mix-"

/** Each part can be run alone. */
export const FAIR_PARTS = Object.freeze([...ATTACKED, ...MIXED.map((name) => MIX + name)])

// The limit for the p99 latency of the other callers during an attack: the larger of these two.
const MAX_TIMES = 2
const MAX_MORE_MS = 100
const MAX_MB_ABOVE_IDLE = 300
const MAX_DELAY_MS = 50
const TRIES = 5
const REST_MS = 1_000
const SEEDS = 2 ** 31
const FILE_TEXT = "hello"

/**
 * Measures what other callers notice of one anonymous caller with the most expensive requests, and its effect on the
 * process.
 *
 * @param {FairOptions} options
 */
export async function soakFair(options) {
  const library = new Library(options.url)
  await library.open()
  /** @type {Record<string, any>} */
  const figures = {}
  let isFilled = false
  try {
    for (const part of options.parts) {
      figures[part] = await withScene({ ...options, library, isFilled }, (scene) =>
        part.startsWith(MIX) ? runMix(scene, options, part.slice(MIX.length)) : runAttack(scene, options, part),
      )
      isFilled = true
      options.onPart?.(part, figures[part])
    }
  } finally {
    await library.close()
  }
  return { parts: figures }
}

/** True if a limit is missed. @param {Record<string, any>} figures */
export function isUnfair({ parts }) {
  return Object.values(parts).some(({ isKept }) => !isKept)
}

/** Prints one line for each limit. @param {Record<string, any>} figures */
export function printFairBars({ parts }) {
  const lines = Object.entries(parts).flatMap(([part, found]) =>
    part.startsWith(MIX) ? mixBars(part, found) : attackBars(part, found),
  )
  console.table(lines)
}

/**
 * Each part starts its own processes, on the same database.
 *
 * @template Result
 * @param {FairOptions & { library: Library, isFilled: boolean }} options
 * @param {(scene: Scene) => Promise<Result>} work
 */
async function withScene({ url, folder, below, warmUpMs, library, isFilled }, work) {
  const server = await startServer({ url, files: folder })
  const others = new Worker("others-process.mjs")
  const attacker = new Worker("attack-process.mjs")
  try {
    if (!isFilled) await library.fill()
    const file = await uploadFile(server.url)
    const scene = { library, server, others, attacker, file }
    await phase(scene, { ms: warmUpMs, below })
    return await work(scene)
  } finally {
    await others.stop()
    await attacker.stop()
    await server.kill()
    await library.endSessions()
    await library.removeCreated()
  }
}

/** @param {string} url */
async function uploadFile(url) {
  const caller = new Caller(url, "127.0.0.1")
  const boundary = "a-line-between-parts"
  const head = 'content-disposition: form-data; name="file"; filename="hello.txt"\r\ncontent-type: text/plain'
  const body = `--${boundary}\r\n${head}\r\n\r\n${FILE_TEXT}\r\n--${boundary}--\r\n`
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` }
  const answer = await caller.ask({ method: "POST", path: "/media/upload", headers, body })
  caller.close()
  if (answer.status !== 201) throw new Error(`The upload answered ${answer.status}: ${answer.body}`)
  const path = String(JSON.parse(answer.body.toString()).url)
  return { path: path.replace(new URL(url).pathname, ""), text: FILE_TEXT }
}

/**
 * Runs the other callers for a while, alone or during an attack.
 *
 * @param {Scene} scene
 * @param {{ ms: number, below: FairOptions["below"], attack?: string }} plan
 */
async function phase({ library, server, others, attacker, file }, { ms, below, attack }) {
  const { url } = server
  await server.readDelay()
  if (attack !== undefined) await attacker.begin({ name: attack, url })
  await others.begin({ url, seed: below(SEEDS), file })
  await wait(ms)
  const found = await others.end()
  const attacked = attack === undefined ? undefined : await attacker.end()
  const delay = await server.readDelay()
  await library.untilCalm()
  return { ...summaryOf(found), ...delay, attacked }
}

/** @param {{ latencies: number[], statuses: Record<string, number>, wrong: number }} found */
function summaryOf({ latencies, statuses, wrong }) {
  const { 200: right = 0, 503: unavailable = 0, ...failed } = statuses
  return {
    requests: latencies.length,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    unavailable,
    // Every response that is neither the expected one nor a 503.
    wrong: wrong + Object.values(failed).reduce((sum, count) => sum + count, 0),
    right: right - wrong,
  }
}

/** @param {Scene} scene @param {FairOptions} options @param {string} attack */
async function runAttack(scene, { rounds, phaseMs, below }, attack) {
  const quiet = []
  const attacked = []
  for (let turn = 0; turn < rounds; turn += 1) {
    quiet.push(await phase(scene, { ms: phaseMs, below }))
    attacked.push(await phase(scene, { ms: phaseMs, below, attack }))
    // Otherwise the tables would grow from round to round.
    await scene.library.removeCreated()
    await wait(REST_MS)
  }
  const found = {
    quiet: medians(quiet),
    attacked: medians(attacked),
    unavailable: sum(attacked, "unavailable"),
    wrong: sum(attacked, "wrong") + sum(quiet, "wrong") + sum(quiet, "unavailable"),
    answers: answersOf(attacked),
  }
  const barMs = Math.max(MAX_TIMES * found.quiet.p99, found.quiet.p99 + MAX_MORE_MS)
  const isKept = found.attacked.p99 <= barMs && found.unavailable + found.wrong === 0
  return { ...found, barMs: round(barMs), isKept }
}

/** @param {Scene} scene @param {FairOptions} options @param {string} attack */
async function runMix(scene, { mixMs, below }, attack) {
  const { server, library } = scene
  await wait(REST_MS)
  const idleMb = await server.readMb()
  await server.forgetPeak()
  const delays = []
  const phases = []
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const found = await phase(scene, { ms: mixMs / TRIES, below, attack })
    phases.push(found)
    const { longestMs, longestOwnMs, slowdown } = found
    delays.push({ clockMs: round(longestMs), ms: round(longestOwnMs), slowdown: round(slowdown) })
    await library.removeCreated()
  }
  const delayMs = Math.min(...delays.map(({ ms }) => ms))
  const peakMb = await server.readPeakMb()
  const isKept = peakMb - idleMb <= MAX_MB_ABOVE_IDLE && delayMs <= MAX_DELAY_MS
  const answers = answersOf(phases)
  return { idleMb, peakMb, aboveIdleMb: peakMb - idleMb, delayMs, delays, answers, isKept }
}

/** @param {{ p50: number, p99: number, requests: number, slowdown: number }[]} phases */
function medians(phases) {
  const middle = (/** @type {"p50" | "p99" | "requests" | "slowdown"} */ name) =>
    round(
      quantile(
        phases.map((one) => one[name]),
        0.5,
      ),
    )
  return { requests: middle("requests"), p50: middle("p50"), p99: middle("p99"), slowdown: middle("slowdown") }
}

/** @param {{ unavailable: number, wrong: number }[]} phases @param {"unavailable" | "wrong"} name */
function sum(phases, name) {
  return phases.reduce((total, one) => total + one[name], 0)
}

/**
 * Returns the statuses of the attacker's responses, over all phases.
 *
 * @param {{ attacked: { answers: Record<string, number> } }[]} phases
 */
function answersOf(phases) {
  /** @type {Record<string, number>} */
  const answers = {}
  for (const [status, count] of phases.flatMap(({ attacked }) => Object.entries(attacked.answers))) {
    answers[status] = (answers[status] ?? 0) + count
  }
  return answers
}

/** @param {number[]} values @param {number} share */
function quantile(values, share) {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

/** @param {number} value */
function round(value) {
  return Number(value.toPrecision(3))
}

/** @param {string} part @param {any} found */
function attackBars(part, { quiet, attacked, barMs, unavailable, wrong }) {
  const { slowdown } = attacked
  return [
    {
      part,
      bar: "p99 of others, ms",
      quiet: quiet.p99,
      found: attacked.p99,
      allowed: barMs,
      slowdown,
      isKept: attacked.p99 <= barMs,
    },
    { part, bar: "503 of others", found: unavailable, allowed: 0, isKept: unavailable === 0 },
    { part, bar: "wrong answers of others", found: wrong, allowed: 0, isKept: wrong === 0 },
  ]
}

/** @param {string} part @param {any} found */
function mixBars(part, { aboveIdleMb, delayMs, delays }) {
  const slowdown = Math.min(...delays.map((/** @type {{ slowdown: number }} */ one) => one.slowdown))
  const isSmall = aboveIdleMb <= MAX_MB_ABOVE_IDLE
  const isPrompt = delayMs <= MAX_DELAY_MS
  return [
    { part, bar: "peak RSS above idle, MB", found: aboveIdleMb, allowed: MAX_MB_ABOVE_IDLE, isKept: isSmall },
    { part, bar: "delay of the event loop, ms", found: delayMs, allowed: MAX_DELAY_MS, slowdown, isKept: isPrompt },
  ]
}
