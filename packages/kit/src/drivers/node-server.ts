import { randomUUID } from "node:crypto"
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http"
import type { AddressInfo } from "node:net"
import type { Duplex } from "node:stream"
import type { CallHandler, IncomingCall, OutgoingAnswer } from "../ports/http.ts"
import { readBody, sendStream } from "./node-body.ts"
import { toRequest } from "./node-request.ts"

export interface NodeServerOptions {
  readonly port: number
  readonly host: string
  /** How long a stop waits for requests under way before it cuts them off. */
  readonly stopTimeoutMs?: number
  /** How long a client may take to send the headers of a request. */
  readonly headersTimeoutMs?: number
  /** How long a client may take to send a whole request. */
  readonly requestTimeoutMs?: number
}

export interface NodeServer {
  readonly port: number
  /** Takes no new request, lets those under way finish, then resolves. */
  stop(): Promise<void>
}

const MAX_HEADER_BYTES = 64 * 1024
const MAX_DISCARDED_BYTES = 64 * 1024
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 60_000
const TIMEOUT_CHECK_MS = 2_000
const STOP_TIMEOUT_MS = 10_000

/** Serves the handler on a port, without making a web-standard request for each call. */
export async function startNodeServer(handle: CallHandler, options: NodeServerOptions): Promise<NodeServer> {
  const connections = new Connections()
  const server = createServer(settingsOf(options))
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    serve(handle, { request, response }, connections)
  }
  server.on("request", answer)
  // Without a listener Node answers these itself, and not in JSON.
  server.on("checkExpectation", answer)
  server.on("connect", (_request, socket) => refuse(socket, MALFORMED))
  server.on("connection", (socket) => connections.add(socket))
  server.on("clientError", (error, socket) => answerBrokenRequest(error, socket, connections))
  await listen(server, options)
  return {
    // A server that listens on TCP has an address with a port.
    port: (server.address() as AddressInfo).port,
    stop: () => {
      const stopped = close(server, options.stopTimeoutMs ?? STOP_TIMEOUT_MS)
      connections.close()
      return stopped
    },
  }
}

function settingsOf(options: NodeServerOptions) {
  const requestTimeout = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS
  const headersTimeout = Math.min(options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS, requestTimeout)
  return {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout,
    requestTimeout,
    connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, headersTimeout),
    requireHostHeader: false,
  }
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** The open connections, and the latest request of each. */
class Connections {
  readonly #open = new Map<Duplex, Exchange | undefined>()
  #isClosing = false

  get isClosing(): boolean {
    return this.#isClosing
  }

  add(socket: Duplex): void {
    this.#open.set(socket, undefined)
    socket.once("close", () => this.#open.delete(socket))
  }

  note(exchange: Exchange): void {
    const { socket } = exchange.request
    // A request may be read from what a connection had sent before it was closed.
    if (this.#open.has(socket)) this.#open.set(socket, exchange)
  }

  /** The request of this connection that is not answered to its end. */
  underWay(socket: Duplex): Exchange | undefined {
    const exchange = this.#open.get(socket)
    return exchange?.response.writableFinished ? undefined : exchange
  }

  /** Closes each connection now, or when the request under way on it is answered. */
  close(): void {
    this.#isClosing = true
    for (const socket of this.#open.keys()) {
      const exchange = this.underWay(socket)
      if (exchange) exchange.response.once("finish", () => endConnection(socket))
      else socket.destroy()
    }
  }
}

// A handler answers whatever happens; should it fail all the same, only this connection ends.
function serve(handle: CallHandler, exchange: Exchange, connections: Connections): void {
  const { request } = exchange
  connections.note(exchange)
  if (request.headers.host === undefined && request.httpVersion !== "1.0") return void refuse(request.socket, MALFORMED)
  const giveUp = () => request.socket.destroy()
  try {
    const answer = handle(new NodeCall(exchange))
    if (answer instanceof Promise) answer.then((late) => send(exchange, late, connections)).catch(giveUp)
    else send(exchange, answer, connections)?.catch(giveUp)
  } catch {
    giveUp()
  }
}

/** Resolves at the end of a stream; nothing else is waited for. */
function send(exchange: Exchange, answer: OutgoingAnswer, connections: Connections): Promise<void> | undefined {
  const { request, response } = exchange
  const { status, headers, body } = answer
  if (response.destroyed) return discard(body)
  if (!(body instanceof ReadableStream) && status !== 204) headers["content-length"] = String(Buffer.byteLength(body))
  if (connections.isClosing || hasLongRest(request)) headers["connection"] = "close"
  response.writeHead(status, headers)
  if (!(body instanceof ReadableStream)) return void response.end(body)
  if (request.method !== "HEAD") return sendStream(response, body)
  response.end()
  return discard(body)
}

// Whoever makes the stream holds something for it, and learns here that nobody reads it.
async function discard(body: OutgoingAnswer["body"]): Promise<void> {
  if (body instanceof ReadableStream) await body.cancel("Nobody reads this answer.")
}

// Node reads past a body that nobody wanted before it takes the next request; that pays only if it is short.
function hasLongRest({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false
  const length = headers["content-length"]
  return length === undefined ? headers["transfer-encoding"] !== undefined : Number(length) > MAX_DISCARDED_BYTES
}

/** A class rather than a literal full of functions: one is made for every request. */
class NodeCall implements IncomingCall {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: NodeHeaders
  readonly peerAddress: string | undefined
  readonly #exchange: Exchange

  constructor(exchange: Exchange) {
    const { url = "/", method = "GET", headers, socket } = exchange.request
    const mark = url.indexOf("?")
    this.method = method
    this.path = mark < 0 ? url : url.slice(0, mark)
    this.query = mark < 0 ? "" : url.slice(mark + 1)
    this.headers = new NodeHeaders(headers)
    this.peerAddress = socket.remoteAddress
    this.#exchange = exchange
  }

  readBody(maxBytes: number): Promise<Uint8Array | null> {
    return readBody(this.#exchange.request, maxBytes)
  }

  toRequest(maxBytes: number): Request {
    const { request, response } = this.#exchange
    return toRequest(request, response, maxBytes)
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

interface Refusal {
  readonly status: string
  readonly message: string
}

const MALFORMED: Refusal = { status: "400 Bad Request", message: "The request is malformed." }

const BROKEN: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: "431 Request Header Fields Too Large", message: "The headers are too large." },
  ERR_HTTP_REQUEST_TIMEOUT: { status: "408 Request Timeout", message: "The request took too long." },
}

// Node could not read the request, so no handler has seen it.
function answerBrokenRequest(error: Error & { code?: string }, socket: Duplex, connections: Connections): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy()
  const earlier = connections.underWay(socket)
  // What follows a whole request must not be answered in its place.
  if (earlier?.request.complete) return void earlier.response.once("finish", () => endConnection(socket))
  refuse(socket, BROKEN[error.code ?? ""] ?? MALFORMED)
}

function refuse(socket: Duplex, { status, message }: Refusal): void {
  const requestId = randomUUID()
  const body = JSON.stringify({ error: { code: "BAD_REQUEST", message, requestId } })
  const head = [
    `HTTP/1.1 ${status}`,
    "content-type: application/json; charset=utf-8",
    "x-content-type-options: nosniff",
    "cross-origin-resource-policy: same-origin",
    "content-security-policy: default-src 'none'; frame-ancestors 'none'",
    "cache-control: no-store",
    `x-request-id: ${requestId}`,
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ]
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`)
  endConnection(socket)
}

// Once everything is written: waiting for the client to close its half would leave that to the client.
function endConnection(socket: Duplex): void {
  socket.end(() => socket.destroy())
}

function listen(server: Server, { port, host }: NodeServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen({ port, host }, () => {
      server.off("error", reject)
      resolve()
    })
  })
}

function close(server: Server, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cutOff = setTimeout(() => server.closeAllConnections(), timeoutMs)
    server.close(() => {
      clearTimeout(cutOff)
      resolve()
    })
  })
}
