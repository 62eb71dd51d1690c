// Measures how well search orders what it finds, by the labelled set in `labelled/`.
//   npm run build && node bench/search/relevance.mjs
import { readFile } from "node:fs/promises"
import { setTimeout as delay } from "node:timers/promises"
import { Cleanup } from "../harness/cleanup.mjs"
import { openDatabases, withClient } from "../harness/databases.mjs"
import { showStep } from "../harness/progress.mjs"
import { printTable } from "../harness/report.mjs"
import { startKit } from "../harness/servers.mjs"
import { waitForIndex } from "./documents-database.mjs"
import { ndcg } from "./ndcg.mjs"
import { writeResults } from "./results.mjs"

const MODES = /** @type {const} */ (["lexical", "semantic", "hybrid"])
const DEPTH = 10
const MAX_BEHIND_SEMANTIC = 0.02
const TURN_MS = 500
const MAX_TURNS = 600

/** @typedef {{ id: string, kind: string, query: string, relevant: Record<string, number> }} LabelledQuery */

const cleanup = new Cleanup()
try {
  const { kit: url } = await openDatabases(cleanup)
  const app = "bench/search/apps/articles"
  const { port } = await startKit({ url, cleanup, app, firstCall: "/health" })
  await store(port, await readLabelled("documents"))
  showStep("waiting for the index and the embeddings")
  await waitForIndex(url)
  await waitForVectors(url)
  const queries = await readLabelled("queries")
  /** @type {Record<string, Record<string, number>>} */
  const figures = {}
  for (const mode of MODES) {
    showStep(`asking ${queries.length} queries, ${mode}`)
    figures[mode] = byKind(queries, await measure(port, mode, queries))
  }
  printTable(
    ["nDCG@10", ...MODES],
    Object.keys(figures.hybrid).map((kind) => lineOf(kind, figures)),
  )
  const isGood = figures.hybrid.all >= Math.max(figures.lexical.all, figures.semantic.all - MAX_BEHIND_SEMANTIC)
  console.log(`hybrid >= lexical and >= semantic - ${MAX_BEHIND_SEMANTIC}: ${isGood ? "yes" : "NO"}`)
  await writeResults("search-relevance", { rounds: 1, embedder: await embedderName(url), ...figures })
} finally {
  await cleanup.run()
}

/** @param {string} name */
async function readLabelled(name) {
  return JSON.parse(await readFile(new URL(`./labelled/${name}.json`, import.meta.url), "utf8"))
}

/** @param {number} port @param {{ id: string }[]} documents */
async function store(port, documents) {
  for (const { id, ...document } of documents) await post(port, "/articles", { label: id, ...document })
}

/** @param {number} port @param {string} path @param {unknown} body */
async function post(port, path, body) {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
  if (!response.ok) throw new Error(`${path} ${JSON.stringify(body)}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** Returns the gain of each query. @param {number} port @param {string} mode @param {LabelledQuery[]} queries */
async function measure(port, mode, queries) {
  const gains = []
  for (const { query, relevant } of queries) {
    const { docs } = await post(port, "/search", { query, mode, limit: DEPTH })
    gains.push(
      ndcg(
        docs.map((/** @type {{ label: string }} */ { label }) => label),
        relevant,
        DEPTH,
      ),
    )
  }
  return gains
}

/** Returns the means of all queries, and of the queries of each kind. @param {LabelledQuery[]} queries @param {number[]} gains */
function byKind(queries, gains) {
  const kinds = [...new Set(queries.map(({ kind }) => kind))]
  const means = kinds.map((kind) => [kind, mean(gains.filter((_, index) => queries[index]?.kind === kind))])
  return { all: mean(gains), ...Object.fromEntries(means) }
}

/** @param {number[]} values */
function mean(values) {
  return Number((values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(4))
}

/** @param {string} kind @param {Record<string, Record<string, number>>} figures */
function lineOf(kind, figures) {
  return [kind, ...MODES.map((mode) => figures[mode]?.[kind]?.toFixed(3) ?? "")]
}

/** Waits until every article has its vector. @param {string} url */
async function waitForVectors(url) {
  const missing = `select exists (select from articles where not exists (
    select from _kit_search_vectors vectors where vectors.key = articles._search_key)) as missing`
  await withClient(url, async (client) => {
    for (let turn = 0; turn < MAX_TURNS; turn += 1) {
      if (!(await client.query(missing)).rows[0].missing) return
      await delay(TURN_MS)
    }
    throw new Error("Some articles still have no vector.")
  })
}

/** @param {string} url */
async function embedderName(url) {
  let name = ""
  await withClient(url, async (client) => {
    name = (await client.query("select distinct model from _kit_search_vectors")).rows.map(({ model }) => model).join()
  })
  return name
}
