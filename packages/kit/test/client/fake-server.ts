import type { IncomingHttpHeaders, RequestListener } from "node:http"
import { text } from "node:stream/consumers"
import { serve } from "./serve.ts"

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
  const server = await serve(recordInto(requests, answer))
  return {
    baseURL: server.baseURL,
    requests,
    /** The one request that was received. */
    get request(): ReceivedRequest {
      const [request, ...others] = requests
      if (request === undefined || others.length > 0) throw new Error(`There were ${requests.length} requests.`)
      return request
    },
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
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
