import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import type { CallHandler, IncomingCall, OpenBody, OutgoingAnswer } from "../../ports/http.ts"
import { watchAnswer } from "./answer-timeout.ts"
import { readBody, sendEarly, sendStream } from "./body.ts"
import { isOpenBody, openBody } from "./outlet.ts"
import { bodyReadBefore } from "./parsed-body.ts"
import { toRequest } from "./request.ts"

/** A request of a Node server, and where its answer goes. */
export interface NodeExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The path and query as they were sent, where the host has put something else into `request.url`. */
  readonly url?: string
  /** What a parser of the host has made of the body, where it was read before. */
  readonly parsedBody?: unknown
  /** Whether the connection ends with this answer. */
  isLast?(): boolean
  /** Told when somebody begins to read a body that may be long. */
  expectLongBody?(): void
  /** How long a client may hardly take anything of a long answer; 30 s unless set. */
  readonly answerTimeoutMs?: number | undefined
}

const MAX_DISCARDED_BYTES = 64 * 1024
const ANSWER_TIMEOUT_MS = 30_000
const NOTHING = new Uint8Array()
// Their length says nothing about a body.
const BODILESS: ReadonlySet<number> = new Set([204, 304])

/** Answers a request, at once where the handler does; never fails, at worst the connection ends. */
export function answerNodeRequest(handle: CallHandler, exchange: NodeExchange): void {
  // A handler answers whatever happens; should it fail all the same, only this connection ends.
  const giveUp = () => exchange.request.socket.destroy()
  try {
    const answer = handle(new NodeCall(exchange))
    if (answer instanceof Promise) answer.then((late) => send(exchange, late)).catch(giveUp)
    else send(exchange, answer)?.catch(giveUp)
  } catch {
    giveUp()
  }
}

/** Resolves at the end of a stream, or when one that nobody reads is let go of; nothing else is waited for. */
function send(exchange: NodeExchange, { status, headers, body, ended }: OutgoingAnswer): Promise<void> | undefined {
  const { request, response } = exchange
  if (ended) holdUntilClosed(exchange, ended)
  if (response.destroyed) return discard(body)
  if (isOpenBody(body)) return sendOpen(exchange, { status, headers, body })
  if (!(body instanceof ReadableStream) && !BODILESS.has(status))
    headers["content-length"] = String(Buffer.byteLength(body))
  const isEarly = hasLongRest(request)
  if (exchange.isLast?.() || isEarly) headers["connection"] = "close"
  response.writeHead(status, headers)
  // Whoever has given up on a body has destroyed it, and with that the way to read past it.
  const canLinger = isEarly && !request.destroyed
  if (!(body instanceof ReadableStream)) return canLinger ? sendEarly(exchange, body) : sendWhole(exchange, body)
  if (request.method !== "HEAD") return sendStream(response, body)
  response.end()
  return discard(body)
}

function holdUntilClosed({ response, answerTimeoutMs = ANSWER_TIMEOUT_MS }: NodeExchange, ended: () => void): void {
  if (response.closed) return void ended()
  response.once("close", ended)
  watchAnswer(response, answerTimeoutMs)
}

// Its end is not waited for: whoever made it hears of that.
function sendOpen(
  { response }: NodeExchange,
  { status, headers, body }: OutgoingAnswer & { body: OpenBody },
): undefined {
  response.writeHead(status, headers)
  openBody(response, body)
}

// What is left of a request that was read in part stands before the next one.
function sendWhole({ request, response }: NodeExchange, body: string | Uint8Array): undefined {
  response.end(body)
  if (!request.complete && !request.destroyed) request.resume()
}

// Whoever makes the stream holds something for it, and learns here that nobody reads it.
async function discard(body: OutgoingAnswer["body"]): Promise<void> {
  if (isOpenBody(body)) body.discard()
  if (body instanceof ReadableStream) await body.cancel("Nobody reads this answer.")
}

// Node reads past a body that nobody wanted before it takes the next request; that pays only if it is short.
function hasLongRest({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false
  const length = headers["content-length"]
  return length === undefined ? headers["transfer-encoding"] !== undefined : Number(length) > MAX_DISCARDED_BYTES
}

/** A class rather than a literal full of functions: one is made for every request. */
export class NodeCall implements IncomingCall {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: NodeHeaders
  readonly peerAddress: string | undefined
  readonly #exchange: NodeExchange
  /** What has been read of the body; a request that is made afterwards has it too. */
  #body: Uint8Array | undefined

  constructor(exchange: NodeExchange) {
    const { method = "GET", headers, socket } = exchange.request
    const url = exchange.url ?? exchange.request.url ?? "/"
    const mark = url.indexOf("?")
    this.method = method
    this.path = mark < 0 ? url : url.slice(0, mark)
    this.query = mark < 0 ? "" : url.slice(mark + 1)
    this.headers = new NodeHeaders(headers)
    this.peerAddress = socket.remoteAddress
    this.#exchange = exchange
  }

  get hasLeft(): boolean {
    const { request, response } = this.#exchange
    return !response.writableFinished && (response.destroyed || request.socket.destroyed)
  }

  async readBody(maxBytes: number): Promise<Uint8Array | null> {
    this.#body ??= bodyReadBefore(this.#exchange)
    if (this.#body) return this.#body.length > maxBytes ? null : this.#body
    const body = await readBody(this.#exchange.request, maxBytes)
    this.#body = body ?? NOTHING
    return body
  }

  openBody(): AsyncIterable<Uint8Array> {
    const before = this.#body ?? bodyReadBefore(this.#exchange)
    this.#exchange.expectLongBody?.()
    return before ? Readable.from([before]) : this.#exchange.request.iterator({ destroyOnReturn: false })
  }

  toRequest(maxBytes: number): Request {
    return toRequest(this.#exchange, { maxBytes, bodyBefore: this.#body ?? bodyReadBefore(this.#exchange) })
  }
}

class NodeHeaders {
  readonly #headers: IncomingHttpHeaders

  constructor(headers: IncomingHttpHeaders) {
    this.#headers = headers
  }

  get(name: string): string | null {
    const value = this.#headers[name] ?? this.#headers[name.toLowerCase()]
    return typeof value === "string" ? value : (value?.join(", ") ?? null)
  }
}
