// Runs inside the server (node --import): it notes how late the event loop is, and tells it over a socket of its own.
import { readFileSync } from "node:fs"
import { Socket } from "node:net"

const TICK_MS = 5
const SOCKET_FD = 3
const NS_PER_MS = 1e6

/** Milliseconds that the main thread has had a processor, and has waited for one. */
function processorMs() {
  const [ran = 0, waited = 0] = readFileSync("/proc/self/schedstat", "latin1").split(" ").map(Number)
  return { ran: ran / NS_PER_MS, waited: waited / NS_PER_MS }
}

let tickAt = performance.now()
let longestMs = 0
let began = processorMs()

function tick() {
  const now = performance.now()
  longestMs = Math.max(longestMs, now - tickAt - TICK_MS)
  tickAt = now
}

setInterval(tick, TICK_MS).unref()
const socket = new Socket({ fd: SOCKET_FD })
socket.unref()
socket.on("error", () => {})
// Each line asks for what has happened since the last one.
socket.on("data", () => {
  tick()
  const now = processorMs()
  const ran = Math.max(1, now.ran - began.ran)
  const slowdown = (ran + now.waited - began.waited) / ran
  socket.write(`${JSON.stringify({ longestMs, slowdown })}\n`)
  longestMs = 0
  began = now
})
