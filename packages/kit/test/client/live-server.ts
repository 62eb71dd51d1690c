import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import type { LiveEvents } from "../../src/wire/realtime/live-events.ts"
import type { WireSession, WireTopic } from "../../src/wire/realtime/topic.ts"
import { serve } from "./serve.ts"

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: {
    readonly topics: WireTopic[]
    readonly sessions?: WireSession[]
    readonly sessionId?: string
    readonly token?: string
  }
}

type Answer = (response: ServerResponse, received: Received) => void

/** A fake server of live queries: the test takes each stream and each change as it arrives, and decides the answer. */
export async function liveServer() {
  const opened = new Arrivals<LiveStream>()
  const changes = new Arrivals<Received>()
  const refused = new Arrivals<Received>()
  const answers: Answer[] = []
  const changeAnswers: number[] = []
  const requests: Received[] = []
  const users: (string | null)[] = []
  const server = await serve(async (request, response) => {
    const received = await receive(request)
    requests.push(received)
    if (received.body.sessionId !== undefined) {
      response.writeHead(changeAnswers.shift() ?? 202).end()
      changes.push(received)
      return
    }
    const answer = answers.shift()
    if (!answer)
      return opened.push(
        new LiveStream(response, received, { number: opened.count + 1, userId: users.shift() ?? null }),
      )
    answer(response, received)
    refused.push(received)
  })
  return {
    baseURL: server.baseURL,
    requests,
    /** The answers to the next requests for a stream, in place of a stream. */
    answers,
    /** The users of the next streams. Nobody is signed in on the streams after them. */
    users,
    /** The statuses of the next changes of topics. */
    changeAnswers,
    stream: () => opened.next(),
    change: () => changes.next(),
    refused: () => refused.next(),
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  }
}

export class LiveStream {
  readonly received: Received
  readonly closed: Promise<void>
  readonly #response: ServerResponse
  #seq = 0

  constructor(
    response: ServerResponse,
    received: Received,
    { number, userId }: { number: number; userId: string | null },
  ) {
    this.#response = response
    this.received = received
    this.closed = new Promise((resolve) => response.on("close", resolve))
    response.writeHead(200, { "content-type": "text/event-stream" })
    this.send("session", { sessionId: `s${number}`, token: `t${number}`, userId })
  }

  get topics(): WireTopic[] {
    return this.received.body.topics
  }

  /** The id of the only topic, or of the one with this index. */
  id(index = 0): string {
    return this.topics[index]?.id ?? ""
  }

  send<Name extends keyof LiveEvents>(name: Name, data: LiveEvents[Name]): void {
    this.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  /** A snapshot of a topic, as extended JSON. */
  snapshot(topicId: string, json: unknown, more: Partial<LiveEvents["snapshot"]> = {}): void {
    this.send("snapshot", { topicId, seq: ++this.#seq, hash: `h${this.#seq}`, data: { json }, ...more })
  }

  write(bytes: string | Uint8Array): void {
    this.#response.write(bytes)
  }

  end(): void {
    this.#response.end()
  }

  break(): void {
    this.#response.destroy()
  }
}

/** A queue of arrivals. Each is taken once, and a caller waits if there is none. */
export class Arrivals<Item> {
  count = 0
  readonly #items: Item[] = []
  readonly #waiting: ((item: Item) => void)[] = []

  push(item: Item): void {
    this.count++
    const take = this.#waiting.shift()
    if (take) take(item)
    else this.#items.push(item)
  }

  next(): Promise<Item> {
    const item = this.#items.shift()
    return item === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(item)
  }

  get left(): readonly Item[] {
    return this.#items
  }
}

async function receive(request: IncomingMessage): Promise<Received> {
  const body = await text(request)
  return { headers: request.headers, text: body, body: JSON.parse(body) }
}
