import type { SeededRandom } from "../../support/seeded-random.ts"

const MAX_DELAY_MS = 120

/** A fetch with seeded delays, which loses requests and answers of writes, and whose streams can be broken. */
export class UnreliableFetch {
  isUnreliable = true
  readonly #random: SeededRandom
  #streams = new AbortController()

  constructor(random: SeededRandom) {
    this.#random = random
  }

  breakStreams(): void {
    this.#streams.abort(new Error("the connection was reset"))
    this.#streams = new AbortController()
  }

  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const isStream = url.endsWith("/realtime")
    const fate = this.isUnreliable && !isStream && init.method !== "GET" ? this.#random.below(8) : -1
    await this.#delay()
    if (fate === 0) throw new TypeError("fetch failed")
    const signals = [init.signal, isStream ? this.#streams.signal : undefined].filter(
      (signal) => signal instanceof AbortSignal,
    )
    const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) })
    await this.#delay()
    if (fate === 1) throw new TypeError("fetch failed")
    return response
  }

  #delay(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.#random.below(MAX_DELAY_MS)))
  }
}
