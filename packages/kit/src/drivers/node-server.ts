import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import type { CallHandler, IncomingCall } from "../ports/http.ts"

export interface NodeServerOptions {
  readonly port: number
  readonly host: string
  /** How long a stop waits for requests under way before it cuts them off. */
  readonly stopTimeoutMs?: number
}

export interface NodeServer {
  readonly port: number
  /** Takes no new request, lets those under way finish, then resolves. */
  stop(): Promise<void>
}

const MAX_HEADER_BYTES = 64 * 1024
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 60_000
const TIMEOUT_CHECK_MS = 2_000
const STOP_TIMEOUT_MS = 10_000

/** Serves the handler on a port, without making a web-standard request for each call. */
export async function startNodeServer(handle: CallHandler, options: NodeServerOptions): Promise<NodeServer> {
  const state = { isStopping: false }
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
    (request, response) => void serve(handle, { request, response }, state),
  )
  server.on("clientError", answerBrokenRequest)
  await listen(server, options)
  return {
    // A server that listens on TCP has an address with a port.
    port: (server.address() as AddressInfo).port,
    stop: () => {
      state.isStopping = true
      return close(server, options.stopTimeoutMs ?? STOP_TIMEOUT_MS)
    },
  }
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

async function serve(
  handle: CallHandler,
  { request, response }: Exchange,
  state: { isStopping: boolean },
): Promise<void> {
  const answer = await handle(callOf(request))
  if (response.destroyed) return
  // A body that was not read to its end would be taken for the next request.
  const mustClose = state.isStopping || !request.complete
  const length = request.method === "HEAD" ? {} : { "content-length": Buffer.byteLength(answer.body) }
  response.writeHead(answer.status, { ...answer.headers, ...length, ...(mustClose && { connection: "close" }) })
  response.end(answer.body)
}

function callOf(request: IncomingMessage): IncomingCall {
  const url = request.url ?? "/"
  const mark = url.indexOf("?")
  return {
    method: request.method ?? "GET",
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? "" : url.slice(mark + 1),
    headers: { get: (name) => headerOf(request, name) },
    readBody: (maxBytes) => readBody(request, maxBytes),
  }
}

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name]
  return typeof value === "string" ? value : (value?.join(", ") ?? null)
}

function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array | null> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return Promise.resolve(null)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) return void chunks.push(chunk)
      request.pause()
      resolve(null)
    })
    request.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    // After a broken connection nobody is left to read the answer, whatever it is.
    request.on("error", () => resolve(null))
    request.on("close", () => resolve(null))
  })
}

const BROKEN: Readonly<Record<string, { status: string; code: string; message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: "431 Request Header Fields Too Large",
    code: "BAD_REQUEST",
    message: "The headers are too large.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: "408 Request Timeout",
    code: "BAD_REQUEST",
    message: "The request took too long.",
  },
}

// Node could not read the request, so no handler has seen it.
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy()
  const broken = BROKEN[error.code ?? ""] ?? {
    status: "400 Bad Request",
    code: "BAD_REQUEST",
    message: "The request is malformed.",
  }
  const body = JSON.stringify({ error: { code: broken.code, message: broken.message } })
  const head = `HTTP/1.1 ${broken.status}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}`
  socket.end(`${head}\r\n\r\n${body}`)
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
    server.closeIdleConnections()
  })
}
