import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
import type { CallHandler, IncomingCall, OutgoingAnswer } from "../ports/http.ts"
import { readBody, sendStream } from "./node-body.ts"
import { bodyReadBefore } from "./node-parsed-body.ts"
import { toRequest } from "./node-request.ts"

/** A request of a Node server, and where its answer goes. */
export interface NodeExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The path and query as they were sent, where the host has put something else into `request.url`. */
  readonly url?: string
  /** What a parser of the host has made of the body, where it was read before. */
  readonly parsedBody?: unknown
}

const MAX_DISCARDED_BYTES = 64 * 1024

/** Answers a request that a server other than kit's own has taken; never fails, at worst the connection ends. */
export async function answerNodeRequest(handle: CallHandler, exchange: NodeExchange): Promise<void> {
  try {
    await sendAnswer(exchange, await handle(new NodeCall(exchange)))
  } catch {
    // A handler answers whatever happens; should it fail all the same, only this connection ends.
    exchange.request.socket.destroy()
  }
}

/** Sends the answer, and lets go of a stream that nobody reads. */
export async function sendAnswer({ request, response }: NodeExchange, answer: OutgoingAnswer): Promise<void> {
  const { status, headers, body } = answer
  if (response.destroyed) return await discard(body)
  if (!(body instanceof ReadableStream) && status !== 204) headers["content-length"] = String(Buffer.byteLength(body))
  if (hasLongRest(request)) headers["connection"] = "close"
  response.writeHead(status, headers)
  if (!(body instanceof ReadableStream)) return void response.end(body)
  if (request.method !== "HEAD") return await sendStream(response, body)
  response.end()
  await discard(body)
}

// Whoever makes the stream holds something for it, and learns here that nobody reads it.
async function discard(body: OutgoingAnswer["body"]): Promise<void> {
  if (body instanceof ReadableStream) await body.cancel("Nobody reads this answer.")
}

// Node reads past a body that nobody wanted before it takes the next request; that pays only if it is short.
function hasLongRest({ complete, headers }: IncomingMessage): boolean {
  const isShort = Number(headers["content-length"]) <= MAX_DISCARDED_BYTES
  return !complete && !isShort
}

/** A class rather than a literal full of functions: one is made for every request. */
export class NodeCall implements IncomingCall {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: NodeHeaders
  readonly peerAddress: string | undefined
  readonly #exchange: NodeExchange

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

  readBody(maxBytes: number): Promise<Uint8Array | null> {
    const before = bodyReadBefore(this.#exchange)
    if (before === undefined) return readBody(this.#exchange.request, maxBytes)
    return Promise.resolve(before.length > maxBytes ? null : before)
  }

  toRequest(maxBytes: number): Request {
    return toRequest(this.#exchange, { maxBytes, bodyBefore: bodyReadBefore(this.#exchange) })
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
