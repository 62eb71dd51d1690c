type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Where a request waits: before it is sent, or with its answer. */
type Place = "request" | "answer"

interface Gate {
  readonly method: string
  readonly place: Place | "failure"
  readonly opened: Promise<void>
}

/** A fetch whose next request of a method can be held or can fail, and whose streams can be held. */
export class GatedFetch {
  #gates: Gate[] = []
  #streamsPass: Promise<void> = Promise.resolve()

  /** Holds the next request of this method until `release` is called. */
  hold(method: string, place: Place): { release(): void } {
    const { opened, release } = closedGate()
    this.#gates.push({ method, place, opened })
    return { release }
  }

  /** Holds everything that streams send until `release` is called. */
  holdStreams(): { release(): void } {
    const { opened, release } = closedGate()
    this.#streamsPass = opened
    return { release }
  }

  /** Lets the next request of this method fail as without a network. */
  fail(method: string): void {
    this.#gates.push({ method, place: "failure", opened: Promise.resolve() })
  }

  readonly fetch: Fetch = async (url, init) => {
    const isStream = new URL(url).pathname.endsWith("/realtime")
    const gate = isStream ? undefined : this.#gates.find(({ method }) => method === init.method)
    this.#gates = this.#gates.filter((other) => other !== gate)
    if (gate?.place === "failure") throw new TypeError("fetch failed")
    if (gate?.place === "request") await gate.opened
    const response = await fetch(url, init)
    if (gate?.place === "answer") await gate.opened
    return isStream ? this.#held(response) : response
  }

  #held({ body, status, headers }: Response): Response {
    const held = new TransformStream<Uint8Array, Uint8Array>({
      transform: async (chunk, controller) => {
        await this.#streamsPass
        controller.enqueue(chunk)
      },
    })
    return new Response(body?.pipeThrough(held) ?? null, { status, headers })
  }
}

function closedGate() {
  let release = () => {}
  const opened = new Promise<void>((resolve) => {
    release = resolve
  })
  return { opened, release: () => release() }
}
