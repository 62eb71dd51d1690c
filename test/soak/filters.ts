import { loadRecords } from "./filters/load.ts"
import { MODEL } from "./filters/model.ts"
import { type Question, randomQuestion } from "./filters/questions.ts"
import { Chance } from "./live/random.ts"

interface FiltersOptions {
  readonly start: (
    model: typeof MODEL,
  ) => Promise<{ anonymous: any; query: (text: string) => Promise<unknown>; stop: () => Promise<void> }>
  /** Seeded: a whole number from 0 up to the bound. */
  readonly below: (bound: number) => number
  readonly filters: number
  readonly books: number
  readonly reviews: number
}

type Answer = { outcome: "answered" | "refused" | "failed"; ms: number; reason?: string }

const MOST_MS = 1_000
// A stalled machine makes every request slow, but not the same request several times in a row.
const TRIES = 5
const MAX_SHOWN = 10
const PROBE_MS = 20

/**
 * Anonymous callers filter over several levels of relations. Each filter is answered within a second, or refused as too
 * costly.
 */
export async function soakFilters({ start, below, filters, books, reviews }: FiltersOptions) {
  const app = await start(MODEL)
  const shown: object[] = []
  const figures = { answered: 0, refused: 0, failed: 0, slow: 0, slowestMs: 0, shown }
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

async function fastest(run: () => Promise<Answer>): Promise<Answer> {
  let best = await timed(run)
  for (let tries = 1; tries < TRIES && best.ms > MOST_MS; tries++) {
    const next = await timed(run)
    if (next.ms < best.ms) best = next
  }
  return best
}

/** Returns the time that the request takes without the load of other processes. */
async function timed(run: () => Promise<Answer>): Promise<Answer> {
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

async function ask(client: any, { form, of, options }: Question): Promise<Answer> {
  const collection = client.collections[of]
  const startedAt = performance.now()
  const error = await OPERATIONS[form]?.(collection, options).then(
    () => undefined,
    (reason: any) => reason,
  )
  const ms = performance.now() - startedAt
  if (error === undefined || error.code === "CONFLICT") return { outcome: "answered", ms }
  const outcome = error.code === "VALIDATION_ERROR" ? "refused" : "failed"
  return { outcome, ms, reason: `${error.code}: ${error.message}` }
}

const OPERATIONS: Record<string, (collection: any, options: any) => Promise<unknown>> = {
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

async function firstSnapshot(collection: any, options: any) {
  let stop: (() => void) | undefined
  try {
    await new Promise((resolve, reject) => {
      stop = collection.live(options, resolve, { onError: reject })
    })
  } finally {
    stop?.()
  }
}
