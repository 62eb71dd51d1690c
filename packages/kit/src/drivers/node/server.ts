import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { Duplex } from "node:stream"
import type { CallHandler } from "../../ports/http.ts"
import { answerNodeRequest, type NodeExchange } from "./exchange.ts"
import { CLOSING } from "./outlet.ts"
import { watchRequest } from "./request-timeout.ts"

export interface NodeServerOptions {
  readonly port: number
  readonly host: string
  /** How long `stop` waits for active requests before it closes their connections. */
  readonly stopTimeoutMs?: number
  /** How long a client may take to send the headers of a request. */
  readonly headersTimeoutMs?: number
  /** How long a client may take to send a complete request. An upload may take longer if data keeps arriving. */
  readonly requestTimeoutMs?: number
  /** How long a client may read a long response too slowly before the server disconnects the client. */
  readonly answerTimeoutMs?: number
}

export interface NodeServer {
  readonly port: number
  /** Stops accepting new requests. Resolves when the active requests have finished. */
  stop(): Promise<void>
}

const MAX_HEADER_BYTES = 64 * 1024
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 60_000
const TIMEOUT_CHECK_MS = 2_000
// Proxies reuse a connection for up to a minute. The server must not close an idle connection before the proxy does,
// because a request may be on its way.
const KEEP_ALIVE_MS = 65_000
const STOP_TIMEOUT_MS = 10_000

/** Starts an HTTP server that passes each request to the handler, without creating a web-standard `Request` for it. */
export async function startNodeServer(handle: CallHandler, options: NodeServerOptions): Promise<NodeServer> {
  const connections = new Connections()
  const server = createServer(settingsOf(options))
  const isLast = () => connections.isClosing
  const { answerTimeoutMs } = options
  const timeoutMs = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const onTimeout = () => answerClientError(REQUEST_TIMED_OUT, request.socket, connections)
    const expectLongBody = watchRequest(request, { timeoutMs, onTimeout })
    serve(handle, { request, response, isLast, expectLongBody, answerTimeoutMs }, connections)
  }
  server.on("request", answer)
  // Without these listeners, Node itself would handle Expect headers, CONNECT requests and malformed requests, and
  // would not respond in JSON.
  server.on("checkExpectation", answer)
  server.on("connect", (_request, socket) => refuse(socket, MALFORMED))
  server.on("connection", (socket) => connections.add(socket))
  server.on("clientError", (error, socket) => answerClientError(error, socket, connections))
  await listen(server, options)
  return {
    // The cast is safe: the server listens on TCP, so its address has a port.
    port: (server.address() as AddressInfo).port,
    stop: () => {
      const stopped = close(server, options.stopTimeoutMs ?? STOP_TIMEOUT_MS)
      connections.close()
      return stopped
    },
  }
}

function settingsOf(options: NodeServerOptions) {
  const { headersTimeoutMs = HEADERS_TIMEOUT_MS, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options
  const headersTimeout = Math.min(headersTimeoutMs, requestTimeoutMs)
  return {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout,
    // Disables Node's request timeout, because `watchRequest` limits the time of each request instead.
    requestTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, headersTimeout),
    requireHostHeader: false,
  }
}

/** The server's open connections, each with its latest request. */
class Connections {
  readonly #open = new Map<Duplex, NodeExchange | undefined>()
  #isClosing = false

  get isClosing(): boolean {
    return this.#isClosing
  }

  add(socket: Duplex): void {
    this.#open.set(socket, undefined)
    socket.once("close", () => this.#open.delete(socket))
  }

  setRequest(exchange: NodeExchange): void {
    const { socket } = exchange.request
    // Skips a closed connection: Node may still parse a request from data that arrived before the connection closed.
    if (this.#open.has(socket)) this.#open.set(socket, exchange)
  }

  /** Returns the latest request of a connection if its response is not finished, and otherwise undefined. */
  activeRequest(socket: Duplex): NodeExchange | undefined {
    const exchange = this.#open.get(socket)
    return exchange?.response.writableFinished ? undefined : exchange
  }

  /** Closes each idle connection now, and each other connection when its active request has finished. */
  close(): void {
    this.#isClosing = true
    for (const socket of this.#open.keys()) {
      const exchange = this.activeRequest(socket)
      exchange?.response.emit(CLOSING)
      if (exchange) exchange.response.once("finish", () => endConnection(socket))
      else socket.destroy()
    }
  }
}

// Passes a request to the handler. Refuses a request that does not have exactly one valid Host header.
function serve(handle: CallHandler, exchange: NodeExchange, connections: Connections): void {
  const { request } = exchange
  connections.setRequest(exchange)
  if (!hasOneHost(request)) return void refuse(request.socket, UNKNOWN_HOST)
  answerNodeRequest(handle, exchange)
}

// True if the request names exactly one host. With two Host headers, a proxy in front of the app might use one and the
// app the other. HTTP 1.0 requests need no Host header.
function hasOneHost({ headers: { host }, rawHeaders, httpVersion }: IncomingMessage): boolean {
  if (host === undefined) return httpVersion === "1.0"
  if (!HOST.test(host)) return false
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === "host") hosts += 1
  }
  return hosts === 1
}

// Matches a host name or an IP address, with an optional port.
const HOST = /^(?:[\w.~%!$&'()*+;=-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i

interface Refusal {
  readonly status: string
  readonly message: string
}

const REQUEST_TIMED_OUT = Object.assign(new Error("The request took too long."), { code: "ERR_HTTP_REQUEST_TIMEOUT" })

const MALFORMED: Refusal = { status: "400 Bad Request", message: "The request is malformed." }

const UNKNOWN_HOST: Refusal = { status: "400 Bad Request", message: "Send one Host header that names one host." }

const CLIENT_ERRORS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: "431 Request Header Fields Too Large", message: "The headers are too large." },
  ERR_HTTP_REQUEST_TIMEOUT: { status: "408 Request Timeout", message: "The request took too long." },
}

// Responds to a request that Node could not parse or fully receive. No handler has seen such a request.
function answerClientError(error: Error & { code?: string }, socket: Duplex, connections: Connections): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy()
  const earlier = connections.activeRequest(socket)
  // The broken data follows a complete request, whose response must be sent before the connection is closed.
  if (earlier?.request.complete) return void earlier.response.once("finish", () => endConnection(socket))
  refuse(socket, CLIENT_ERRORS[error.code ?? ""] ?? MALFORMED)
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

// Destroys the socket once all data is written, instead of waiting for the client to close its side.
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
