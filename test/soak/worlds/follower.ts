// One caller's stream of live queries in one world, read from the raw stream.

import { EventEmitter } from "node:events"
import type { Caller } from "./callers.ts"
import type { World } from "./world.ts"

/** A topic, and what was sent of it. */
export interface Followed {
  asked: Record<string, any>
  /** The newest snapshot. */
  data: string | undefined
  error: string | undefined
  events: number
  /** The snapshot before the newest. */
  before: string | undefined
  heardAt: number
}

const BEACON = "beacon"

export class Follower extends EventEmitter {
  topics: Map<string, Followed> = new Map()
  #leaving = new AbortController()
  #reading: Promise<void> = Promise.resolve()

  readonly world
  readonly caller

  constructor({ world, caller, topics }: { world: World; caller: Caller; topics: readonly Record<string, any>[] }) {
    super()
    this.setMaxListeners(0)
    this.world = world
    this.caller = caller
    for (const [index, asked] of topics.entries()) this.topics.set(`t${index}`, unheard(asked))
    this.topics.set(BEACON, unheard({ resourceType: "collection", resource: "beacons" }))
  }

  async open() {
    const topics = [...this.topics].map(([id, { asked }]) => ({ id, ...asked }))
    const request = this.world.request({ path: "/realtime", caller: this.caller, body: { topics } }, "stream")
    const response = await this.world.app.handler(new Request(request, { signal: this.#leaving.signal }))
    if (response.status !== 200) throw new Error(`The stream was refused: ${await response.text()}`)
    this.#reading = this.#read(response.body.getReader())
  }

  async close() {
    this.#leaving.abort()
    await this.#reader?.cancel().catch(() => {})
    await this.#reading
  }

  /** The number of snapshots and errors so far, without those of the beacon. */
  get events() {
    return this.followed.reduce((sum, { events }) => sum + events, 0)
  }

  /** All topics but the beacon. */
  get followed() {
    return [...this.topics].filter(([id]) => id !== BEACON).map(([, topic]) => topic)
  }

  get beacon() {
    return JSON.parse(this.topics.get(BEACON)?.data ?? "{}").docs?.[0]?.count
  }

  until(isRight: () => boolean, patienceMs: number): Promise<boolean> {
    if (isRight()) return Promise.resolve(true)
    return new Promise((resolve) => {
      const finish = (outcome: boolean) => {
        clearTimeout(timer)
        this.off("event", look)
        resolve(outcome)
      }
      const look = () => isRight() && finish(true)
      const timer = setTimeout(() => finish(false), patienceMs)
      this.on("event", look)
    })
  }

  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined

  async #read(reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.#reader = reader
    const decoder = new TextDecoder()
    let text = ""
    try {
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        text += decoder.decode(part.value, { stream: true })
        const blocks = text.split("\n\n")
        text = blocks.pop() ?? ""
        for (const block of blocks) this.#hear(block)
      }
    } catch {
      // Closed by the experiment.
    }
  }

  #hear(block: string) {
    const [, name = "", json = "null"] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
    if (name !== "snapshot" && name !== "error") return
    const { topicId, data, code, message } = JSON.parse(json)
    const topic = this.topics.get(topicId)
    if (!topic) return
    topic.events += 1
    topic.before = topic.data
    topic.heardAt = performance.now()
    topic.data = name === "snapshot" ? JSON.stringify(data) : undefined
    topic.error = name === "error" ? `${code}: ${message}` : undefined
    this.emit("event")
  }
}

function unheard(asked: Record<string, any>): Followed {
  return { asked, data: undefined, before: undefined, error: undefined, events: 0, heardAt: 0 }
}
