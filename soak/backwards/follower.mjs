// Subscribes to all topics, reconnects to the other instance each time, and records every value that goes down.
import { setTimeout as wait } from "node:timers/promises"
import { createClient } from "kit/client"
import { openStream } from "../live/open-stream.mjs"
import { TOPICS } from "./world.mjs"

/** @typedef {import("./world.mjs").Measures} Measures */

const RETURN_MS = 20

/** The values that one client has received for the topics, over all of its connections. */
class Sight {
  /** @type {Record<string, Measures>} */
  newest = {}
  /** @type {string[]} */
  faults = []
  /** @type {string[]} topics that were ended, which nothing in the experiment is a reason for */
  endings = []
  snapshots = 0
  connections = 0

  /** @param {string} topic @param {any} data */
  see(topic, data) {
    const now = TOPICS[topic]?.measure(data) ?? {}
    const before = this.newest[topic] ?? {}
    for (const [name, value] of Object.entries(before)) {
      if (!(Number(now[name]) >= value)) {
        this.faults.push(`${topic}.${name} fell from ${value} to ${now[name]} on connection ${this.connections}`)
      }
    }
    this.snapshots += 1
    this.newest[topic] = now
  }
}

/** Reads the events from the raw HTTP stream. */
export class RawFollower extends Sight {
  /** @type {Record<string, string>} */
  #hashes = {}
  #leaving = new AbortController()
  #isOver = false

  /** @param {(turn: number) => string} urlOf  the instance for each turn */
  constructor(urlOf) {
    super()
    this.urlOf = urlOf
    this.running = this.#run()
  }

  move() {
    this.#leaving.abort()
  }

  async close() {
    this.#isOver = true
    this.#leaving.abort()
    await this.running
  }

  async #run() {
    for (let turn = 0; !this.#isOver; turn++) {
      this.#leaving = new AbortController()
      await this.#listen(this.urlOf(turn)).catch(() => {})
      if (!this.#isOver) await wait(RETURN_MS)
    }
  }

  /** @param {string} url */
  async #listen(url) {
    const { signal } = this.#leaving
    const topics = Object.entries(TOPICS).map(([id, { asked }]) => ({ id, ...asked, lastHash: this.#hashes[id] }))
    const events = await openStream(url, { topics, headers: { "content-type": "application/json" }, signal })
    this.connections += 1
    for await (const event of events) {
      if (signal.aborted) return
      this.#hear(event)
    }
  }

  /** @param {{ name: string, json: string }} event */
  #hear({ name, json }) {
    const { topicId, hash, data, code } = JSON.parse(json) ?? {}
    if (name === "error") this.endings.push(`${topicId} ended: ${code}`)
    if (name !== "snapshot") return
    this.#hashes[topicId] = hash
    this.see(topicId, data)
  }
}

/** The framework's client, whose streams go to one instance after the other. */
export class ClientFollower extends Sight {
  #leaving = new AbortController()

  /** @param {(turn: number) => string} urlOf */
  constructor(urlOf) {
    super()
    const { origin, pathname } = new URL(urlOf(0))
    const send = (/** @type {string} */ url, /** @type {RequestInit} */ init) => {
      this.#leaving = new AbortController()
      const signals = init.signal ? [init.signal, this.#leaving.signal] : [this.#leaving.signal]
      const here = new URL(url.replace(origin, new URL(urlOf(this.connections)).origin))
      this.connections += 1
      return fetch(here, { ...init, signal: AbortSignal.any(signals) })
    }
    this.client = createClient({ baseURL: origin, basePath: pathname, fetch: /** @type {any} */ (send) })
    for (const [name, { asked }] of Object.entries(TOPICS)) {
      this.client.realtime.subscribe(/** @type {any} */ (asked), (data) => this.see(name, data))
    }
  }

  move() {
    this.#leaving.abort()
  }

  close() {
    this.client.realtime.destroy()
  }
}
