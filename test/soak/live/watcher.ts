// Receives the topics of one user from the raw stream, and reconnects whenever the stream is lost.
import { EventEmitter } from "node:events"
import { setTimeout as wait } from "node:timers/promises"
import { openStream } from "./open-stream.ts"
import { TELLING } from "./world.ts"

/** A topic, and its last snapshot. */
export interface Watched {
  id: string
  asked: Record<string, any>
  data: any
  hash: string | undefined
  seq: number
  toldAt: number
  error: { code: string; message: string } | undefined
}

const RETURN_MS = 50
const TOLD = new RegExp(`"(?:${TELLING.join("|")})":"([^"]+)"`, "g")

/** Returns the parts of a text that identify who could read it. */
export function stampsIn(json: string): string[] {
  return [...json.matchAll(TOLD)].map(([member]) => member)
}

export class Watcher extends EventEmitter {
  topics: Map<string, Watched> = new Map()
  /** Sentences about what must never happen. */
  faults: string[] = []
  snapshots = 0
  /** The snapshots of pages by cursors, and of aggregates. */
  ranges = 0
  aggregates = 0
  confirmed = 0
  connections = 0
  /** All stamps that were ever received. */
  stamps: Set<string> = new Set()
  #leaving = new AbortController()
  #isOver = false

  readonly cookie
  readonly isExtended
  readonly url
  readonly running

  constructor({
    cookie,
    isExtended,
    url,
    topics,
  }: { cookie: string | undefined; isExtended: boolean; url: () => string; topics: Record<string, any>[] }) {
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

  #hear({ name, json }: { name: string; json: string }) {
    const event = JSON.parse(json)
    if (name === "snapshot") this.#show(event, json)
    else if (name === "current") this.#confirm(event)
    else if (name === "error") this.#fail(event)
    else return
    this.emit("told")
  }

  #show({ topicId, seq, hash, data }: any, json: string) {
    const topic = this.#topic(topicId, seq)
    if (topic.hash === hash) this.faults.push(`told again what is the same: ${JSON.stringify(topic.asked)}`)
    this.#count(topic)
    for (const stamp of stampsIn(json)) this.stamps.add(stamp)
    Object.assign(topic, { seq, hash, data, toldAt: performance.now() })
  }

  #count({ asked: { read } }: Watched) {
    this.snapshots += 1
    if (read?.operation === "aggregate") this.aggregates += 1
    if (read && ("after" in read || "before" in read)) this.ranges += 1
  }

  #confirm({ topicId, seq }: any) {
    const topic = this.#topic(topicId, seq)
    if (topic.data === undefined) this.faults.push(`confirmed what was never told: ${JSON.stringify(topic.asked)}`)
    this.confirmed += 1
    topic.seq = seq
  }

  #fail({ topicId, code, message }: any) {
    if (topicId === "*") return
    const topic = this.#topic(topicId, Number.POSITIVE_INFINITY)
    if (code === "INTERNAL_SERVER_ERROR") this.faults.push(`failed: ${message} ${JSON.stringify(topic.asked)}`)
    Object.assign(topic, { error: { code, message }, data: undefined, hash: undefined })
  }

  #topic(id: string, seq: number) {
    const topic = this.topics.get(id)
    if (!topic) throw new Error(`There is no topic ${id}.`)
    if (topic.error) this.faults.push(`told after its end: ${JSON.stringify(topic.asked)}`)
    if (seq <= topic.seq) this.faults.push(`went back from ${topic.seq} to ${seq}: ${JSON.stringify(topic.asked)}`)
    return topic
  }
}

/** Returns the headers of a user's requests. */
export function headersOf({ cookie, isExtended }: { cookie?: string | undefined; isExtended?: boolean }) {
  return {
    "content-type": "application/json",
    ...(cookie ? { cookie } : {}),
    ...(isExtended ? { "x-extendedjson": "1" } : {}),
  }
}
