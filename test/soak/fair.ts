import { setTimeout as wait } from "node:timers/promises"
import { present } from "../support/present.ts"
import { Caller } from "./fair/caller.ts"
import { Library } from "./fair/library.ts"
import { startServer } from "./fair/server.ts"
import { Worker } from "./fair/worker.ts"

interface FairOptions {
  /** An empty database. */
  readonly url: string
  /** For uploaded files. */
  readonly folder: string
  /** Some of FAIR_PARTS. */
  readonly parts: readonly string[]
  /** Each has a quiet phase and one under attack. */
  readonly rounds: number
  readonly phaseMs: number
  /** The others work for this long before each part. */
  readonly warmUpMs: number
  /** The duration of each mix, in five tries. */
  readonly mixMs: number
  /** When a part is done. */
  readonly onPart?: (part: string, figures: object) => void
  /** Seeded: a whole number from 0 up to the bound. */
  readonly below: (bound: number) => number
}

type Server = Awaited<ReturnType<typeof startServer>>

type Scene = {
  library: Library
  server: Server
  others: Worker
  attacker: Worker
  file: { path: string; text: string }
}

/** The figures of one part: an attack beside others, or a mix of all callers. */
type Attacked = Awaited<ReturnType<typeof runAttack>>
type Mixed = Awaited<ReturnType<typeof runMix>>
type Part = Attacked | Mixed

export interface FairFigures {
  readonly parts: Record<string, Part>
}

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
 */
export async function soakFair(options: FairOptions): Promise<FairFigures> {
  const library = new Library(options.url)
  await library.open()
  const figures: FairFigures["parts"] = {}
  let isFilled = false
  try {
    for (const part of options.parts) {
      figures[part] = await withScene<Part>({ ...options, library, isFilled }, (scene) =>
        part.startsWith(MIX) ? runMix(scene, options, part.slice(MIX.length)) : runAttack(scene, options, part),
      )
      isFilled = true
      options.onPart?.(part, present(figures[part]))
    }
  } finally {
    await library.close()
  }
  return { parts: figures }
}

/** True if a limit is missed. */
export function isUnfair({ parts }: FairFigures) {
  return Object.values(parts).some(({ isKept }) => !isKept)
}

/** Prints one line for each limit. */
export function printFairBars({ parts }: FairFigures) {
  const lines = Object.entries(parts).flatMap<object>(([part, found]) =>
    "delayMs" in found ? mixBars(part, found) : attackBars(part, found),
  )
  console.table(lines)
}

/** Each part starts its own processes, on the same database. */
async function withScene<Result>(
  { url, folder, below, warmUpMs, library, isFilled }: FairOptions & { library: Library; isFilled: boolean },
  work: (scene: Scene) => Promise<Result>,
) {
  const server = await startServer({ url, files: folder })
  const others = new Worker("others-process.ts")
  const attacker = new Worker("attack-process.ts")
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

async function uploadFile(url: string) {
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

/** Runs the other callers for a while, alone or during an attack. */
async function phase(
  { library, server, others, attacker, file }: Scene,
  { ms, below, attack }: { ms: number; below: FairOptions["below"]; attack?: string },
) {
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

function summaryOf({
  latencies,
  statuses,
  wrong,
}: {
  latencies: number[]
  statuses: Record<string, number>
  wrong: number
}) {
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

async function runAttack(scene: Scene, { rounds, phaseMs, below }: FairOptions, attack: string) {
  const quiet = []
  const attacked = []
  for (let turn = 0; turn < rounds; turn += 1) {
    if (turn > 0) await wait(REST_MS)
    quiet.push(await phase(scene, { ms: phaseMs, below }))
    attacked.push(await phase(scene, { ms: phaseMs, below, attack }))
    // Otherwise the tables would grow from round to round.
    await scene.library.removeCreated()
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

async function runMix(scene: Scene, { mixMs, below }: FairOptions, attack: string) {
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

function medians(phases: { p50: number; p99: number; requests: number; slowdown: number }[]) {
  const middle = (name: "p50" | "p99" | "requests" | "slowdown") =>
    round(
      quantile(
        phases.map((one) => one[name]),
        0.5,
      ),
    )
  return { requests: middle("requests"), p50: middle("p50"), p99: middle("p99"), slowdown: middle("slowdown") }
}

function sum(phases: { unavailable: number; wrong: number }[], name: "unavailable" | "wrong") {
  return phases.reduce((total, one) => total + one[name], 0)
}

/** Returns the statuses of the attacker's responses, over all phases. */
function answersOf(phases: { attacked: { answers: Record<string, number> } }[]) {
  const answers: Record<string, number> = {}
  for (const [status, count] of phases.flatMap(({ attacked }) => Object.entries(attacked.answers))) {
    answers[status] = (answers[status] ?? 0) + count
  }
  return answers
}

function quantile(values: number[], share: number) {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

function round(value: number) {
  return Number(value.toPrecision(3))
}

function attackBars(part: string, { quiet, attacked, barMs, unavailable, wrong }: Attacked) {
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

function mixBars(part: string, { aboveIdleMb, delayMs, delays }: Mixed) {
  const slowdown = Math.min(...delays.map((one: { slowdown: number }) => one.slowdown))
  const isSmall = aboveIdleMb <= MAX_MB_ABOVE_IDLE
  const isPrompt = delayMs <= MAX_DELAY_MS
  return [
    { part, bar: "peak RSS above idle, MB", found: aboveIdleMb, allowed: MAX_MB_ABOVE_IDLE, isKept: isSmall },
    { part, bar: "delay of the event loop, ms", found: delayMs, allowed: MAX_DELAY_MS, slowdown, isKept: isPrompt },
  ]
}
