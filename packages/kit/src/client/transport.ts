import type { ApiErrorShape } from "../wire/api-error.ts"
import { encodeExtended, isExtendedHeader } from "../wire/extended-json.ts"
import { decodeAnswer } from "../wire/extended-json-answer.ts"
import { normalizeBasePath } from "../wire/paths.ts"
import { QuestpieClientError } from "./client-error.ts"
import { queryOf } from "./query.ts"

type HeaderMap = Readonly<Record<string, string>>

export interface QuestpieClientConfig {
  /** The origin of the API: `https://example.com`. */
  readonly baseURL: string
  /** Where the API is mounted; must be what the server says. */
  readonly basePath?: string | undefined
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Sent with every request; an `accept-language` is the first locale. */
  readonly headers?: HeaderMap | undefined
  /** Asked before each request, for tokens that change; wins over `headers`. */
  readonly getAuthHeaders?: (() => HeaderMap | undefined | Promise<HeaderMap | undefined>) | undefined
  /** On unless set to false: then dates and big integers arrive as text, whatever the types say. */
  readonly useExtendedJSON?: boolean | undefined
  /** Options of collaborative documents. */
  readonly crdt?: object | undefined
}

export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
  readonly options?: object | undefined
  readonly body?: unknown
}

interface Failed {
  readonly error: QuestpieClientError
}

type Fetched = { readonly response: Response } | Failed

export type Outcome = { readonly value: unknown } | Failed

/** Sends calls to the server and reads what it answers. */
export class Transport {
  readonly basePath: string
  locale: string | undefined
  readonly #config: QuestpieClientConfig
  readonly #root: string
  readonly #isExtended: boolean

  constructor(config: QuestpieClientConfig) {
    this.#config = config
    this.basePath = normalizeBasePath(config.basePath)
    this.#root = config.baseURL.replace(/\/+$/, "") + this.basePath
    this.#isExtended = config.useExtendedJSON !== false
    this.locale = new Headers(config.headers).get("accept-language") ?? undefined
  }

  async send<Answer>(call: Call): Promise<Answer> {
    const outcome = await this.exchange(call)
    if ("error" in outcome) throw outcome.error
    // Both sides are built on the same wire types; the server is trusted to keep to them.
    return outcome.value as Answer
  }

  /** Like `send`, for callers to whom a refusal is an answer. */
  async exchange(call: Call): Promise<Outcome> {
    const url = this.urlOf(call.path) + queryOf(call.options)
    const fetched = await this.#fetch(url, call)
    return "error" in fetched ? fetched : readOutcome(fetched.response, url)
  }

  /** Like `send`, for paths where the author answers: what is not JSON is answered as the response that it is. */
  async sendToRoute(call: Call): Promise<unknown> {
    const url = this.urlOf(call.path)
    const fetched = await this.#fetch(url, call)
    if ("response" in fetched && isForeign(fetched.response)) return fetched.response
    const outcome = "error" in fetched ? fetched : await readOutcome(fetched.response, url)
    if ("error" in outcome) throw outcome.error
    return outcome.value
  }

  urlOf(path: string): string {
    return this.#root + path
  }

  async #fetch(url: string, call: Call): Promise<Fetched> {
    const init: RequestInit = { method: call.method, credentials: "include", headers: await this.#headers(call) }
    if (call.body !== undefined) init.body = this.#encode(call.body)
    try {
      // Called without a receiver, as browsers demand of their own fetch.
      return { response: await (this.#config.fetch ?? globalThis.fetch)(url, init) }
    } catch (cause) {
      return noAnswer(url, cause)
    }
  }

  async #headers(call: Call): Promise<Headers> {
    const headers = new Headers(this.#config.headers)
    headers.delete("accept-language")
    if (this.locale !== undefined) headers.set("accept-language", this.locale)
    headers.set("accept", "application/json")
    for (const [name, value] of Object.entries((await this.#config.getAuthHeaders?.()) ?? {})) headers.set(name, value)
    if (this.#isExtended) headers.set("x-extendedjson", "1")
    if (call.body !== undefined) headers.set("content-type", "application/json")
    return headers
  }

  #encode(body: unknown): string {
    return this.#isExtended ? encodeExtended(body) : JSON.stringify(body, bigintsAsText)
  }
}

// Plain JSON has no big integers; the server reads them from digits.
function bigintsAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value
}

function noAnswer(url: string, cause: unknown): Failed {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const message = `There was no answer from ${withoutQuery(url)}: ${reason}`
  return { error: new QuestpieClientError(message, { status: 0, statusText: "", url, cause }) }
}

// An author may answer with anything: a file, a page, a stream.
function isForeign({ ok, headers }: Response): boolean {
  const type = headers.get("content-type")?.split(";", 1)[0]?.trim()
  return ok && type !== "application/json"
}

async function readOutcome(response: Response, url: string): Promise<Outcome> {
  try {
    return outcomeOf(response, { url, text: await response.text() })
  } catch (cause) {
    return noAnswer(url, cause)
  }
}

function outcomeOf(response: Response, { url, text }: { url: string; text: string }): Outcome {
  const body = readBody(response, text)
  if (response.ok && body !== undefined) return body
  const { status, statusText } = response
  const requestId = response.headers.get("x-request-id")
  const place = { status, statusText, url, ...(requestId !== null && { requestId }) }
  const said = errorIn(body?.value)
  if (said !== undefined) return { error: new QuestpieClientError(said.message, { ...place, ...said }) }
  const message = `${withoutQuery(url)} answered ${status} with something that is not from the API. Check baseURL and basePath.`
  return { error: new QuestpieClientError(message, place) }
}

// A proxy in between may answer with a page of its own, whatever the status.
function readBody({ headers }: Response, text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return { value: isExtendedHeader(headers.get("x-extendedjson")) ? decodeAnswer(value) : value }
  } catch {
    return undefined
  }
}

function errorIn(body: unknown): ApiErrorShape | undefined {
  if (typeof body !== "object" || body === null || !("error" in body)) return undefined
  const { error } = body
  const isShape = typeof error === "object" && error !== null && "message" in error && typeof error.message === "string"
  // The rest of the shape is what our own server writes beside a message.
  return isShape ? (error as ApiErrorShape) : undefined
}

function withoutQuery(url: string): string {
  return url.split("?", 1)[0] ?? url
}
