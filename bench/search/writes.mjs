// Measures what search costs a write: patches of a searchable collection, next to the same collection without search.
//   npm run build && node bench/search/writes.mjs [--quick]
import { parseArgs } from "node:util"
import { Cleanup } from "../harness/cleanup.mjs"
import { openDatabases, withClient } from "../harness/databases.mjs"
import { showStep } from "../harness/progress.mjs"
import { postId } from "../harness/seeded-values.mjs"
import { startKit } from "../harness/servers.mjs"
import { waitForIndex } from "./documents-database.mjs"
import { generatedTexts, vocabulary } from "./generated-text.mjs"
import { measureRounds, requestOf } from "./latency-rounds.mjs"
import { writeResults } from "./results.mjs"

// The speed of the patches beside the same without search.
const BARS = { "an indexed field": 0.5, "another field": 0.9 }
const NOTES = 10_000
const REQUESTS = 400
const CLIENTS = 8

const { values: flags } = parseArgs({ options: { quick: { type: "boolean" } } })
const rounds = flags.quick ? 5 : 9
const words = vocabulary(24_000)
const cleanup = new Cleanup()
try {
  const { kit: url } = await openDatabases(cleanup)
  const { port } = await startKit({ url, cleanup, app: "bench/search/apps/documents", firstCall: "/health" })
  showStep(`storing ${NOTES} notes twice`)
  await storeNotes(url)
  await waitForIndex(url)
  showStep("measuring")
  const results = [
    await measurePatches(port, "an indexed field", ({ title }) => ({ title })),
    await measurePatches(port, "another field", (_text, number) => ({ views: number })),
  ]
  await writeResults("search-writes", { rounds, bars: BARS, results })
} finally {
  await cleanup.run()
}

/** Bodies are of about 150 words. @param {number} count @param {number} seed */
function texts(count, seed) {
  return [...generatedTexts({ count, words, bodyWords: 150, wordsInTurn: 4, seed })]
}

/** @param {string} url */
async function storeNotes(url) {
  const notes = texts(NOTES, 3)
  const values = [
    notes.map((_, number) => postId(number)),
    notes.map(({ title }) => title),
    notes.map(({ body }) => body),
  ]
  await withClient(url, async (client) => {
    for (const table of ["notes", `"plainNotes"`]) {
      await client.query(
        `insert into ${table} (id, title, body, views, "createdAt", "updatedAt")
         select id, title, body, 0, now(), now() from unnest($1::uuid[], $2::text[], $3::text[]) as note (id, title, body)`,
        values,
      )
    }
  })
}

/**
 * @param {number} port
 * @param {keyof typeof BARS} name
 * @param {(text: { title: string }, number: number) => object} changeOf
 */
async function measurePatches(port, name, changeOf) {
  const requests = texts(REQUESTS, 4).map((text, number) => {
    const body = changeOf(text, number + 1)
    const patch = (/** @type {string} */ collection) =>
      requestOf({ method: "PATCH", path: `/${collection}/${postId((number * 7) % NOTES)}`, body })
    return { kit: patch("notes"), raw: patch("plainNotes") }
  })
  const figure = (/** @type {readonly number[]} */ latencies) =>
    latencies.reduce((sum, ms) => sum + ms, 0) / latencies.length
  const result = await measureRounds({
    name,
    ports: { kit: port, raw: port },
    requests,
    clients: CLIENTS,
    rounds,
    figure,
  })
  // The speed is the reciprocal of the time.
  const speed = { name, ratio: 1 / result.ratio, low: 1 / result.high, high: 1 / result.low, rounds }
  const interval = `${speed.low.toFixed(2)}–${speed.high.toFixed(2)}`
  console.log(
    `patch of ${name}: ${speed.ratio.toFixed(2)} of the speed without search (${interval}; at least ${BARS[name]})`,
  )
  return speed
}
