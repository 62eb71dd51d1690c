// Runs inside a server (node --expose-gc --import). Each connection to its socket gets the memory after a collection.
import { createServer } from "node:net"
import { isMainThread } from "node:worker_threads"

const COLLECTIONS = 3

if (isMainThread) {
  const server = createServer((socket) => {
    socket.on("error", () => {})
    for (let count = 0; count < COLLECTIONS; count += 1) globalThis.gc?.()
    const { heapUsed, external, rss } = process.memoryUsage()
    socket.end(JSON.stringify({ heapUsed, external, rss }))
  })
  server.listen(process.env["KIT_BENCH_PROBE"])
  server.unref()
}
