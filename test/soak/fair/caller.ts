import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http"

// Ends requests that hang. It is not one of the measured limits.
const TIMEOUT_MS = 180_000

export type Call = { method?: string; path: string; headers?: Record<string, string>; body?: string | Buffer }

/** A status of 0: none came. */
type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer }

/** A caller with its own local address, which the app counts separately from all others. */
export class Caller {
  #agent
  #url

  constructor(url: string, address: string) {
    this.#url = url
    this.#agent = new Agent({ keepAlive: true, localAddress: address })
  }

  /** Returns the whole answer. */
  ask(call: Call): Promise<Answer> {
    return new Promise((resolve) => {
      const fail = () => resolve({ status: 0, headers: {}, body: Buffer.alloc(0) })
      const sent = this.#send(call, (response) => {
        const chunks: Buffer[] = []
        response.on("data", (chunk) => chunks.push(chunk))
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
        )
        response.on("error", fail)
      })
      sent.on("error", fail)
      sent.setTimeout(TIMEOUT_MS, () => sent.destroy(new Error("It took too long.")))
    })
  }

  /** Reads the answer without keeping it. Resolves to its status and size. */
  swallow(call: Call, signal?: AbortSignal): Promise<{ status: number; bytes: number }> {
    return new Promise((resolve) => {
      let bytes = 0
      let status = 0
      const end = () => resolve({ status, bytes })
      const sent = this.#send({ ...call, signal }, (response) => {
        status = response.statusCode ?? 0
        response.on("data", (chunk) => {
          bytes += chunk.length
        })
        response.on("close", end)
        response.on("error", end)
      })
      sent.on("error", end)
    })
  }

  close() {
    this.#agent.destroy()
  }

  #send(
    { method = "GET", path, headers = {}, body, signal }: Call & { signal?: AbortSignal | undefined },
    onAnswer: (response: IncomingMessage) => void,
  ) {
    const sized =
      body === undefined
        ? {}
        : { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }
    const options = { method, agent: this.#agent, headers: { ...sized, ...headers }, ...(signal && { signal }) }
    const sent = request(this.#url + path, options, onAnswer)
    sent.end(body)
    return sent
  }
}
