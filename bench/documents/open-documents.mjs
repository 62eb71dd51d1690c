// Measures the memory of the server for 1,000 open documents with two editors each.
//   npm run build && node bench/documents/open-documents.mjs [--quick]
import { parseArgs } from "node:util"
import { Cleanup } from "../harness/cleanup.mjs"
import { openDatabases } from "../harness/databases.mjs"
import { showStep } from "../harness/progress.mjs"
import { roundAll } from "../harness/report.mjs"
import { writeResults } from "../search/results.mjs"
import { editorCookie } from "./editor-sessions.mjs"
import { startMeasuredKit } from "./measured-server.mjs"
import { DocumentTypist } from "./typists/document-typist.mjs"
import { post } from "./typists/post.mjs"

const BAR_KB = 100
const EDITORS = 2
const WORDS = 400
const WARM_UP = 20
const OPENED_AT_ONCE = 20
const KILOBYTE = 1024

const { values: flags } = parseArgs({ options: { quick: { type: "boolean" } } })
const count = flags.quick ? 20 : 1_000
const cleanup = new Cleanup()
try {
  const { kit: url } = await openDatabases(cleanup)
  const { port, memory } = await startMeasuredKit({ url, cleanup })
  // The code that the first documents load and compile is not part of the memory of each.
  closeAll(await openAll(port, await createNotes(port, WARM_UP)))
  const notes = await createNotes(port, count)
  const before = await memory()
  showStep(`opening ${count} documents`)
  const typists = await openAll(port, notes)
  await typeEverywhere(typists)
  const after = await memory()
  closeAll(typists)
  const figures = {
    documents: count,
    editorsOfEach: EDITORS,
    heapKbOfEach: (after.heapUsed - before.heapUsed) / KILOBYTE / count,
    externalKbOfEach: (after.external - before.external) / KILOBYTE / count,
    rssKbOfEach: (after.rss - before.rss) / KILOBYTE / count,
  }
  console.log(figures)
  if (!flags.quick)
    await writeResults("documents-open", { rounds: 1, bars: { heapKbOfEach: BAR_KB }, results: roundAll(figures) })
} finally {
  await cleanup.run()
}

/** @param {number} port @param {number} notes @returns {Promise<string[]>} their ids */
async function createNotes(port, notes) {
  const ids = []
  const body = JSON.stringify({ title: "A note", body: "word ".repeat(WORDS) })
  while (ids.length < notes) {
    const { id } = await post({ port, path: "/notes", cookie: editorCookie(0), type: "application/json", body })
    ids.push(id)
  }
  return ids
}

/** @param {number} port @param {readonly string[]} notes */
async function openAll(port, notes) {
  /** @type {DocumentTypist[]} */
  const typists = []
  const waiting = notes.flatMap((room) => Array.from({ length: EDITORS }, () => room))
  while (waiting.length > 0) {
    const opened = waiting
      .splice(0, OPENED_AT_ONCE)
      .map((room, number) => new DocumentTypist({ port, room, cookie: editorCookie(number), onReceived: () => {} }))
    await Promise.all(opened.map(({ ready }) => ready))
    typists.push(...opened)
  }
  return typists
}

/** Lets each editor type a letter, and waits until it is acknowledged. @param {readonly DocumentTypist[]} typists */
async function typeEverywhere(typists) {
  for (const typist of typists) {
    typist.type(() => 0)
    await typist.acknowledged()
  }
}

/** @param {readonly DocumentTypist[]} typists */
function closeAll(typists) {
  for (const typist of typists) typist.close()
}
