import type { Embedder } from "../../../ports/embedder.ts"
import type { Logger } from "../../../ports/logger.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"

// A caller waits for the vector of a query.
const TIMEOUT_MS = 10_000
const MAX_CACHE_BYTES = 4 * 1024 * 1024

interface QueryVectorOptions {
  readonly embedder: Embedder
  readonly logger: Logger
}

/** Embeds queries. The vectors of recent queries are kept, and equal queries at the same time are embedded once. */
export class QueryVectors {
  readonly #embedder: Embedder
  readonly #logger: Logger
  readonly #maxCount: number
  // The vectors by text, in the order of their last use.
  readonly #vectors = new Map<string, Promise<Float32Array>>()

  constructor({ embedder, logger }: QueryVectorOptions) {
    this.#embedder = embedder
    this.#logger = logger
    this.#maxCount = Math.ceil(MAX_CACHE_BYTES / (embedder.dimensions * Float32Array.BYTES_PER_ELEMENT))
  }

  /** Returns the vector of a query, always the same object while it is kept. */
  vectorOf(query: string): Promise<Float32Array> {
    const vector = this.#vectors.get(query) ?? this.#embed(query)
    this.#vectors.delete(query)
    this.#vectors.set(query, vector)
    const [oldest] = this.#vectors.keys()
    if (oldest !== undefined && this.#vectors.size > this.#maxCount) this.#vectors.delete(oldest)
    return vector
  }

  async #embed(query: string): Promise<Float32Array> {
    try {
      const [vector] = await this.#embedder.embed([query], AbortSignal.timeout(TIMEOUT_MS))
      return Float32Array.from(vector ?? [])
    } catch (cause) {
      this.#vectors.delete(query)
      this.#logger.warn("The embedder could not embed the query of a search.", { error: cause })
      throw new ApiError("SERVICE_UNAVAILABLE", {
        message:
          'The meaning of the query cannot be determined at the moment. Search with the mode "lexical", or later.',
        cause,
      })
    }
  }
}
