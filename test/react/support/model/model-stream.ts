import type { LiveEvents } from "../../../../packages/kit/src/wire/realtime/live-events.ts"
import type { WireTopic } from "../../../../packages/kit/src/wire/realtime/topic.ts"
import type { SeededRandom } from "../../../support/seeded-random.ts"
import type { ModelTasks } from "./model-tasks.ts"

const MAX_READ_DELAY_MS = 150
const MAX_READ_MS = 60
const MAX_NETWORK_MS = 200

/** A live query of a stream, and the state of its reading. */
interface ModelTopic {
  readonly wire: WireTopic
  hash: string | undefined
  seq: number
  /** The numbers of the reads that have begun and that are done. */
  begun: number
  done: number
  isPlanned: boolean
}

/** An own write that the stream announces when each of these topics has done the read with this number. */
interface Mark {
  readonly write: string
  readonly awaited: Map<ModelTopic, number>
}

/** One event stream of the model, with seeded delays of reads and of the network. */
export class ModelStream {
  readonly id: string
  readonly body: ReadableStream<Uint8Array>
  readonly #random: SeededRandom
  readonly #tasks: ModelTasks
  readonly #topics = new Map<string, ModelTopic>()
  #marks: Mark[] = []
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #isOpen = true
  #arrivesAt = 0

  constructor(id: string, random: SeededRandom, tasks: ModelTasks) {
    this.id = id
    this.#random = random
    this.#tasks = tasks
    this.body = new ReadableStream({
      start: (controller) => {
        this.#controller = controller
      },
      cancel: () => {
        this.#isOpen = false
      },
    })
    this.#send({ session: { sessionId: id, token: "token", userId: null } })
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Serves exactly these topics. */
  serve(topics: readonly WireTopic[]): void {
    for (const id of this.#topics.keys()) if (!topics.some((topic) => topic.id === id)) this.#forget(id)
    for (const wire of topics) {
      if (this.#topics.has(wire.id)) continue
      const topic = { wire, hash: wire.lastHash, seq: 0, begun: 0, done: 0, isPlanned: false }
      this.#topics.set(wire.id, topic)
      this.#plan(topic)
    }
  }

  /** Called when the change feed has read a change. */
  change(): void {
    for (const topic of this.#topics.values()) this.#plan(topic)
  }

  /** Called when the change feed has read the mark of an own write. */
  mark(write: string): void {
    const busy = [...this.#topics.values()].filter((topic) => topic.isPlanned || topic.begun > topic.done)
    const awaited = new Map(busy.map((topic) => [topic, topic.begun + 1]))
    for (const topic of busy) this.#plan(topic)
    this.#marks.push({ write, awaited })
    this.#announce()
  }

  /** Breaks the connection. What has not arrived yet is lost. */
  kill(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#controller?.error(new Error("the connection was reset"))
  }

  #forget(id: string): void {
    const topic = this.#topics.get(id)
    this.#topics.delete(id)
    for (const { awaited } of this.#marks) if (topic) awaited.delete(topic)
    this.#announce()
  }

  #plan(topic: ModelTopic): void {
    if (topic.isPlanned) return
    topic.isPlanned = true
    setTimeout(() => this.#read(topic), this.#random.below(MAX_READ_DELAY_MS))
  }

  #read(topic: ModelTopic): void {
    // A topic is read once at a time. Like the real server, the model plans the next read after the one that runs.
    if (topic.begun > topic.done) {
      setTimeout(() => this.#read(topic), 1)
      return
    }
    topic.isPlanned = false
    const number = ++topic.begun
    const data = this.#tasks.read(topic.wire)
    setTimeout(() => {
      topic.done = number
      if (this.#topics.get(topic.wire.id) === topic) this.#sendResult(topic, data)
      for (const { awaited } of this.#marks) if ((awaited.get(topic) ?? Number.NaN) <= number) awaited.delete(topic)
      this.#announce()
    }, this.#random.below(MAX_READ_MS))
  }

  #sendResult(topic: ModelTopic, data: unknown): void {
    const hash = JSON.stringify(data)
    const { id: topicId } = topic.wire
    const isFirst = topic.seq === 0
    const isKnown = topic.hash === hash
    topic.hash = hash
    if (!isKnown) this.#send({ snapshot: { topicId, seq: ++topic.seq, hash, data } })
    else if (isFirst) this.#send({ current: { topicId, seq: ++topic.seq } })
  }

  #announce(): void {
    const writes = this.#marks.filter(({ awaited }) => awaited.size === 0).map(({ write }) => write)
    this.#marks = this.#marks.filter(({ awaited }) => awaited.size > 0)
    if (writes.length > 0) this.#send({ applied: { writes } })
  }

  // Events arrive in the order in which they were sent.
  #send(event: Partial<LiveEvents>): void {
    const [[name, data] = []] = Object.entries(event)
    const text = `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
    this.#arrivesAt = Math.max(this.#arrivesAt, Date.now() + this.#random.below(MAX_NETWORK_MS))
    setTimeout(() => {
      if (this.#isOpen) this.#controller?.enqueue(new TextEncoder().encode(text))
    }, this.#arrivesAt - Date.now())
  }
}
