// Runs inside the server (node --import), which loads nothing else for it: therefore no TypeScript. It measures the delay of the event loop and reports it over a socket.
import { openSync, readSync } from "node:fs"
import { Socket } from "node:net"

const TICK_MS = 5
const SOCKET_FD = 3
const NS_PER_MS = 1e6
const MAX_TEXT_BYTES = 128

const schedule = openSync("/proc/self/schedstat", "r")
const text = Buffer.alloc(MAX_TEXT_BYTES)

/** Returns the milliseconds for which the main thread has run, and has waited for a CPU. */
function processorMs() {
  const length = readSync(schedule, text, 0, MAX_TEXT_BYTES, 0)
  const [ran = 0, waited = 0] = text.latin1Slice(0, length).split(" ").map(Number)
  return { ran: ran / NS_PER_MS, waited: waited / NS_PER_MS }
}

let tickAt = performance.now()
let ticked = processorMs()
let began = ticked
let longestMs = 0
let longestOwnMs = 0

function tick() {
  const now = performance.now()
  const processor = processorMs()
  const lateMs = now - tickAt - TICK_MS
  longestMs = Math.max(longestMs, lateMs)
  // Without the time that other processes took: that is the slowdown of the machine at this moment.
  longestOwnMs = Math.max(longestOwnMs, lateMs - (processor.waited - ticked.waited))
  tickAt = now
  ticked = processor
}

setInterval(tick, TICK_MS).unref()
const socket = new Socket({ fd: SOCKET_FD })
socket.unref()
socket.on("error", () => {})
// The experiment has ended, and no other process would stop this one.
socket.on("close", () => process.exit())
// Each line requests the figures since the last line.
socket.on("data", () => {
  tick()
  const ran = Math.max(1, ticked.ran - began.ran)
  const slowdown = (ran + ticked.waited - began.waited) / ran
  socket.write(`${JSON.stringify({ longestMs, longestOwnMs, slowdown })}\n`)
  longestMs = 0
  longestOwnMs = 0
  began = ticked
})
