/** The network between a client and its server, which a test can watch and break. */
export class Network {
  /** The requests so far, such as `GET /posts?limit=2`. */
  readonly requests: string[] = []
  /** The text that the server has sent on streams so far. */
  streamed = ""
  /** The number of requests that the client has aborted. */
  aborted = 0
  #isDown = false
  #refusesNext = false
  #streams: AbortController[] = []

  /** Given to the client in place of the global `fetch`. */
  readonly fetch: typeof fetch = async (input, init) => {
    const { pathname, search } = new URL(String(input))
    this.requests.push(`${init?.method} ${pathname}${search}`)
    init?.signal?.addEventListener("abort", () => this.aborted++)
    if (this.#isDown) throw new TypeError("The network is down.")
    if (this.#refusesNext) return this.#refusal()
    const line = new AbortController()
    this.#streams.push(line)
    const signal = AbortSignal.any([line.signal, ...(init?.signal ? [init.signal] : [])])
    const response = await fetch(input, { ...init, signal })
    return pathname.endsWith("/realtime") ? this.#noting(response) : response
  }

  /** Breaks every connection, and refuses new ones until `repair`. */
  cut(): void {
    this.#isDown = true
    for (const line of this.#streams.splice(0)) line.abort()
  }

  repair(): void {
    this.#isDown = false
  }

  /** Has the next request refused, as a server does that never takes it. */
  refuseNext(): void {
    this.#refusesNext = true
  }

  #refusal(): Response {
    this.#refusesNext = false
    return Response.json({ error: { code: "BAD_REQUEST", message: "Not today." } }, { status: 400 })
  }

  requestsTo(path: string): string[] {
    return this.requests.filter((request) => request.includes(path))
  }

  #noting({ body, status, headers }: Response): Response {
    const text = new TextDecoder()
    const note = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        this.streamed += text.decode(chunk, { stream: true })
        controller.enqueue(chunk)
      },
    })
    return new Response(body?.pipeThrough(note) ?? null, { status, headers })
  }
}
