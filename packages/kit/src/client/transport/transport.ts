import { isObject } from "../../wire/codecs/is-object.ts"
import type { HeaderMap } from "../../wire/options/call-options.ts"
import type { Call, FailedCall, Outcome } from "./call.ts"
import { withinLimits } from "./call-limits.ts"
import { addressOf, type QuestpieClientConfig } from "./client-config.ts"
import { extendedBody } from "./extended-body.ts"
import { noAnswerError } from "./failures.ts"
import { type ReceivedAnswer, readAnswer } from "./read-answer.ts"
import { refuseUnknown } from "./refuse-unknown.ts"

/** The result of a fetch: a response with its text, a response whose body the caller reads, or an error. */
type FetchResult = ReceivedAnswer | { readonly response: Response } | FailedCall

/** Sends requests to the server and reads the responses. */
export class Transport {
  declare locale: string | undefined
  declare readonly config: QuestpieClientConfig
  readonly #address: string

  constructor(config: QuestpieClientConfig) {
    this.config = config
    this.#address = addressOf(config)
    this.locale = merge(config.headers).get("accept-language") ?? undefined
  }

  urlOf(path: string): string {
    return this.#address + path
  }

  async send<Answer>(call: Call): Promise<Answer> {
    const outcome = await this.exchange(call)
    if ("error" in outcome) throw outcome.error
    // The cast is safe: client and server share the wire types, and the server is trusted to follow them.
    return outcome.value as Answer
  }

  /** Like `send`, but returns the server's error instead of throwing it. */
  async exchange(call: Call): Promise<Outcome> {
    const { options = {} } = call
    refuseUnknown(options, ["signal", "timeout", "headers"])
    const { signal, timeout = this.config.timeout } = options
    const url = this.urlOf(call.path)
    return await withinLimits({ signal, timeout, url }, async (either) => {
      const init = await this.requestOf(call)
      either.throwIfAborted()
      const arrived = await this.#fetch(url, { ...init, signal: either }, call)
      if ("error" in arrived) return arrived
      return "text" in arrived ? readAnswer(arrived, call) : { value: arrived.response }
    })
  }

  async requestOf(call: Call): Promise<RequestInit> {
    const { method, body, bytes, keepalive = false, options, isRoute, isStream } = call
    const { headers: fixed, useExtendedJSON = true } = this.config
    const language = { "accept-language": this.locale }
    const own = {
      "x-extendedjson": useExtendedJSON ? "1" : undefined,
      "content-type": bytes ? "application/octet-stream" : body === undefined ? undefined : "application/json",
    }
    return {
      method,
      body: bytes ?? (body === undefined ? null : bodyText(body, useExtendedJSON && !isStream)),
      keepalive,
      credentials: "include",
      // The API never redirects, so a redirect is an error. If it were followed, a write could arrive as a GET request.
      redirect: isRoute ? "follow" : "manual",
      headers: merge(
        { accept: "application/json" },
        fixed,
        language,
        await this.config.getAuthHeaders?.(),
        options?.headers,
        own,
      ),
    }
  }

  async #fetch(url: string, init: RequestInit, { isRoute, isStream, onResponse }: Call): Promise<FetchResult> {
    let response: Response | undefined
    try {
      // `fetch` is called without a receiver (`this`), because the fetch of browsers requires that.
      response = await (this.config.fetch ?? globalThis.fetch)(url, init)
      onResponse?.(response)
      return (isRoute || isStream) && isNotJson(response)
        ? { response }
        : { url, response, text: await response.text() }
    } catch (cause) {
      return { error: noAnswerError(url, cause, response) }
    }
  }
}

// True if a successful response is not JSON. A custom route may respond with a file, a page or a stream.
function isNotJson({ ok, headers }: Response): boolean {
  return ok && !/^application\/json *(;|$)/.test(headers.get("content-type") ?? "")
}

/** Merges maps of headers. Later maps override earlier ones. Header names are not case-sensitive. */
function merge(...maps: (HeaderMap | undefined)[]): Headers {
  const merged = new Headers()
  const entries = maps.flatMap((map) => (map instanceof Headers ? [...map] : Object.entries(map ?? {})))
  for (const [name, value] of entries) {
    if (value === undefined) merged.delete(name)
    else merged.set(name, value)
  }
  return merged
}

/** Serializes a value as plain or extended JSON. Throws if JSON cannot represent the value. */
export function bodyText(value: unknown, isExtended?: boolean): string {
  const json = JSON.stringify(value, function (this: Record<string, unknown>, key, member: unknown) {
    // JSON has no big integers, so they are written as strings. The server parses the digits.
    if (typeof member === "bigint") return String(member)
    // Rejects NaN, Infinity and invalid Dates: JSON would write them as null, which would clear a field. JSON.stringify
    // has already turned an invalid Date into null here.
    const isNoNumber = typeof member === "number" && !Number.isFinite(member)
    const isNoDate = this[key] instanceof Date && member === null
    const isWider = member instanceof Map || member instanceof Set
    // Rejects an object with a `toStringTag`, such as a form, a file, bytes or a promise that was not awaited: JSON
    // would write such an object as {}.
    const isOther = isWider ? !isExtended : isObject(member) && Symbol.toStringTag in member
    if (isNoDate || isNoNumber || isOther) throw new TypeError(`JSON cannot hold ${this[key]} ("${key}").`)
    if (isWider) return [...member]
    return isExtended ? (member ?? null) : member
  })
  return isExtended ? extendedBody(json, value) : json
}
