import { connect } from "node:net"
import { join } from "node:path"
import { json } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { startKit, startProgram } from "../harness/servers.mjs"
import { makeTemporaryFolder } from "../harness/temporary-folder.mjs"
import { seedEditors } from "./editor-sessions.mjs"

/**
 * @typedef {{ heapUsed: number, external: number, rss: number }} Memory  in bytes; the heap is that of the main thread
 * @typedef {{ port: number, memory: () => Promise<Memory> }} MeasuredServer
 */

const PROBE = new URL("./memory-probe.mjs", import.meta.url).href
const HOCUSPOCUS = fileURLToPath(new URL("./hocuspocus-server.mjs", import.meta.url))
const NODE_OPTIONS = ["--expose-gc", "--import", PROBE]

/**
 * Starts the app of these measurements, with its editors.
 *
 * @param {{ url: string, cleanup: import("../harness/cleanup.mjs").Cleanup }} place
 * @returns {Promise<MeasuredServer>}
 */
export async function startMeasuredKit({ url, cleanup }) {
  const socket = join(await makeTemporaryFolder(cleanup), "probe")
  const app = { app: "bench/documents/app", firstCall: "/health", env: { KIT_BENCH_PROBE: socket } }
  const { port } = await startKit({ url, cleanup, ...app }, NODE_OPTIONS)
  await seedEditors(url)
  return { port, memory: () => memoryAt(socket) }
}

/**
 * Starts Hocuspocus, which keeps its documents in memory, or stores them in the database too.
 *
 * @param {{ url: string, cleanup: import("../harness/cleanup.mjs").Cleanup }} place
 * @param {{ isStored: boolean }} options
 * @returns {Promise<MeasuredServer>}
 */
export async function startMeasuredHocuspocus({ url, cleanup }, { isStored }) {
  const socket = join(await makeTemporaryFolder(cleanup), "probe")
  const env = { KIT_BENCH_PROBE: socket, STORES_DOCUMENTS: isStored ? "1" : "" }
  const { port } = await startProgram({ url, cleanup, firstCall: "/", env }, HOCUSPOCUS, NODE_OPTIONS)
  return { port, memory: () => memoryAt(socket) }
}

/** @param {string} socket @returns {Promise<Memory>} */
async function memoryAt(socket) {
  return /** @type {Memory} */ (await json(connect(socket)))
}
