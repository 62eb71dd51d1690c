// Measures what the compression of responses saves, and what it costs: pages of 100 long posts with all their fields.
//   npm run build && node bench/compression.mjs [--quick]
import { readFile } from "node:fs/promises"
import { Agent, request } from "node:http"
import { buffer } from "node:stream/consumers"
import { parseArgs } from "node:util"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { Cleanup } from "./harness/cleanup.mjs"
import { openDatabases } from "./harness/databases.mjs"
import { showStep } from "./harness/progress.mjs"
import { startKit } from "./harness/servers.mjs"
import { median } from "./harness/statistics.mjs"

const POSTS = 100
const STORIES_PER_POST = 3
const CALLERS = 4
// Linux counts processor time in hundredths of a second.
const MS_PER_TICK = 10
const CODINGS = ["identity", "gzip", "br"]
const PATH = `/posts?limit=${POSTS}`

/** @typedef {{ id: string, title: string, lead: string, body: string }} Story */

const { values: flags } = parseArgs({ options: { quick: { type: "boolean" } } })
const rounds = flags.quick ? 3 : 9
const requests = flags.quick ? 100 : 300
const agent = new Agent({ keepAlive: true, maxSockets: CALLERS })
const cleanup = new Cleanup()
try {
  const { kit: url } = await openDatabases(cleanup)
  const { port, pid } = await startKit({ url, cleanup })
  showStep(`storing ${POSTS} posts`)
  for (const post of await posts()) await store(port, post)
  showStep("measuring")
  await measure({ port, pid })
} finally {
  agent.destroy()
  await cleanup.run()
}

/** Posts of a few stories each, none of which is in two of them. */
async function posts() {
  const file = new URL("./search/labelled/documents.json", import.meta.url)
  /** @type {Story[]} */
  const stories = JSON.parse(await readFile(file, "utf8"))
  return Array.from({ length: POSTS }, (_, number) => {
    const parts = stories.slice(number * STORIES_PER_POST, (number + 1) * STORIES_PER_POST)
    const [first] = parts
    if (first === undefined) throw new Error("There are too few stories.")
    const body = parts.map(({ lead, body }) => `${lead}\n\n${body}`).join("\n\n")
    return { title: first.title, slug: first.id, body, status: "published", published: true, views: number * 7 }
  })
}

/** @param {number} port @param {object} post */
async function store(port, post) {
  const headers = { "content-type": "application/json" }
  const body = JSON.stringify(post)
  const { status } = await fetch(`http://127.0.0.1:${port}/posts`, { method: "POST", headers, body })
  if (status !== 201) throw new Error(`A post was answered with ${status}.`)
}

/** @param {{ port: number, pid: number }} server */
async function measure(server) {
  const pages = await Promise.all(CODINGS.map((coding) => read(server.port, coding)))
  const [plain, gzipped, brotli] = pages
  if (!plain?.equals(gunzipSync(gzipped ?? "")) || !plain.equals(brotliDecompressSync(brotli ?? "")))
    throw new Error("A compressed page is another one.")
  /** @type {number[][]} */
  const costs = CODINGS.map(() => [])
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, coding] of CODINGS.entries()) {
      const ms = await costOf(server, coding)
      if (round > 0) costs[index]?.push(ms)
    }
  }
  for (const [index, coding] of CODINGS.entries()) report(coding, { plain, page: pages[index], costs: costs[index] })
}

/**
 * Milliseconds of processor time, of all threads of the server, for one request.
 *
 * @param {{ port: number, pid: number }} server
 * @param {string} coding
 */
async function costOf({ port, pid }, coding) {
  const before = await processorMs(pid)
  let left = requests
  const ask = async () => {
    while (left-- > 0) await read(port, coding)
  }
  await Promise.all(Array.from({ length: CALLERS }, ask))
  return ((await processorMs(pid)) - before) / requests
}

/** @param {number} pid */
async function processorMs(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8")
  // The name of the program, in brackets, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
}

/** @param {number} port @param {string} coding @returns {Promise<Buffer>} the body as it was sent */
function read(port, coding) {
  return new Promise((resolve, reject) => {
    const headers = { "accept-encoding": coding }
    request({ agent, host: "127.0.0.1", port, path: PATH, headers }, (response) => {
      if (response.statusCode === 200) resolve(buffer(response))
      else reject(new Error(`The page was answered with ${response.statusCode}.`))
    })
      .on("error", reject)
      .end()
  })
}

/**
 * @param {string} coding
 * @param {{ plain: Buffer, page: Buffer | undefined, costs: number[] | undefined }} measured
 */
function report(coding, { plain, page = plain, costs = [] }) {
  const share = ((100 * page.length) / plain.length).toFixed(1)
  console.log(
    `${coding}: ${page.length} bytes, ${share} %; ${median(costs)?.toFixed(2)} ms of processor time per request`,
  )
}
