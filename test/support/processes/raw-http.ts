import { connect, type Socket } from "node:net"

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The text as JSON; undefined if it is not JSON. */
  readonly body: any
  readonly ms: number
}

export interface RawRequest {
  readonly method?: string
  /** Sent unchanged, each character as one byte: nothing is normalised or encoded. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** Sends one request over a new connection. */
export function sendRaw(url: string, request: RawRequest): Promise<RawAnswer> {
  const { host, hostname, port, pathname } = new URL(url)
  const body = Buffer.from(request.body ?? "")
  const length = request.body === undefined ? {} : { "content-length": String(body.length) }
  const headers = { host, connection: "close", ...length, ...request.headers }
  const target = `${pathname.replace(/\/$/, "")}${request.path}`
  const head = [`${request.method ?? "GET"} ${target} HTTP/1.1`, ...headerLines(headers), "", ""].join("\r\n")
  return exchange({ hostname, port: Number(port) }, Buffer.concat([Buffer.from(head, "latin1"), body]))
}

/** Writes the bytes and reads until the server closes the connection. */
export function exchange(server: { hostname: string; port: number }, bytes: Uint8Array): Promise<RawAnswer> {
  const start = performance.now()
  const socket = connect(server.port, server.hostname)
  socket.write(bytes)
  return readAnswer(socket).then((answer) => ({ ...answer, ms: performance.now() - start }))
}

/** Resolves when the connection is closed; rejects if that happens before the answer is complete. */
export function readAnswer(socket: Socket): Promise<Omit<RawAnswer, "ms">> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    socket.on("data", (chunk) => chunks.push(chunk))
    socket.on("error", () => {})
    socket.on("close", () => {
      const answer = parseAnswer(Buffer.concat(chunks).toString("utf8"))
      if (answer) resolve(answer)
      else reject(new Error("The connection was closed without a whole answer."))
    })
  })
}

function headerLines(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
}

function parseAnswer(answer: string): Omit<RawAnswer, "ms"> | undefined {
  const end = answer.indexOf("\r\n\r\n")
  if (end < 0) return undefined
  const [statusLine = "", ...lines] = answer.slice(0, end).split("\r\n")
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(":", 1)[0]?.toLowerCase(), line.replace(/^[^:]*:\s*/, "")]),
  )
  const text = answer.slice(end + 4)
  return { status: Number(statusLine.split(" ")[1]), headers, text, body: parseJson(text) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
