import { createServer, type IncomingHttpHeaders, type Server } from "node:http"
import type { AddressInfo } from "node:net"

export interface EmbeddingRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: { readonly model: string; readonly input: readonly string[] } & Record<string, unknown>
}

export interface EmbeddingAnswer {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
  /** Closes the connection instead of an answer. */
  readonly hangsUp?: boolean
  /** Never answers. */
  readonly isSilent?: boolean
}

/** An HTTP server that answers each request with the next of the given answers, and with vectors after the last one. */
export class EmbeddingServer {
  readonly requests: EmbeddingRequest[] = []
  readonly #answers: EmbeddingAnswer[]
  readonly #server: Server

  private constructor(answers: readonly EmbeddingAnswer[]) {
    this.#answers = [...answers]
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const body = JSON.parse(Buffer.concat(chunks).toString())
      this.requests.push({ path: String(request.url), headers: request.headers, body })
      const answer = this.#answers.shift() ?? { body: vectorsFor(body.input) }
      if (answer.hangsUp) return request.socket.destroy()
      if (answer.isSilent) return
      response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers })
      response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body ?? {}))
    })
  }

  static async start(...answers: EmbeddingAnswer[]): Promise<EmbeddingServer> {
    const server = new EmbeddingServer(answers)
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve))
    return server
  }

  get url(): string {
    // The cast is safe: the server listens on a port, not on a pipe.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

/** Returns a response body in which each text has the vector `[length, place, 1]`. */
export function vectorsFor(texts: readonly string[]): { data: { index: number; embedding: number[] }[] } {
  return { data: texts.map((text, index) => ({ index, embedding: [text.length, index, 1] })) }
}
