// Measures a document of 200,000 edits: how long it takes to open, and how much of it is stored.
//   npm run build && node bench/documents/large-document.mjs [--quick]
import { setTimeout as delay } from "node:timers/promises"
import { parseArgs } from "node:util"
import * as Y from "yjs"
import { Cleanup } from "../harness/cleanup.mjs"
import { openDatabases, withClient } from "../harness/databases.mjs"
import { showMoment, showStep } from "../harness/progress.mjs"
import { roundAll } from "../harness/report.mjs"
import { slowdown } from "../harness/slowdown.mjs"
import { writeResults } from "../search/results.mjs"
import { editorCookie } from "./editor-sessions.mjs"
import { startMeasuredKit } from "./measured-server.mjs"
import { typedUpdates } from "./typed-text.mjs"
import { bodyOf } from "./typists/document-typist.mjs"
import { openEventStream } from "./typists/open-event-stream.mjs"
import { post } from "./typists/post.mjs"

const BARS = { openMs: 200, storedOfCompacted: 3 }
const EDITS_IN_ONE_UPDATE = 40
const TRIES = 5
const LOOK_EVERY_MS = 250
const STEADY_LOOKS = 16
const STORED = `select octet_length(state) as state, seq::int, state_seq::int, value_seq::int,
    coalesce((select sum(octet_length(update)) from _kit_document_updates where document = id), 0)::int as updates
  from _kit_documents`

const { values: flags } = parseArgs({ options: { quick: { type: "boolean" } } })
const edits = flags.quick ? 2_000 : 200_000
const cleanup = new Cleanup()
try {
  const { kit: url } = await openDatabases(cleanup)
  const { port } = await startMeasuredKit({ url, cleanup })
  const note = JSON.stringify({ title: "A long note", body: "" })
  const { id } = await post({ port, path: "/notes", cookie: editorCookie(0), type: "application/json", body: note })
  const { epoch, close } = await openDocument(port, id)
  showStep(`typing ${edits} letters`)
  const doc = await typeAll({ port, id, epoch })
  close()
  showStep("waiting for the compaction")
  const stored = await steadyStored(url)
  showStep("opening")
  const opened = []
  for (let count = 0; count < TRIES; count += 1) opened.push(await timeOpening(port, id, doc))
  const figures = figuresOf({ stored, doc, opened })
  console.log(figures)
  if (!flags.quick) await writeResults("documents-large", { rounds: TRIES, bars: BARS, results: roundAll(figures) })
} finally {
  await cleanup.run()
}

/** Sends all edits, each request after the answer to the one before. @param {{ port: number, id: string, epoch: string }} place */
async function typeAll({ port, id, epoch }) {
  const doc = new Y.Doc()
  const path = `/crdt/notes/${id}/body/updates?epoch=${epoch}`
  let sent = 0
  for (const { editor, edits: made, update } of typedUpdates({ edits, inOneUpdate: EDITS_IN_ONE_UPDATE })) {
    const cookie = editorCookie(editor)
    await post({ port, path, cookie, type: "application/octet-stream", body: bodyOf(update) })
    Y.applyUpdate(doc, update)
    sent += made
    showMoment(`${sent} edits`)
  }
  return doc
}

/**
 * Opens a document in a new replica. Resolves when the replica has its content.
 *
 * @param {number} port
 * @param {string} id
 * @returns {Promise<{ doc: Y.Doc, epoch: string, answerMs: number, openMs: number, close: () => void }>}
 */
function openDocument(port, id) {
  const documents = [{ id: "d", resourceType: "collection", resource: "notes", recordId: id, field: "body" }]
  const doc = new Y.Doc()
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const onEvent = (/** @type {string} */ name, /** @type {any} */ data) => {
      if (name === "error") reject(new Error(JSON.stringify(data)))
      if (name !== "document") return
      const answerMs = performance.now() - startedAt
      Y.applyUpdate(doc, Buffer.from(data.update, "base64"))
      resolve({ doc, epoch: data.epoch, answerMs, openMs: performance.now() - startedAt, close })
    }
    const close = openEventStream({ port, cookie: editorCookie(0), body: { topics: [], documents }, onEvent })
  })
}

/** @param {number} port @param {string} id @param {Y.Doc} expected */
async function timeOpening(port, id, expected) {
  const slower = slowdown()
  const { doc, answerMs, openMs, close } = await openDocument(port, id)
  close()
  if (doc.getText("body").toString() !== expected.getText("body").toString()) throw new Error("The text is another.")
  return { answerMs, openMs, slower }
}

/** Returns what is stored, once neither values nor compactions change it any more. @param {string} url */
async function steadyStored(url) {
  let stored = { state: 0, updates: 0, seq: 0, state_seq: 0, value_seq: 0 }
  await withClient(url, async (client) => {
    for (let looks = 0; looks < STEADY_LOOKS; looks += 1) {
      const { rows } = await client.query(STORED)
      if (JSON.stringify(rows[0]) !== JSON.stringify(stored)) looks = 0
      stored = rows[0]
      await delay(LOOK_EVERY_MS)
    }
  })
  return stored
}

/** @param {{ stored: Awaited<ReturnType<typeof steadyStored>>, doc: Y.Doc, opened: Awaited<ReturnType<typeof timeOpening>>[] }} measured */
function figuresOf({ stored, doc, opened }) {
  const compacted = Y.encodeStateAsUpdate(doc).length
  const least = (/** @type {"answerMs" | "openMs" | "slower"} */ name) => Math.min(...opened.map((each) => each[name]))
  return {
    edits,
    letters: doc.getText("body").length,
    compactedBytes: compacted,
    storedBytes: stored.state + stored.updates,
    storedOfCompacted: (stored.state + stored.updates) / compacted,
    uncompactedUpdates: stored.seq - stored.state_seq,
    slowdown: least("slower"),
    answerMs: least("answerMs"),
    openMs: least("openMs"),
    openMsWithoutSlowdown: least("openMs") / least("slower"),
  }
}
