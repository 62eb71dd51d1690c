import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { BENCH_SECRET } from "./seeded-session.mjs"

/**
 * @typedef {{ port: number, pid: number, readyMs: number, stop: () => Promise<void> }} RunningServer
 *   `pid` is the id of the process, `readyMs` the time from the start of the process to its first answer.
 * @typedef {{ url: string, cleanup: import("./cleanup.mjs").Cleanup, root?: string, app?: string, firstCall?: string,
 *   env?: Record<string, string> }} Place
 *   the database, who ends the process, the checkout whose framework and app are run (this one unless set), the folder
 *   of the app in it, the path whose answer shows that the server is ready, and more variables of its environment
 */

const ROOT = pathTo("../..")
const KIT = "packages/kit/bin/kit.mjs"
const APP = "bench/app"
const RAW = pathTo("../raw/server.mjs")
const RAW_LIVE = pathTo("../raw/sse.mjs")
const RAW_ROUTE = pathTo("../route-server.mjs")
const FIRST_CALL = "/posts?limit=1"
const START_LIMIT_MS = 60_000
const STOP_LIMIT_MS = 5_000
const POLL_MS = 5
const KEPT_OUTPUT_CHARACTERS = 4_000

/**
 * Starts the app of the workload as its author would.
 *
 * @param {Place} place
 * @param {string[]} [nodeOptions]
 * @returns {Promise<RunningServer>}
 */
export async function startKit(place, nodeOptions = []) {
  const port = await findFreePort()
  const args = [...nodeOptions, join(place.root ?? ROOT, KIT), "start", "--port", String(port), "--host", "127.0.0.1"]
  return startServer(place, { args, port, env: { KIT_SECRET: BENCH_SECRET } })
}

/**
 * Starts a server written by hand, a program that listens on PORT and uses DATABASE_URL.
 *
 * @param {Place} place
 * @param {string} program
 * @param {string[]} [nodeOptions]
 * @returns {Promise<RunningServer>}
 */
export async function startProgram(place, program, nodeOptions = []) {
  const port = await findFreePort()
  return startServer(place, { args: [...nodeOptions, program], port, env: { PORT: String(port) } })
}

/** Starts the hand-written server. @param {Place} place @returns {Promise<RunningServer>} */
export async function startRaw(place) {
  const port = await findFreePort()
  return startServer(place, { args: [RAW, "pg"], port, env: { PORT: String(port) } })
}

/**
 * Starts the hand-written server of a route that does not use the database.
 *
 * @param {Place} place
 * @returns {Promise<RunningServer>}
 */
export function startRawRoute(place) {
  return startProgram(place, RAW_ROUTE)
}

/** Starts the hand-written server of one live query. @param {Place} place @returns {Promise<RunningServer>} */
export function startRawLive(place) {
  return startProgram(place, RAW_LIVE)
}

/**
 * @param {Place} place
 * @param {{ args: string[], port: number, env: Record<string, string> }} program
 * @returns {Promise<RunningServer>}
 */
async function startServer(place, { args, port, env }) {
  const { url, cleanup, root = ROOT, app = APP, firstCall = FIRST_CALL } = place
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: join(root, app),
    env: { ...process.env, ...place.env, ...env, DATABASE_URL: url },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const stop = () => stopProcess(child)
  cleanup.add(stop)
  const output = collectOutput(child)
  await waitForAnswer(`http://127.0.0.1:${port}${firstCall}`, () => hasEnded(child)).catch((cause) => {
    throw new Error(`${args.join(" ")}\n${cause.message}\n${output()}`, { cause })
  })
  return { port, pid: Number(child.pid), readyMs: performance.now() - startedAt, stop }
}

/** @param {string} url @param {() => boolean} hasFailed */
async function waitForAnswer(url, hasFailed) {
  const giveUpAt = performance.now() + START_LIMIT_MS
  while (performance.now() < giveUpAt) {
    if (hasFailed()) throw new Error("The server ended before it answered.")
    const response = await fetch(url).catch(() => undefined)
    const body = await response?.text()
    if (response?.ok) return
    if (response) throw new Error(`The server answered ${response.status}: ${body}`)
    await delay(POLL_MS)
  }
  throw new Error(`The server did not answer within ${START_LIMIT_MS / 1000} s.`)
}

/** @param {import("node:child_process").ChildProcess} child */
async function stopProcess(child) {
  if (hasEnded(child)) return
  const exit = once(child, "exit")
  child.kill("SIGTERM")
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS)
  await exit
  clearTimeout(timer)
}

/** @param {import("node:child_process").ChildProcess} child */
function hasEnded(child) {
  return child.exitCode !== null || child.signalCode !== null
}

/** Returns the end of the output of the process. @param {import("node:child_process").ChildProcess} child */
function collectOutput(child) {
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text) => {
      output = (output + text).slice(-KEPT_OUTPUT_CHARACTERS)
    })
  }
  return () => output
}

/** @returns {Promise<number>} */
async function findFreePort() {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return address !== null && typeof address === "object" ? address.port : 0
}

/** @param {string} path */
function pathTo(path) {
  return fileURLToPath(new URL(path, import.meta.url))
}
