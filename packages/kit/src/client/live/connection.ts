import { ERROR_CODES } from "../../wire/errors/api-error.ts"
import { EVERY_TOPIC, type LiveEvents } from "../../wire/realtime/live-events.ts"
import type { CurrentUser } from "../current-user.ts"
import type { Call } from "../transport/call.ts"
import type { QuestpieClientError } from "../transport/client-error.ts"
import type { Transport } from "../transport/transport.ts"
import { headerLanguage } from "./header-language.ts"
import { readEvents, type StreamEvent } from "./sse-reader.ts"
import type { RequestedTopic } from "./subscribed-topic.ts"

/**
 * The parts of the client that a stream uses. They are passed in and not imported: a bundler may put code that two
 * modules import into a third module, which a page would have to load too.
 */
export interface StreamDependencies {
  readonly transport: Transport
  readonly user: CurrentUser
  decodeAnswer(envelope: unknown): unknown
  readonly QuestpieClientError: typeof QuestpieClientError
}

/** The callbacks for each kind of event on a stream. */
interface StreamCallbacks {
  onSession(): void
  onSnapshot(event: LiveEvents["snapshot"]): void
  onCurrent(event: LiveEvents["current"]): void
  onApplied(event: LiveEvents["applied"]): void
  onSubscribed(event: LiveEvents["subscribed"]): void
  onChannel(event: LiveEvents["channel"]): void
  onGap(event: LiveEvents["gap"]): void
  onPresence(event: LiveEvents["presence"]): void
  /** Called with an event of a collaborative document, under the event's name. */
  onDocument(documentId: string, event: Partial<LiveEvents>): void
  onTopicError(topicId: string, error: Error): void
}

/** The topics of a stream: live queries, channels and documents. */
type StreamTopics = readonly RequestedTopic[]

/**
 * The reason why a stream ended: the server announced it ("bye"), the stream broke after it had delivered events
 * ("lost") or before ("failed"), or the server rejected the request permanently ("refused").
 */
export type StreamEnd =
  | { readonly kind: "bye"; readonly retryMs: number }
  | { readonly kind: "lost" }
  | { readonly kind: "failed"; readonly error: Error }
  | { readonly kind: "refused"; readonly error: Error }

const PATH = "/realtime"
/** The time without received data after which a stream counts as broken: three missed heartbeats. */
const IDLE_TIMEOUT_MS = 25_000
const MAX_SHOWN_CHARACTERS = 80
const MAX_RETRY_MS = 30_000
// Status codes of temporary errors: 404 (the server is not ready yet), 408 (timeout) and 429 (too many requests).
const TEMPORARY_STATUSES = [404, 408, 429]

/** One event stream, from the request that opens it to its end. */
export class Connection {
  readonly #parts: StreamDependencies
  readonly #listener: StreamCallbacks
  readonly #controller = new AbortController()
  #session: LiveEvents["session"] | undefined
  #ids: readonly string[] = []
  #isUpdating = false
  #hasServed = false
  #watchdog: ReturnType<typeof setTimeout> | undefined

  constructor(parts: StreamDependencies, listener: StreamCallbacks) {
    this.#parts = parts
    this.#listener = listener
  }

  /** Opens the stream and reads it until it ends. Resolves to the reason for the end. */
  async run(topics: StreamTopics): Promise<StreamEnd> {
    this.#ids = topics.map(({ id }) => id)
    try {
      return await this.#open(topics)
    } catch (error) {
      return { kind: "failed", error: asError(error) }
    } finally {
      this.close()
    }
  }

  close(): void {
    clearTimeout(this.#watchdog)
    this.#controller.abort()
  }

  /** The first event of the stream; undefined if it has not arrived yet. */
  get session(): LiveEvents["session"] | undefined {
    return this.#session
  }

  /** True if the stream is ready for a change of its topics, and its current topics differ from these. */
  canUpdate(topics: StreamTopics): boolean {
    const isSame = topics.length === this.#ids.length && topics.every(({ id }) => this.hasTopic(id))
    return this.#session !== undefined && !this.#isUpdating && !isSame
  }

  /** True if the server serves the topic with this id on the stream. */
  hasTopic(id: string): boolean {
    return this.#ids.includes(id)
  }

  /** Called when the server has ended a topic on its own. */
  removeTopic(id: string): void {
    this.#ids = this.#ids.filter((known) => known !== id)
  }

  /** Asks the server to serve exactly these topics. Resolves to the error if the server rejects the change. */
  async updateTopics(topics: StreamTopics): Promise<Error | undefined> {
    this.#isUpdating = true
    const { sessionId, token } = this.#session ?? {}
    const error = await this.#sendUpdate({ sessionId, token, ...bodyOf(topics) })
    this.#isUpdating = false
    if (!error) this.#ids = topics.map(({ id }) => id)
    return error
  }

  async #sendUpdate(body: object): Promise<Error | undefined> {
    try {
      const outcome = await this.#parts.transport.exchange(this.#callOf(body))
      // Any status from 200 to 299 means that the server accepted the change. The response body does not matter.
      return "error" in outcome && Math.floor(outcome.error.status / 100) !== 2 ? outcome.error : undefined
    } catch (error) {
      return asError(error)
    }
  }

  async #open(topics: StreamTopics): Promise<StreamEnd> {
    const outcome = await this.#parts.transport.exchange({ ...this.#callOf(bodyOf(topics)), accepts: () => false })
    if ("error" in outcome) return { kind: isRefusal(outcome.error) ? "refused" : "failed", error: outcome.error }
    // The cast is safe: `accepts` rejects every JSON response, so the value is a Response.
    const response = outcome.value as Response
    if (!isEventStream(response)) return { kind: "failed", error: await this.#noStream(response) }
    const { body } = response
    try {
      return (body && (await this.#read(body))) ?? this.#broken("it was closed")
    } catch (cause) {
      return { kind: "failed", error: this.#brokenOff(cause) }
    }
  }

  async #noStream(response: Response): Promise<Error> {
    const { status } = response
    this.#restartWatchdog()
    const start = (await response.text()).replace(/\s+/g, " ").slice(0, MAX_SHOWN_CHARACTERS)
    const answer = `${this.#url} answered ${status}, not as the API does: ${response.headers.get("content-type")} "${start}".`
    return this.#errorOf(`${answer} Check baseURL, basePath and any proxy.`, { status })
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<StreamEnd | undefined> {
    const { signal } = this.#controller
    let cause: unknown
    const onBreak = (reason: unknown) => {
      cause = reason
    }
    this.#restartWatchdog()
    for await (const event of readEvents(body, { signal, onBreak, onBytes: () => this.#restartWatchdog() })) {
      if (signal.aborted) break
      const ending = this.#onEvent(event)
      if (ending) return ending
    }
    return signal.aborted || cause ? this.#broken(signal.aborted ? signal.reason : cause) : undefined
  }

  #callOf(body: object): Call {
    const { signal } = this.#controller
    // Sends the language from the client's configuration, and not the client's current locale. So a topic without a
    // locale keeps its language when the client's locale changes.
    const language = headerLanguage(this.#parts.transport.config)
    const headers = { accept: "text/event-stream", "accept-language": language }
    return { method: "POST", path: PATH, body, isStream: true, options: { signal, timeout: IDLE_TIMEOUT_MS, headers } }
  }

  // Restarts the idle timeout. Called whenever data is received.
  #restartWatchdog(): void {
    clearTimeout(this.#watchdog)
    if (this.#controller.signal.aborted) return
    const reason = `it was silent for ${IDLE_TIMEOUT_MS} ms`
    this.#watchdog = setTimeout(() => this.#controller.abort(reason), IDLE_TIMEOUT_MS)
  }

  #onEvent({ name, data }: StreamEvent): StreamEnd | undefined {
    // The cast is safe: the server sends the declared type under each event name. Events with unknown names are
    // ignored.
    const heard = { [name]: JSON.parse(data) } as Partial<LiveEvents>
    const { session, snapshot, current, applied, subscribed, document, error, bye } = heard
    this.#session ??= session
    this.#hasServed ||= (snapshot ?? current ?? subscribed ?? document) !== undefined
    if (session) this.#listener.onSession()
    if (snapshot) this.#listener.onSnapshot(snapshot)
    if (current) this.#listener.onCurrent(current)
    if (applied) this.#listener.onApplied(applied)
    this.#onChannelEvent(heard)
    this.#onDocumentEvent(heard)
    return (error && this.#onErrorEvent(error)) ?? (bye && { kind: "bye", retryMs: waitOf(bye) })
  }

  #onChannelEvent({ subscribed, channel, gap, presence }: Partial<LiveEvents>): void {
    if (subscribed) this.#listener.onSubscribed(subscribed)
    if (channel) this.#listener.onChannel(channel)
    if (gap) this.#listener.onGap(gap)
    if (presence) this.#listener.onPresence(presence)
  }

  #onDocumentEvent(heard: Partial<LiveEvents>): void {
    const event = heard.document ?? heard.edit ?? heard.awareness ?? heard.problem
    if (event) this.#listener.onDocument(event.documentId, heard)
  }

  #onErrorEvent({ topicId, code, message }: LiveEvents["error"]): StreamEnd | undefined {
    // The cast is needed because a newer server may send error codes that this client does not know.
    const { status = 500 } = (ERROR_CODES as Partial<Record<string, { status: number }>>)[code] ?? {}
    const error = this.#errorOf(message, { status, code })
    if (topicId === EVERY_TOPIC) return { kind: status === 401 || status === 403 ? "refused" : "failed", error }
    this.#listener.onTopicError(topicId, error)
    return undefined
  }

  // Returns the reason for the end of a broken stream. Streams break now and then, so the reason includes an error only
  // if this stream has not delivered anything.
  #broken(cause: unknown): StreamEnd {
    return this.#hasServed ? { kind: "lost" } : { kind: "failed", error: this.#brokenOff(cause) }
  }

  #brokenOff(cause: unknown): Error {
    const { message } = asError(cause)
    return this.#errorOf(`The stream of ${this.#url} broke off: ${message}.`, { status: 0, cause })
  }

  #errorOf(message: string, more: { status: number; code?: string; cause?: unknown }): Error {
    return new this.#parts.QuestpieClientError(message, { statusText: "", url: this.#url, ...more })
  }

  get #url(): string {
    return this.#parts.transport.urlOf(PATH)
  }
}

function bodyOf(topics: StreamTopics): object {
  const body: { [Member in RequestedTopic["member"]]?: unknown[] } = { topics: [] }
  for (const { member, wire } of topics) {
    body[member] ??= []
    body[member].push(wire)
  }
  return body
}

/** True if the server would reject the same request again, so a retry is useless. */
export function isRefusal(error: Error): boolean {
  const status = "status" in error ? Number(error.status) : 0
  return status >= 400 && status < 500 && !TEMPORARY_STATUSES.includes(status)
}

function isEventStream({ headers }: Response): boolean {
  return /^text\/event-stream *(;|$)/i.test(headers.get("content-type") ?? "")
}

function waitOf({ retryMs }: LiveEvents["bye"]): number {
  return Math.min(Math.max(Number(retryMs) || 0, 0), MAX_RETRY_MS)
}

export function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}
