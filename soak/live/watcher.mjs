// Receives the topics of one user from the raw stream, and reconnects whenever the stream is lost.
import { EventEmitter } from "node:events"
import { setTimeout as wait } from "node:timers/promises"
import { openStream } from "./open-stream.mjs"
import { TELLING } from "./world.mjs"

/**
 * @typedef {object} Watched  a topic, and its last snapshot
 * @property {string} id
 * @property {Record<string, any>} asked
 * @property {any} data
 * @property {string | undefined} hash
 * @property {number} seq
 * @property {number} toldAt
 * @property {{ code: string, message: string } | undefined} error
 */

const RETURN_MS = 50
const TOLD = new RegExp(`"(?:${TELLING.join("|")})":"([^"]+)"`, "g")

/** Returns the parts of a text that identify who could read it. @param {string} json @returns {string[]} */
export function stampsIn(json) {
  return [...json.matchAll(TOLD)].map(([member]) => member)
}

export class Watcher extends EventEmitter {
  /** @type {Map<string, Watched>} */
  topics = new Map()
  /** @type {string[]} what must never happen, in words */
  faults = []
  snapshots = 0
  confirmed = 0
  connections = 0
  /** @type {Set<string>} all stamps that were ever received */
  stamps = new Set()
  #leaving = new AbortController()
  #isOver = false

  /** @param {{ cookie: string | undefined, isExtended: boolean, url: () => string, topics: Record<string, any>[] }} options */
  constructor({ cookie, isExtended, url, topics }) {
    super()
    this.setMaxListeners(0)
    this.cookie = cookie
    this.isExtended = isExtended
    this.url = url
    for (const [index, asked] of topics.entries()) {
      this.topics.set(`t${index}`, {
        ...{ id: `t${index}`, asked, data: undefined, hash: undefined, seq: 0, toldAt: 0, error: undefined },
      })
    }
    this.running = this.#run()
  }

  headers() {
    return headersOf(this)
  }

  /** Drops the connection, and reconnects with the last known hashes. */
  reconnect() {
    this.#leaving.abort()
  }

  async close() {
    this.#isOver = true
    this.#leaving.abort()
    await this.running
  }

  async #run() {
    while (!this.#isOver) {
      this.#leaving = new AbortController()
      await this.#listen().catch(() => {})
      if (!this.#isOver) await wait(RETURN_MS)
    }
  }

  async #listen() {
    const topics = [...this.topics.values()].map(({ id, asked, hash }) => ({
      id,
      ...asked,
      ...(hash ? { lastHash: hash } : {}),
    }))
    const events = await openStream(this.url(), { topics, headers: this.headers(), signal: this.#leaving.signal })
    this.connections += 1
    for (const topic of this.topics.values()) Object.assign(topic, { seq: 0, error: undefined })
    for await (const event of events) this.#hear(event)
  }

  /** @param {{ name: string, json: string }} heard */
  #hear({ name, json }) {
    const event = JSON.parse(json)
    if (name === "snapshot") this.#show(event, json)
    else if (name === "current") this.#confirm(event)
    else if (name === "error") this.#fail(event)
    else return
    this.emit("told")
  }

  /** @param {any} event @param {string} json */
  #show({ topicId, seq, hash, data }, json) {
    const topic = this.#topic(topicId, seq)
    if (topic.hash === hash) this.faults.push(`told again what is the same: ${JSON.stringify(topic.asked)}`)
    this.snapshots += 1
    for (const stamp of stampsIn(json)) this.stamps.add(stamp)
    Object.assign(topic, { seq, hash, data, toldAt: performance.now() })
  }

  /** @param {any} event */
  #confirm({ topicId, seq }) {
    const topic = this.#topic(topicId, seq)
    if (topic.data === undefined) this.faults.push(`confirmed what was never told: ${JSON.stringify(topic.asked)}`)
    this.confirmed += 1
    topic.seq = seq
  }

  /** @param {any} event */
  #fail({ topicId, code, message }) {
    if (topicId === "*") return
    const topic = this.#topic(topicId, Number.POSITIVE_INFINITY)
    if (code === "INTERNAL_SERVER_ERROR") this.faults.push(`failed: ${message} ${JSON.stringify(topic.asked)}`)
    Object.assign(topic, { error: { code, message }, data: undefined, hash: undefined })
  }

  /** @param {string} id @param {number} seq */
  #topic(id, seq) {
    const topic = this.topics.get(id)
    if (!topic) throw new Error(`There is no topic ${id}.`)
    if (topic.error) this.faults.push(`told after its end: ${JSON.stringify(topic.asked)}`)
    if (seq <= topic.seq) this.faults.push(`went back from ${topic.seq} to ${seq}: ${JSON.stringify(topic.asked)}`)
    return topic
  }
}

/** Returns the headers of a user's requests. @param {{ cookie?: string | undefined, isExtended?: boolean }} caller */
export function headersOf({ cookie, isExtended }) {
  return {
    "content-type": "application/json",
    ...(cookie ? { cookie } : {}),
    ...(isExtended ? { "x-extendedjson": "1" } : {}),
  }
}
