import { WRITE_HEADER } from "../../../../packages/kit/src/wire/options/client-headers.ts"
import type { SeededRandom } from "../../../support/seeded-random.ts"
import { ModelStream } from "./model-stream.ts"
import { ModelTasks, type Task } from "./model-tasks.ts"

const MAX_NETWORK_MS = 400
const MAX_ANSWER_MS = 900
const MAX_FEED_MS = 80

/** The possible fates of a write, one chance each. */
const FATES = ["done", "done", "done", "done", "done", "done", "refused", "unsent", "unanswered"] as const

/**
 * A model of the server at the level of the wire: a `fetch` that speaks the protocol of kit. Delays, failures and their
 * order come from a seed.
 */
export class ModelServer {
  readonly tasks = new ModelTasks()
  /** The number of each committed write, by the title that it has written or the id that it has removed. */
  readonly commits = new Map<string, number>()
  /** False when nothing fails any more. */
  isUnreliable = true
  readonly #random: SeededRandom
  #streams: ModelStream[] = []
  #lastStream = 0
  #feedAt = 0

  constructor(random: SeededRandom) {
    this.#random = random
  }

  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    await this.#delay(MAX_NETWORK_MS)
    init.signal?.throwIfAborted()
    const { pathname } = new URL(url)
    if (pathname.endsWith("/realtime")) return this.#openOrUpdate(JSON.parse(String(init.body)))
    return init.method === "GET" ? await this.#find(url) : await this.#write(pathname, init)
  }

  /** Makes a write as another user would. */
  writeAsStranger(write: (tasks: ModelTasks) => unknown, name: string): void {
    this.#commit(write, name)
  }

  killStreams(): void {
    for (const stream of this.#streams) stream.kill()
  }

  #openOrUpdate({ sessionId, topics }: { sessionId?: string; topics: [] }): Response {
    this.#streams = this.#streams.filter(({ isOpen }) => isOpen)
    if (sessionId !== undefined) {
      const stream = this.#streams.find(({ id }) => id === sessionId)
      stream?.serve(topics)
      return stream ? answer({}) : refusal(404, "NOT_FOUND")
    }
    if (this.isUnreliable && this.#random.below(10) === 0) throw new TypeError("fetch failed")
    const stream = new ModelStream(`stream ${++this.#lastStream}`, this.#random, this.tasks)
    this.#streams.push(stream)
    stream.serve(topics)
    return new Response(stream.body, { headers: { "content-type": "text/event-stream" } })
  }

  async #find(url: string): Promise<Response> {
    const isOrdered = new URL(url).searchParams.has("orderBy[rank]")
    const page = this.tasks.read(isOrdered ? { orderBy: { rank: "asc" } } : {})
    await this.#delay(MAX_NETWORK_MS)
    return answer(page)
  }

  async #write(pathname: string, { method, headers, body }: RequestInit): Promise<Response> {
    const fate = this.isUnreliable ? FATES[this.#random.below(FATES.length)] : "done"
    if (fate === "unsent") throw new TypeError("fetch failed")
    const id = decodeURIComponent(pathname.split("/")[3] ?? "")
    const data: Partial<Task> = body ? JSON.parse(String(body)) : {}
    const written = fate === "refused" ? undefined : this.#writeAs(String(method), id, data)
    const write = new Headers(headers).get(WRITE_HEADER)
    if (write && written) await this.#mark(write)
    await this.#delay(MAX_ANSWER_MS)
    if (fate === "unanswered") throw new TypeError("fetch failed")
    return written
      ? answer(method === "DELETE" ? { success: true, data: written } : written)
      : refusal(400, "BAD_REQUEST")
  }

  #writeAs(method: string, id: string, data: Partial<Task>): Task | undefined {
    if (method === "POST") return this.#commit((tasks) => tasks.create(data), data.title ?? "")
    if (method === "DELETE") return this.#commit((tasks) => tasks.delete(id), id)
    return this.#commit((tasks) => tasks.update(id, data), data.title ?? "")
  }

  #commit<Written>(write: (tasks: ModelTasks) => Written, name: string): Written {
    const written = write(this.tasks)
    if (written) this.commits.set(name, this.commits.size + 1)
    this.#feed((stream) => stream.change())
    return written
  }

  // The mark is stored after everything that the write has committed.
  async #mark(write: string): Promise<void> {
    await this.#delay(MAX_FEED_MS)
    this.#feed((stream) => stream.mark(write))
  }

  // The change feed reads in the order of the commits. A stream that is opened later does not get what was before.
  #feed(tell: (stream: ModelStream) => void): void {
    const streams = [...this.#streams]
    this.#feedAt = Math.max(this.#feedAt, Date.now() + this.#random.below(MAX_FEED_MS))
    setTimeout(() => {
      for (const stream of streams) if (stream.isOpen) tell(stream)
    }, this.#feedAt - Date.now())
  }

  #delay(maxMs: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.#random.below(maxMs)))
  }
}

function answer(value: object | null): Response {
  return Response.json(value)
}

function refusal(status: number, code: string): Response {
  return Response.json({ error: { code, message: "Refused by the model." } }, { status })
}
