import type { ExternalIndex } from "../../../engine/context/external-index.ts"
import type { Logger } from "../../../ports/logger.ts"
import type {
  AdapterHit,
  AdapterQuery,
  SearchAdapter,
  SearchDocument,
  SearchDocumentKey,
} from "../../../ports/search-adapter.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"

// A caller waits for the hits of a query.
const QUERY_TIMEOUT_MS = 10_000
const WRITE_TIMEOUT_MS = 60_000

/** The author's search engine. It cannot make a caller or the worker wait for ever, and its answers are checked. */
export class AdapterIndex implements ExternalIndex {
  readonly #adapter: SearchAdapter
  readonly #logger: Logger

  constructor(adapter: SearchAdapter, logger: Logger) {
    this.#adapter = adapter
    this.#logger = logger
  }

  get name(): string {
    return this.#adapter.name
  }

  async find(query: AdapterQuery): Promise<readonly AdapterHit[]> {
    try {
      const hits = await inTime({ ms: QUERY_TIMEOUT_MS }, (signal) => this.#adapter.search(query, signal))
      return checkHits(hits).slice(0, query.limit)
    } catch (cause) {
      throw this.#unavailable("The search engine could not answer a search.", cause)
    }
  }

  async index(documents: readonly SearchDocument[], stopping: AbortSignal): Promise<void> {
    if (documents.length === 0) return
    await inTime({ ms: WRITE_TIMEOUT_MS, stopping }, (signal) => this.#adapter.index(documents, signal))
  }

  async remove(keys: readonly SearchDocumentKey[], stopping: AbortSignal): Promise<void> {
    if (keys.length === 0) return
    await inTime({ ms: WRITE_TIMEOUT_MS, stopping }, (signal) => this.#adapter.remove(keys, signal))
  }

  async clear(collection: string): Promise<void> {
    try {
      await inTime({ ms: QUERY_TIMEOUT_MS }, (signal) => this.#adapter.clear(collection, signal))
    } catch (cause) {
      throw this.#unavailable("The search engine could not clear a collection.", cause)
    }
  }

  async close(): Promise<void> {
    await this.#adapter.close?.()
  }

  #unavailable(event: string, cause: unknown): ApiError {
    this.#logger.warn(event, { adapter: this.#adapter.name, error: cause })
    const message = "The search engine of the app does not answer at the moment. Try again later."
    return new ApiError("SERVICE_UNAVAILABLE", { message, cause })
  }
}

interface TimeLimit {
  readonly ms: number
  /** Aborted when the worker stops. */
  readonly stopping?: AbortSignal
}

// Rejects when the time is over or the worker stops, even if the adapter ignores its signal.
async function inTime<Result>(
  { ms, stopping }: TimeLimit,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const stop = () => controller.abort(stopping?.reason)
  const timer = setTimeout(() => {
    controller.abort(new Error(`The search engine did not answer within ${ms / 1000} seconds.`))
  }, ms)
  const aborted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener("abort", () => reject(controller.signal.reason))
  })
  stopping?.addEventListener("abort", stop)
  try {
    stopping?.throwIfAborted()
    return await Promise.race([call(controller.signal), aborted])
  } finally {
    clearTimeout(timer)
    stopping?.removeEventListener("abort", stop)
  }
}

function checkHits(hits: unknown): readonly AdapterHit[] {
  if (Array.isArray(hits) && hits.every(isHit)) return hits
  throw new Error("The search engine returned something else than a list of hits, each with an id and a finite score.")
}

function isHit(hit: unknown): hit is AdapterHit {
  if (typeof hit !== "object" || hit === null) return false
  return "id" in hit && typeof hit.id === "string" && "score" in hit && Number.isFinite(hit.score)
}
