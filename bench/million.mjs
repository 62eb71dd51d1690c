// Measures the first page of 1,000,000 posts with an indexed filter and without a total, next to the same statement by
// hand.
//   npm run build && node bench/million.mjs
import { createServer } from "node:http"
import { join } from "node:path"
import pg from "pg"
import { startEmbeddedPostgres } from "../packages/kit/dist/drivers/embedded-postgres/start.js"
import { Cleanup } from "./harness/cleanup.mjs"
import { showStep } from "./harness/progress.mjs"
import { startKit } from "./harness/servers.mjs"
import { median } from "./harness/statistics.mjs"
import { makeTemporaryFolder } from "./harness/temporary-folder.mjs"

const ROWS = 1_000_000
const LIMIT = 20
const WARM_UP = 50
const ROUNDS = 400
const TIME_LIMIT_MS = 85_000
const BAR = 1.5
const QUERY = `/posts?where[status]=published&limit=${LIMIT}&total=false`

const RAW = {
  name: "first-page",
  text: `select id, title, slug, body, status, views, published, "publishedAt", author, "createdAt", "updatedAt"
    from posts where status = $1 order by "createdAt" desc, id desc limit $2`,
  values: ["published", LIMIT],
}

// Equal times are the worst case for an index on the time alone.
const TIMES = {
  "all times differ": `timestamptz '2026-01-01' + number * interval '1 second'`,
  "all times are the same": `timestamptz '2026-01-01'`,
}

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
  const embedded = await startEmbeddedPostgres({ directory: join(await makeTemporaryFolder(cleanup), "db") })
  cleanup.add(() => embedded.release())
  const client = await connect(embedded.url)
  const kit = await startKit({ url: embedded.url, cleanup })
  const raw = await serveRaw(await connect(embedded.url))
  for (const [name, time] of Object.entries(TIMES)) {
    showStep(`storing ${ROWS} rows, ${name}`)
    await store(client, time)
    await checkAnswers(client, kit.port)
    const statement = await statementOfKit(client)
    // Statements and requests alternate, so that each finds the caches as the other kind left them.
    const sides = {
      "raw statement": () => client.query(RAW),
      "raw over HTTP": () => ask(`http://127.0.0.1:${raw}/`),
      "statement of kit": () => client.query(statement),
      "kit over HTTP": () => ask(`http://127.0.0.1:${kit.port}${QUERY}`),
    }
    report(name, await alternate(sides))
  }
}

/** @param {string} url */
async function connect(url) {
  const client = new pg.Client({ connectionString: url })
  client.on("error", () => {})
  await client.connect()
  cleanup.add(() => client.end())
  return client
}

/** The minimal server: the statement, and its result as JSON. @param {pg.Client} client */
async function serveRaw(client) {
  const server = createServer(async (_request, response) => {
    const text = JSON.stringify({ docs: (await client.query(RAW)).rows })
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
    response.end(text)
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)))
  cleanup.add(() => server.close().closeAllConnections())
  const address = server.address()
  return address !== null && typeof address === "object" ? address.port : 0
}

/** @param {pg.Client} client @param {string} time */
async function store(client, time) {
  await client.query("truncate posts cascade")
  await client.query("alter table posts set (autovacuum_enabled = false)")
  await client.query(
    `insert into posts (id, title, slug, body, status, views, published, "createdAt", "updatedAt")
     select uuidv7(), 'Post ' || number, 'post-' || number, repeat('lorem ipsum ', 20),
       (array['draft', 'review', 'published', 'archived'])[1 + number % 4], number % 1000, number % 2 = 0, ${time}, ${time}
     from generate_series(1, ${ROWS}) number`,
  )
  await client.query("vacuum analyze posts")
}

/** @param {string} url */
async function ask(url) {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return response.json()
}

/** Checks that both sides find the same records. @param {pg.Client} client @param {number} port */
async function checkAnswers(client, port) {
  const { rows } = await client.query(RAW)
  const { docs } = await ask(`http://127.0.0.1:${port}${QUERY}`)
  const ids = (/** @type {{ id: string }[]} */ records) => records.map(({ id }) => id).join()
  if (rows.length !== LIMIT || ids(rows) !== ids(docs)) throw new Error("kit and the raw statement find other records.")
}

/** Returns the statement that kit has just sent, to send it again on our own connection. @param {pg.Client} client */
async function statementOfKit(client) {
  const { rows } = await client.query(
    `select query from pg_stat_activity where application_name = 'kit' and query like '%"posts"%' order by query_start desc`,
  )
  // One row more than the page shows whether there is a next page.
  return { name: "of-kit", text: String(rows[0]?.query), values: ["published", LIMIT + 1, 0] }
}

/**
 * Calls every side in turn, so that a disturbance of the machine affects all of them.
 *
 * @param {Record<string, () => Promise<unknown>>} sides
 * @returns {Promise<Record<string, number>>} medians in milliseconds
 */
async function alternate(sides) {
  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(Object.keys(sides).map((name) => [name, []]))
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    for (const [name, work] of Object.entries(sides)) {
      const start = performance.now()
      await work()
      if (round >= 0) times[name]?.push(performance.now() - start)
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]))
}

/** @param {string} name @param {Record<string, number>} medians */
function report(name, medians) {
  console.log(`\n${ROWS} rows, ${name}; medians of ${ROUNDS}`)
  for (const [side, ms] of Object.entries(medians)) console.log(`  ${side.padEnd(18)}${ms.toFixed(3)} ms`)
  const compare = (/** @type {string} */ side, /** @type {string} */ base) => {
    const ratio = medians[side] / medians[base]
    console.log(`  ${side} / ${base}: ${ratio.toFixed(2)} (bar ${BAR})`)
  }
  compare("statement of kit", "raw statement")
  compare("kit over HTTP", "raw over HTTP")
}
