import { Agent, request } from "node:http"
import { connect } from "node:net"
import { AUTHORS, post } from "../workload.mjs"
import { LIVE_TOPIC } from "./live-topic.mjs"
import { authorId, draw } from "./seeded-values.mjs"

// The program of the live load: it holds the subscribers of both sides, and writes on command.

const BATCH_LIMIT_MS = 60_000
const CONNECTED_AT_ONCE = 50

// All subscribers are read into one buffer. If each read allocated its own, the garbage collector would now and then
// stop this process in the middle of a fan-out, for 18 ms or more in every tenth.
const READ_BUFFER = Buffer.alloc(64 * 1024)

/** The subscribers by port. @type {Map<number, Subscriber[]>} */
const subscribers = new Map()
let written = 0

process.on("message", (order) => {
  obey(order).then(
    (figures) => process.send?.({ figures }),
    (error) => process.send?.({ failure: String(error.message) }),
  )
})
process.on("disconnect", () => process.exit())
// Ctrl-C reaches the whole group; the parent decides when this process ends.
process.on("SIGINT", () => {})

/** @param {import("./live-load.mjs").LiveOrder} order */
async function obey({ port, subscribers: count, writes, atOnce }) {
  await subscribe(port, count)
  if (writes === 0) return { seconds: 0, latencies: new Float64Array(0) }
  return atOnce ? writeStream(port, writes) : writeOneByOne(port, writes)
}

/**
 * Opens subscribers up to this number, and waits until each has its first snapshot.
 *
 * @param {number} port
 * @param {number} count
 */
async function subscribe(port, count) {
  const own = subscribers.get(port) ?? []
  subscribers.set(port, own)
  while (own.length < count) {
    const missing = Math.min(CONNECTED_AT_ONCE, count - own.length)
    const opened = Array.from({ length: missing }, () => new Subscriber(port))
    own.push(...opened)
    await within(Promise.all(opened.map((each) => each.sees("event: snapshot"))))
  }
}

/**
 * Writes one by one: all subscribers receive each write before the next.
 *
 * @param {number} port
 * @param {number} writes
 */
async function writeOneByOne(port, writes) {
  const latencies = new Float64Array(writes)
  const startedAt = performance.now()
  for (let index = 0; index < writes; index += 1) {
    const sentAt = performance.now()
    await writeAndSee(port)
    latencies[index] = performance.now() - sentAt
  }
  return { seconds: (performance.now() - startedAt) / 1000, latencies }
}

/**
 * Sends each write after the answer to the one before, and ends when all subscribers have received the last.
 *
 * @param {number} port
 * @param {number} writes
 */
async function writeStream(port, writes) {
  const latencies = new Float64Array(writes)
  const startedAt = performance.now()
  for (let index = 0; index < writes; index += 1) {
    const sentAt = performance.now()
    if (index + 1 < writes) await write(port, nextPost())
    else await writeAndSee(port)
    latencies[index] = performance.now() - sentAt
  }
  return { seconds: (performance.now() - startedAt) / 1000, latencies }
}

/** @param {number} port */
async function writeAndSee(port) {
  const created = nextPost()
  const seen = (subscribers.get(port) ?? []).map((each) => each.sees(`"slug":"${created.slug}"`))
  await within(Promise.all([...seen, write(port, created)]))
}

/**
 * Returns a post that neither side has: each row runs in its own process, and the posts of earlier rows still exist.
 */
function nextPost() {
  written += 1
  return { ...post(written, authorId(draw(written, AUTHORS))), slug: `live-${process.pid}-${written}` }
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/**
 * Sends the write. Resolves when it is answered.
 *
 * @param {number} port
 * @param {object} created
 * @returns {Promise<void>}
 */
function write(port, created) {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" }
    const sent = request({ agent, port, host: "127.0.0.1", method: "POST", path: "/posts", headers }, (response) => {
      const isDone = Math.floor(Number(response.statusCode) / 100) === 2
      response.resume().on("end", isDone ? resolve : () => reject(new Error(`Answered ${response.statusCode}.`)))
    })
    sent.on("error", reject).end(JSON.stringify(created))
  })
}

/** A client that searches its stream for one text at a time. */
class Subscriber {
  #socket
  #text = Buffer.alloc(0)
  #kept = Buffer.alloc(0)
  #found = () => {}
  #failed = (_error) => {}

  /** @param {number} port */
  constructor(port) {
    const callback = (length) => this.#look(READ_BUFFER.subarray(0, length))
    this.#socket = connect({ port, host: "127.0.0.1", onread: { buffer: READ_BUFFER, callback } })
    this.#socket.on("connect", () => this.#socket.write(requestBytes("/realtime", { topics: [LIVE_TOPIC] })))
    this.#socket.on("error", (error) => this.#failed(error))
    this.#socket.on("close", () => this.#failed(new Error("A subscriber was cut off.")))
  }

  /** Resolves when the text has arrived. @param {string} text @returns {Promise<void>} */
  sees(text) {
    return new Promise((resolve, reject) => {
      this.#text = Buffer.from(text)
      this.#kept = Buffer.alloc(0)
      this.#found = resolve
      this.#failed = reject
    })
  }

  /** Returns true, so that the socket is read on. @param {Buffer} chunk */
  #look(chunk) {
    if (this.#text.length > 0) this.#search(chunk)
    return true
  }

  /** @param {Buffer} chunk */
  #search(chunk) {
    // The text may begin in one chunk and end in the next.
    const seen = this.#kept.length === 0 ? chunk : Buffer.concat([this.#kept, chunk])
    if (!seen.includes(this.#text)) {
      this.#kept = Buffer.from(seen.subarray(Math.max(0, seen.length - this.#text.length)))
      return
    }
    this.#text = Buffer.alloc(0)
    this.#found()
  }
}

/** @param {string} path @param {object} body */
function requestBytes(path, body) {
  const text = JSON.stringify(body)
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n`
  return Buffer.from(`${head}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
}

/** @template Result @param {Promise<Result>} work @returns {Promise<Result>} */
async function within(work) {
  let timer
  const late = new Promise((_, reject) => {
    const error = new Error(`Not all subscribers were served within ${BATCH_LIMIT_MS / 1000} s.`)
    timer = setTimeout(() => reject(error), BATCH_LIMIT_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
