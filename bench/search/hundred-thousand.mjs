// Measures searches of 100,000 documents by somebody who may read half of them, next to a server written by hand.
//   npm run build && node bench/search/hundred-thousand.mjs [--quick] [--documents 10000] [--kept postgres://…]
import { parseArgs } from "node:util"
import { Cleanup } from "../harness/cleanup.mjs"
import { withClient } from "../harness/databases.mjs"
import { showStep } from "../harness/progress.mjs"
import { SESSION_COOKIE } from "../harness/seeded-session.mjs"
import { median, quantile } from "../harness/statistics.mjs"
import { checkSameAnswers } from "./check-same-answers.mjs"
import { DOCUMENTS, documentTexts, READER, serveDocuments, WORDS } from "./documents-database.mjs"
import { randomFrom } from "./generated-text.mjs"
import { measureRounds, requestOf, showResult } from "./latency-rounds.mjs"
import { writeResults } from "./results.mjs"

const BARS = { words: 1.3, prefixes: 1.5 }
const QUERIES = 40
const TYPED_TITLES = 8
const CLIENTS = 8
const MIN_LETTERS = 3
const FIRST_TYPED_PLACE = 50
// Words at these places of the vocabulary are each in about a tenth of all documents, so two are in a hundredth.
const PLACES = { from: 80, to: 260 }
const FACETS = [{ field: "section" }, { field: "kind" }, { field: "year" }]

const { values: flags } = parseArgs({
  options: { quick: { type: "boolean" }, documents: { type: "string" }, kept: { type: "string" } },
})
const rounds = flags.quick ? 5 : 9
const count = Number(flags.documents ?? DOCUMENTS)
const cleanup = new Cleanup()
try {
  const { url, ports } = await serveDocuments(cleanup, { count, kept: flags.kept })
  const words = (await chooseQueries(url)).map((query) => ({
    query,
    collections: ["documents"],
    limit: 10,
    highlights: true,
    facets: FACETS,
  }))
  const typed = typedQueries().map((query) => ({ query, collections: ["documents"], limit: 10, highlights: true }))
  showStep("comparing the answers")
  await checkSameAnswers(ports, [...words.slice(0, 10), ...typed.slice(0, 40)])
  showStep("measuring")
  const found = await measureRounds({
    name: "two words",
    ports,
    requests: words.map(sides),
    clients: 1,
    rounds,
    figure: median,
  })
  showResult(found, `at most ${BARS.words}`)
  const asTyped = await measureRounds({
    name: `prefixes, p95 of ${CLIENTS} clients`,
    ports,
    requests: typed.map(sides),
    clients: CLIENTS,
    rounds,
    figure: (latencies) => quantile(latencies, 0.95),
  })
  showResult(asTyped, `at most ${BARS.prefixes}`)
  if (count === DOCUMENTS)
    await writeResults("search-hundred-thousand", { rounds, bars: BARS, results: [found, asTyped] })
} finally {
  await cleanup.run()
}

/** Both sides get the same request. @param {unknown} body */
function sides(body) {
  const request = requestOf({ method: "POST", path: "/search", cookie: SESSION_COOKIE, body })
  return { kit: request, raw: request }
}

/**
 * Returns pairs of words that 0.4 % to 0.6 % of all documents have and the reader may read: 400 to 600 of 100,000.
 *
 * @param {string} url
 */
async function chooseQueries(url) {
  const random = randomFrom(7)
  const word = () => WORDS[PLACES.from + random(PLACES.to - PLACES.from)]
  /** @type {string[]} */
  const chosen = []
  await withClient(url, async (client) => {
    while (chosen.length < QUERIES) {
      const pair = [word(), word()]
      const { rows } = await client.query(
        `select count(*)::int as hits from documents
          where owner = $1 and _search @@ (plainto_tsquery('_kit_english', $2) && to_tsquery('_kit_simple', $3))`,
        [READER, pair[0], `${pair[1]}:*`],
      )
      if (rows[0].hits >= count * 0.004 && rows[0].hits <= count * 0.006) chosen.push(pair.join(" "))
    }
  })
  return chosen
}

/** Returns what people type, letter by letter from the third on: two words of the title of a document that they may read. */
function typedQueries() {
  const places = new Map(WORDS.map((word, place) => [word, place]))
  const readable = [...documentTexts(2 * TYPED_TITLES)].filter((_, number) => number % 2 === 0)
  return readable.flatMap(({ title }) => {
    // Nobody searches for the words that nearly every document has.
    const [first = "", second = ""] = title.split(" ").filter((word) => Number(places.get(word)) >= FIRST_TYPED_PLACE)
    return [...beginnings(first), ...beginnings(second).map((beginning) => `${first} ${beginning}`)]
  })
}

/** @param {string} word */
function beginnings(word) {
  return Array.from({ length: Math.max(0, word.length - MIN_LETTERS + 1) }, (_, more) =>
    word.slice(0, MIN_LETTERS + more),
  )
}
