import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

interface ReceivedRequest {
  readonly method: string
  readonly path: string
  /** Decoded, without the question mark. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface FakeAnswer {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly text?: string
}

/** A server that writes down what it receives and gives the same answer to everything. */
export async function fakeServer(answer: FakeAnswer = {}) {
  const requests: ReceivedRequest[] = []
  const server = createServer(recordInto(requests, answer)).listen(0, "127.0.0.1")
  await once(server, "listening")
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo
  return {
    baseURL: `http://127.0.0.1:${port}`,
    requests,
    /** The one request that was received. */
    get request(): ReceivedRequest {
      const [request, ...others] = requests
      if (request === undefined || others.length > 0) throw new Error(`There were ${requests.length} requests.`)
      return request
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

function recordInto(requests: ReceivedRequest[], answer: FakeAnswer): RequestListener {
  return async (request, response) => {
    const { method = "", url = "", headers } = request
    const [path = "", query = ""] = url.split("?")
    requests.push({ method, path, query: decodeURIComponent(query), headers, body: await text(request) })
    response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers })
    response.end(answer.text ?? JSON.stringify(answer.body ?? null))
  }
}
