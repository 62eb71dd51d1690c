import { loadRecords } from "./filters/load.mjs"
import { MODEL } from "./filters/model.mjs"
import { randomQuestion } from "./filters/questions.mjs"
import { Chance } from "./live/random.mjs"

/**
 * @typedef {object} FiltersOptions
 * @property {(model: typeof MODEL) => Promise<{ anonymous: any, query: (text: string) => Promise<unknown>, stop: () => Promise<void> }>} start
 * @property {(bound: number) => number} below  seeded: a whole number from 0 up to the bound
 * @property {number} filters
 * @property {number} books
 * @property {number} reviews
 *
 * @typedef {{ outcome: "answered" | "refused" | "failed", ms: number, reason?: string }} Answer
 */

const MOST_MS = 1_000
// A stalled machine makes every request slow, but not the same request several times in a row.
const TRIES = 5
const MAX_SHOWN = 10
const PROBE_MS = 20

/**
 * Anonymous callers filter over several levels of relations. Each filter is answered within a second, or refused as too
 * costly.
 *
 * @param {FiltersOptions} options
 */
export async function soakFilters({ start, below, filters, books, reviews }) {
  const app = await start(MODEL)
  const figures = { answered: 0, refused: 0, failed: 0, slow: 0, slowestMs: 0, shown: /** @type {object[]} */ ([]) }
  try {
    await loadRecords((text) => app.query(text), { books, reviews })
    const chance = new Chance(below)
    for (let asked = 0; asked < filters; asked++) {
      const question = randomQuestion(chance)
      const answer = await fastest(() => ask(app.anonymous, question))
      figures[answer.outcome] += 1
      figures.slowestMs = Math.max(figures.slowestMs, Math.round(answer.ms))
      const isSlow = answer.ms > MOST_MS
      if (isSlow) figures.slow += 1
      const isShown = (isSlow || answer.outcome === "failed") && figures.shown.length < MAX_SHOWN
      if (isShown) figures.shown.push({ ...answer, ...question })
    }
  } finally {
    await app.stop()
  }
  return figures
}

/** @param {() => Promise<Answer>} run @returns {Promise<Answer>} */
async function fastest(run) {
  let best = await timed(run)
  for (let tries = 1; tries < TRIES && best.ms > MOST_MS; tries++) {
    const next = await timed(run)
    if (next.ms < best.ms) best = next
  }
  return best
}

/**
 * Returns the time that the request takes without the load of other processes.
 *
 * @param {() => Promise<Answer>} run
 * @returns {Promise<Answer>}
 */
async function timed(run) {
  const before = slowdown()
  const answer = await run()
  return { ...answer, ms: (2 * answer.ms) / (before + slowdown()) }
}

/** Returns the ratio of elapsed time to CPU time: above 1, other processes compete for the CPU. */
function slowdown() {
  const startedAt = performance.now()
  const { user } = process.cpuUsage()
  while (process.cpuUsage().user - user < PROBE_MS * 1_000);
  return Math.max(1, (performance.now() - startedAt) / PROBE_MS)
}

/** @param {any} client @param {import("./filters/questions.mjs").Question} question @returns {Promise<Answer>} */
async function ask(client, { form, of, options }) {
  const collection = client.collections[of]
  const startedAt = performance.now()
  const error = await OPERATIONS[form]?.(collection, options).then(
    () => undefined,
    (/** @type {any} */ reason) => reason,
  )
  const ms = performance.now() - startedAt
  if (error === undefined || error.code === "CONFLICT") return { outcome: "answered", ms }
  const outcome = error.code === "VALIDATION_ERROR" ? "refused" : "failed"
  return { outcome, ms, reason: `${error.code}: ${error.message}` }
}

/** @type {Record<string, (collection: any, options: any) => Promise<unknown>>} */
const OPERATIONS = {
  find: (collection, options) => collection.find(options),
  count: (collection, options) => collection.count(options),
  groups: (collection, options) => collection.find(options),
  order: (collection, options) => collection.find(options),
  with: (collection, options) => collection.find(options),
  updateMany: (collection, options) => collection.updateMany(options),
  deleteMany: (collection, options) => collection.deleteMany(options),
  connectOrCreate: (collection, options) => collection.create(options),
  topic: firstSnapshot,
}

/** @param {any} collection @param {any} options */
async function firstSnapshot(collection, options) {
  /** @type {(() => void) | undefined} */
  let stop
  try {
    await new Promise((resolve, reject) => {
      stop = collection.live(options, resolve, { onError: reject })
    })
  } finally {
    stop?.()
  }
}
