import { once } from "node:events"
import { Server as HttpServer } from "node:http"
import { createRequire } from "node:module"
import { Server } from "node:net"
import { join } from "node:path"
import { isMainThread } from "node:worker_threads"
import { obey } from "./obey.mjs"
import { newRecording, RecordedSocket } from "./recorded-socket.mjs"

// Loaded before the app in its process: it puts recorded connections in place of those to PostgreSQL, and measures the
// app's server as soon as it listens.

if (isMainThread && process.send !== undefined) {
  const recording = newRecording()
  replaceSockets(recording)
  obeyOrders(recording)
}

/** @param {import("./recorded-socket.mjs").Recording} recording */
function replaceSockets(recording) {
  const kit = createRequire(join(process.cwd(), "kit.config.ts")).resolve("kit/package.json")
  // The module of `pg` that makes its sockets; it is changed before another module has taken the function out of it.
  createRequire(kit)("pg/lib/stream.js").getStream = () => new RecordedSocket(recording)
}

/** @param {import("./recorded-socket.mjs").Recording} recording */
function obeyOrders(recording) {
  const listen = Server.prototype.listen
  Server.prototype.listen = function (...args) {
    if (this instanceof HttpServer) {
      Server.prototype.listen = listen
      void once(this, "listening").then(() => process.send?.({ isReady: true }))
      process.on("message", (order) => void obey({ server: this, recording }, order))
    }
    return listen.apply(this, args)
  }
}
