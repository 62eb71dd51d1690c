// Subscribes to all topics, reconnects to the other instance each time, and records every value that goes down.

import { setTimeout as wait } from "node:timers/promises"
import { createClient } from "kit/client"
import { openStream } from "../live/open-stream.ts"
import { type Measures, TOPICS } from "./world.ts"

const RETURN_MS = 20

/** The values that one client has received for the topics, over all of its connections. */
class Sight {
  newest: Record<string, Measures> = {}
  faults: string[] = []
  /** Topics that were ended, which nothing in the experiment is a reason for. */
  endings: string[] = []
  snapshots = 0
  connections = 0

  see(topic: string, data: any) {
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
  #hashes: Record<string, string> = {}
  #leaving = new AbortController()
  #isOver = false

  readonly urlOf: (turn: number) => string
  readonly running

  constructor(urlOf: (turn: number) => string) {
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

  async #listen(url: string) {
    const { signal } = this.#leaving
    const topics = Object.entries(TOPICS).map(([id, { asked }]) => ({ id, ...asked, lastHash: this.#hashes[id] }))
    const events = await openStream(url, { topics, headers: { "content-type": "application/json" }, signal })
    this.connections += 1
    for await (const event of events) {
      if (signal.aborted) return
      this.#hear(event)
    }
  }

  #hear({ name, json }: { name: string; json: string }) {
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

  readonly client

  constructor(urlOf: (turn: number) => string) {
    super()
    const { origin, pathname } = new URL(urlOf(0))
    const send: typeof fetch = (input, init = {}) => {
      this.#leaving = new AbortController()
      const signals = init.signal ? [init.signal, this.#leaving.signal] : [this.#leaving.signal]
      const here = new URL(String(input).replace(origin, new URL(urlOf(this.connections)).origin))
      this.connections += 1
      return fetch(here, { ...init, signal: AbortSignal.any(signals) })
    }
    this.client = createClient({ baseURL: origin, basePath: pathname, fetch: send })
    for (const [name, { asked }] of Object.entries(TOPICS)) {
      // The table of topics is made by hand: each is a valid one of this app.
      this.client.realtime.subscribe(asked as any, (data) => this.see(name, data))
    }
  }

  move() {
    this.#leaving.abort()
  }

  close() {
    this.client.realtime.destroy()
  }
}
