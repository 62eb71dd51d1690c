import { randomUUID } from "node:crypto"
import { type IncomingMessage, Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { Duplex } from "node:stream"
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises"
import type { CallHandler } from "../../ports/http.ts"
import { Connections, endConnection } from "./connections.ts"
import { answerNodeRequest, type NodeExchange } from "./exchange.ts"
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
  /**
   * Serves for another `drainMs`, and closes each connection after its next response, so that clients open their next
   * connection elsewhere. Call it before `stop`, which closes idle connections: a request may be on its way on them.
   */
  drain(drainMs: number): Promise<void>
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
const QUIET_TURN_MS = 0.1
const MAX_ACCEPT_MS = 500

/** Starts an HTTP server that passes each request to the handler, without creating a web-standard `Request` for it. */
export async function startNodeServer(handle: CallHandler, options: NodeServerOptions): Promise<NodeServer> {
  const connections = new Connections()
  const server = new DrainedServer(settingsOf(options))
  const isLast = () => connections.isDraining
  const { answerTimeoutMs } = options
  const timeoutMs = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const onTimeout = () => answerClientError(REQUEST_TIMED_OUT, request.socket, connections)
    const expectLongBody = watchRequest(request, { timeoutMs, onTimeout })
    serve(handle, { request, response, ownsConnection: true, isLast, expectLongBody, answerTimeoutMs }, connections)
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
    drain: async (drainMs) => {
      connections.drain()
      await delay(drainMs)
      await untilAllAccepted(server)
    },
    stop: () => {
      const stopped = close(server, options.stopTimeoutMs ?? STOP_TIMEOUT_MS)
      connections.close()
      return stopped
    },
  }
}

/** An HTTP server whose `close` leaves idle connections alone. `Connections` closes them without a reset. */
class DrainedServer extends Server {
  override closeIdleConnections(): void {}
}

// Resolves after a short turn of the event loop that found no new connection. The kernel resets the connections that
// have not been accepted when the server closes; after any other turn, there are often ten of them under load.
async function untilAllAccepted(server: Server): Promise<void> {
  let isQuiet = false
  const onConnection = () => {
    isQuiet = false
  }
  server.on("connection", onConnection)
  const giveUpAt = performance.now() + MAX_ACCEPT_MS
  while (!isQuiet && performance.now() < giveUpAt) {
    isQuiet = true
    const startedAt = performance.now()
    await nextTurn()
    if (performance.now() - startedAt > QUIET_TURN_MS) isQuiet = false
  }
  server.off("connection", onConnection)
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

// Passes a request to the handler. Refuses a request that does not have exactly one valid Host header.
function serve(handle: CallHandler, exchange: NodeExchange, connections: Connections): void {
  const { request } = exchange
  // The connection was idle when the server closed its side, so the request could not be answered.
  if (request.socket.writableEnded) return
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
