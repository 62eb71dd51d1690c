import { setTimeout as wait } from "node:timers/promises"
import type { Embedder } from "../../ports/embedder.ts"
import { temporaryFailure } from "../temporary-failure.ts"
import { embedderOf } from "./embedder-of.ts"
import { retryDelayMs } from "./retry-delay.ts"
import { callWithin } from "./time-limit.ts"

export interface OpenAiEmbedderOptions {
  /** The address of the API, such as `https://api.openai.com/v1`; `/embeddings` is appended unless it is the end. */
  readonly url: string
  readonly model: string
  /** The length of the model's vectors. */
  readonly dimensions: number
  /** Is sent as `authorization: Bearer …`. */
  readonly apiKey?: string
  /** Further headers of each request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Further members of each request's body, such as `{ dimensions: 512 }` for models that can shorten their vectors. */
  readonly body?: Readonly<Record<string, unknown>>
  /** The maximum number of texts in one request; 64 unless set. */
  readonly batchSize?: number
  /** How similar a text has to be to a query so that it is found, from -1 to 1; 0.2 unless set. It depends on the model. */
  readonly minSimilarity?: number
  /** How long to wait for a response, in milliseconds; 30,000 unless set. */
  readonly timeoutMs?: number
}

const DEFAULT_TIMEOUT_MS = 30_000
const MAX_TRIES = 4
const MAX_REASON_LENGTH = 300

/**
 * An embedder that asks an HTTP endpoint with the interface of OpenAI's `/embeddings`, which many servers of models
 * offer. A request is sent again if the endpoint is busy or fails.
 */
export function openAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const { model, dimensions, batchSize, minSimilarity } = options
  const endpoint = new EmbeddingsEndpoint(options)
  return embedderOf({
    model,
    dimensions,
    ...(batchSize === undefined ? {} : { batchSize }),
    ...(minSimilarity === undefined ? {} : { minSimilarity }),
    embed: (texts, signal) => endpoint.embed(texts, signal),
  })
}

/** The outcome of one request. `delayMs` is set if the same request may succeed after that time. */
type Outcome =
  | { readonly kind: "vectors"; readonly vectors: readonly number[][] }
  | { readonly kind: "failed"; readonly error: Error; readonly delayMs: number | undefined }

class EmbeddingsEndpoint {
  readonly #url: URL
  readonly #options: OpenAiEmbedderOptions

  constructor(options: OpenAiEmbedderOptions) {
    this.#url = endpointUrl(options.url)
    this.#options = options
  }

  async embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly number[][]> {
    for (let tries = 1; ; tries++) {
      const outcome = await this.#request(texts, { tries, signal })
      if (outcome.kind === "vectors") return outcome.vectors
      if (outcome.delayMs === undefined || tries === MAX_TRIES) throw outcome.error
      await wait(outcome.delayMs, undefined, { signal })
    }
  }

  async #request(
    texts: readonly string[],
    { tries, signal }: { readonly tries: number; readonly signal: AbortSignal | undefined },
  ): Promise<Outcome> {
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = this.#options
    let response: Response
    let body: unknown
    try {
      ;[response, body] = await callWithin({ ms: timeoutMs, signal }, async (inner) => {
        const answer = await this.#send(texts, inner)
        return [answer, await readJson(answer)] as const
      })
    } catch (cause) {
      // The caller has given up.
      if (signal?.aborted) throw signal.reason
      const error = temporaryFailure(`${this.#name} could not be reached: ${describe(cause)}`, cause)
      return { kind: "failed", error, delayMs: retryDelayMs(null, tries) }
    }
    if (response.ok) return { kind: "vectors", vectors: this.#vectorsIn(body, texts.length) }
    return this.#failure(response, { body, tries })
  }

  #send(texts: readonly string[], signal: AbortSignal): Promise<Response> {
    const { model, apiKey, headers, body } = this.#options
    return fetch(this.#url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        ...headers,
      },
      body: JSON.stringify({ encoding_format: "float", ...body, model, input: texts }),
      // The key is for this address only.
      redirect: "error",
      signal,
    })
  }

  #failure(
    { status, headers }: Response,
    { body, tries }: { readonly body: unknown; readonly tries: number },
  ): Outcome {
    const message = `${this.#name} answered with status ${status}${this.#reasonIn(body)}`
    if (status !== 429 && status < 500) return { kind: "failed", error: new Error(message), delayMs: undefined }
    const delayMs = retryDelayMs(headers.get("retry-after"), tries)
    return { kind: "failed", error: temporaryFailure(message, undefined), delayMs }
  }

  // The list is in the order of `index`, which need not be the order in which the endpoint sends it.
  #vectorsIn(body: unknown, count: number): readonly number[][] {
    const data = isObject(body) ? body["data"] : undefined
    if (!Array.isArray(data)) throw new Error(`${this.#name} sent a response without the list "data".`)
    const vectors = new Map<unknown, number[]>()
    for (const [place, item] of data.entries()) {
      const { index = place, embedding } = isObject(item) ? item : {}
      if (!Array.isArray(embedding)) throw new Error(`${this.#name} sent an item without the list "embedding".`)
      vectors.set(index, embedding)
    }
    return Array.from({ length: count }, (_, index) => {
      const vector = vectors.get(index)
      if (vector && vectors.size === count && data.length === count) return vector
      throw new Error(`${this.#name} did not send exactly one vector for each of ${count} texts.`)
    })
  }

  #reasonIn(body: unknown): string {
    const error = isObject(body) ? (body["error"] ?? body["message"]) : undefined
    const reason = isObject(error) ? error["message"] : error
    if (typeof reason !== "string" || reason === "") return "."
    return `: ${this.#withoutKey(reason).slice(0, MAX_REASON_LENGTH)}`
  }

  // Some servers repeat the key in their message.
  #withoutKey(text: string): string {
    const { apiKey, headers = {} } = this.#options
    const secrets = [apiKey, ...Object.values(headers)].filter((secret) => secret !== undefined && secret.length > 3)
    return secrets.reduce<string>((rest, secret) => rest.replaceAll(String(secret), "…"), text)
  }

  // The query of the address is not named, because it may be secret.
  get #name(): string {
    return `The embeddings endpoint ${this.#url.origin}${this.#url.pathname}`
  }
}

function endpointUrl(text: string): URL {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new Error(
      'The "url" of openAiEmbedder must be an http or https address, such as "https://api.openai.com/v1".',
    )
  }
  const url = new URL(text)
  if (url.username !== "" || url.password !== "") {
    throw new Error('The "url" of openAiEmbedder contains a user. Put secrets into "apiKey" or "headers".')
  }
  const path = url.pathname.replace(/\/+$/, "")
  url.pathname = path.endsWith("/embeddings") ? path : `${path}/embeddings`
  return url
}

// A response that is no JSON may be the page of a proxy. Its status says enough.
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  if (cause.name === "TimeoutError") return "no response in time"
  // The `cause` of an error of `fetch` names the reason, such as a refused connection.
  const { cause: reason } = cause
  return reason instanceof Error && reason.message !== "" ? reason.message : cause.message
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null
}
