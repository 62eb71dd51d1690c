import type { IncomingMessage, ServerResponse } from "node:http"
import { buffer } from "node:stream/consumers"
import * as decoding from "lib0/decoding"
import * as Y from "yjs"
import type { LiveEvents } from "../../src/wire/realtime/live-events.ts"
import type { WireDocument } from "../../src/wire/realtime/topic.ts"
import { serve } from "../client/serve.ts"

/** A request with edits, as it was received. */
interface ReceivedPost {
  readonly path: string
  readonly query: URLSearchParams
  readonly contentType: string | undefined
  readonly update: Uint8Array
  readonly awareness: Uint8Array
}

/** The status with which a request is answered, its headers and its context; "drop" breaks the connection. */
type Answer =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly context?: Record<string, unknown> }
  | "drop"

/** The part of the server that a test may change before a stream is opened. */
interface ServedDocument {
  epoch: string
  canEdit: boolean
  problem: string | null
  userId: string | null
  /** The error with which the topic is answered in place of the document. */
  topicError: { code: string; message: string } | undefined
}

/** A server with one collaborative document, kept by Yjs itself. The test decides how it fails. */
export async function documentServer() {
  const doc = new Y.Doc()
  const served: ServedDocument = { epoch: "e1", canEdit: true, problem: null, userId: "u1", topicError: undefined }
  const streams: DocumentStream[] = []
  const posts: ReceivedPost[] = []
  const answers: Answer[] = []
  let isDown = false
  let hold: Promise<void> | undefined
  let number = 0

  const broadcast = (update: Uint8Array) => {
    for (const stream of streams) stream.sendToAll("edit", { update: base64(update) })
  }
  doc.on("update", broadcast)

  const onStream = async (request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.parse((await buffer(request)).toString())
    const known = streams.find(({ sessionId }) => sessionId === body.sessionId)
    if (body.sessionId !== undefined) {
      response.writeHead(known ? 202 : 404).end()
      known?.serve(body.documents ?? [])
      return
    }
    const stream = new DocumentStream({ response, sessionId: `s${++number}`, doc, served, body })
    streams.push(stream)
    response.on("close", () => streams.splice(streams.indexOf(stream), 1))
  }

  const onPost = async (request: IncomingMessage, response: ServerResponse) => {
    const bytes = await buffer(request)
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost")
    const frames = decoding.createDecoder(new Uint8Array(bytes))
    const update = decoding.readVarUint8Array(frames)
    const awareness = decoding.readVarUint8Array(frames)
    const contentType = request.headers["content-type"]
    posts.push({ path: pathname, query: searchParams, contentType, update, awareness })
    await hold
    const answer = update.length > 0 ? answers.shift() : undefined
    if (answer === "drop") return void response.destroy()
    if (answer) {
      const code = { 400: "BAD_REQUEST", 403: "FORBIDDEN", 404: "NOT_FOUND", 409: "CONFLICT" }[answer.status] ?? "OTHER"
      response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers })
      const { context } = answer
      return void response.end(JSON.stringify({ error: { code, message: `Answered ${answer.status}.`, context } }))
    }
    if (update.length > 0) Y.applyUpdate(doc, update)
    response.writeHead(200, { "content-type": "application/json" }).end('{"seq":1}')
  }

  const server = await serve(async (request, response) => {
    if (isDown) return void response.destroy()
    await (request.url === "/realtime" ? onStream(request, response) : onPost(request, response))
  })
  return {
    baseURL: server.baseURL,
    doc,
    served,
    streams,
    /** The requests with edits or awareness, in the order of their arrival. */
    posts,
    /** The answers to the next requests with edits, in place of storing them. */
    answers,
    /** The requests that contained edits. */
    get edits(): ReceivedPost[] {
      return posts.filter(({ update }) => update.length > 0)
    },
    /** Breaks all streams. If the server is down, it also breaks every request. */
    cut({ down = isDown } = {}) {
      isDown = down
      for (const stream of [...streams]) stream.break()
    },
    up() {
      isDown = false
    },
    /** Lets requests with edits wait for their answer until the returned function is called. */
    holdAnswers(): () => void {
      let release = () => {}
      hold = new Promise((resolve) => {
        release = () => {
          hold = undefined
          resolve()
        }
      })
      return release
    },
    /** Text of the server's document. */
    text: () => doc.getText("body").toString(),
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  }
}

interface StreamParts {
  readonly response: ServerResponse
  readonly sessionId: string
  readonly doc: Y.Doc
  readonly served: ServedDocument
  readonly body: { readonly topics: unknown[]; readonly documents?: WireDocument[] }
}

class DocumentStream {
  readonly sessionId: string
  /** The body of the request that opened the stream. */
  readonly body: StreamParts["body"]
  readonly #parts: StreamParts
  readonly #documents = new Map<string, WireDocument>()

  constructor(parts: StreamParts) {
    const { response, sessionId, served, body } = parts
    this.#parts = parts
    this.sessionId = sessionId
    this.body = body
    response.writeHead(200, { "content-type": "text/event-stream" })
    this.send("session", { sessionId, token: "t", userId: served.userId })
    this.serve(body.documents ?? [])
  }

  /** The documents that the stream serves. */
  get documents(): WireDocument[] {
    return [...this.#documents.values()]
  }

  serve(documents: readonly WireDocument[]): void {
    const wanted = new Set(documents.map(({ id }) => id))
    for (const id of this.#documents.keys()) if (!wanted.has(id)) this.#documents.delete(id)
    for (const document of documents) if (!this.#documents.has(document.id)) this.#open(document)
  }

  /** Sends the state of the document, as after a change of the client's rights. */
  sendDocument({ id, field = "body", stateVector = "" }: WireDocument): void {
    const { doc, served } = this.#parts
    const vector = stateVector === "" ? undefined : Buffer.from(stateVector, "base64")
    const { epoch, canEdit, problem } = served
    const update = base64(Y.encodeStateAsUpdate(doc, vector))
    const whole = base64(Y.encodeStateVector(doc))
    this.send("document", { documentId: id, epoch, field, locale: null, update, stateVector: whole, canEdit, problem })
  }

  sendToAll(name: "edit" | "awareness", data: { update: string }): void {
    for (const { id } of this.documents) this.send(name, { documentId: id, ...data })
  }

  send<Name extends keyof LiveEvents>(name: Name, data: LiveEvents[Name]): void {
    this.#parts.response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  break(): void {
    this.#parts.response.destroy()
  }

  #open(document: WireDocument): void {
    const { served } = this.#parts
    const isOther = document.epoch !== undefined && document.epoch !== served.epoch
    const error = isOther ? { code: "CONFLICT", message: "The document was made again." } : served.topicError
    if (!error) this.#documents.set(document.id, document)
    if (error) this.send("error", { topicId: document.id, ...error })
    else this.sendDocument(document)
  }
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64")
}
