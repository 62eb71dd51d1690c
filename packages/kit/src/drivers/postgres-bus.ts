import { setTimeout as wait } from "node:timers/promises"
import pg from "pg"
import type { MessageBus, Subscriber } from "../ports/message-bus.ts"
import { BusOutbox } from "./postgres-bus-outbox.ts"
import { toError } from "./postgres-errors.ts"

export interface PostgresBusOptions {
  readonly url: string
  /** How often a silent connection is asked for a sign of life. 10 s unless set, and a second at most after a message. */
  readonly heartbeatMs?: number
  /** Hears why the connection was lost; it is opened again by itself. */
  readonly onError?: (error: Error) => void
}

const HEARTBEAT_MS = 10_000
// Who speaks may die in the middle of it: for some time after a message, what was written without a word is looked for.
const ALERT_HEARTBEAT_MS = 1_000
const ALERT_FOR_MS = 5_000
const ANSWER_TIMEOUT_MS = 5_000
const CONNECT_TIMEOUT_MS = 5_000
const RECONNECT_MIN_MS = 100
const RECONNECT_MAX_MS = 5_000

/** A bus on LISTEN and NOTIFY, with a connection of its own that is opened at first use and whenever it is lost. */
export function openPostgresBus(options: PostgresBusOptions): MessageBus {
  return new PostgresBus(options)
}

class PostgresBus implements MessageBus {
  readonly #options: PostgresBusOptions
  readonly #subscribers = new Map<string, Set<Subscriber>>()
  readonly #outbox = new BusOutbox()
  readonly #closing = new AbortController()
  #client: pg.Client | undefined
  #life: Promise<void> | undefined
  /** As of the last sign of life. */
  #newest: string | undefined
  #heartbeat: NodeJS.Timeout | undefined
  #isAlert = false
  #heardAt = Number.NEGATIVE_INFINITY

  constructor(options: PostgresBusOptions) {
    this.#options = options
  }

  publish(channel: string, text: string): void {
    this.#outbox.add({ channel, text })
    this.#open()
  }

  subscribe(channel: string, subscriber: Subscriber): () => void {
    const known = this.#subscribers.get(channel)
    if (known) known.add(subscriber)
    else this.#subscribers.set(channel, new Set([subscriber]))
    if (this.#client) this.#listen(this.#client, channel, [subscriber])
    this.#open()
    return () => this.#unsubscribe(channel, subscriber)
  }

  async close(): Promise<void> {
    if (this.#client) await this.#outbox.sendAll()
    this.#closing.abort()
    const client = this.#client
    if (client) await endWithin(client, ANSWER_TIMEOUT_MS)
    await this.#life
  }

  #unsubscribe(channel: string, subscriber: Subscriber): void {
    const subscribers = this.#subscribers.get(channel)
    subscribers?.delete(subscriber)
    if (subscribers?.size !== 0) return
    this.#subscribers.delete(channel)
    this.#client?.query(`unlisten ${quoteChannel(channel)}`).catch(() => {})
  }

  #open(): void {
    if (!this.#closing.signal.aborted) this.#life ??= this.#keepConnected()
  }

  async #keepConnected(): Promise<void> {
    for (let failures = 0; !this.#closing.signal.aborted; failures++) {
      const { reason, wasConnected } = await this.#connectAndStay()
      if (this.#closing.signal.aborted) return
      this.#options.onError?.(reason)
      if (wasConnected) failures = 0
      await pause(reconnectPauseMs(failures), this.#closing.signal)
    }
  }

  /** Resolves when the connection is gone. */
  async #connectAndStay(): Promise<{ reason: Error; wasConnected: boolean }> {
    const client = new pg.Client({
      connectionString: this.#options.url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      fallback_application_name: "kit bus",
      keepAlive: true,
    })
    const gone = new Promise<Error>((resolve) => {
      client.on("error", resolve)
      client.on("end", () => resolve(new Error("The connection ended.")))
    })
    client.on("notification", ({ channel, payload }) => this.#deliver(channel, payload ?? ""))
    try {
      await client.connect()
    } catch (error) {
      destroy(client)
      return { reason: toError(error), wasConnected: false }
    }
    return { reason: await this.#stay(client, gone), wasConnected: true }
  }

  async #stay(client: pg.Client, gone: Promise<Error>): Promise<Error> {
    this.#client = client
    for (const [channel, subscribers] of this.#subscribers) this.#listen(client, channel, [...subscribers])
    this.#outbox.connect(client)
    this.#beatLater(client)
    if (this.#closing.signal.aborted) destroy(client)
    const reason = await gone
    clearTimeout(this.#heartbeat)
    this.#outbox.disconnect()
    this.#client = undefined
    destroy(client)
    return reason
  }

  #beatLater(client: pg.Client): void {
    const calmMs = this.#options.heartbeatMs ?? HEARTBEAT_MS
    this.#isAlert = performance.now() - this.#heardAt < ALERT_FOR_MS
    const delayMs = this.#isAlert ? Math.min(calmMs, ALERT_HEARTBEAT_MS) : calmMs
    clearTimeout(this.#heartbeat)
    this.#heartbeat = setTimeout(() => void this.#beat(client), delayMs)
  }

  async #beat(client: pg.Client): Promise<void> {
    const newest = await newestTransaction(client)
    if (this.#client === client) this.#beatLater(client)
    const hasWritten = newest !== undefined && newest !== this.#newest
    this.#newest = newest
    if (!hasWritten) return
    const subscribers = [...this.#subscribers.values()].flatMap((all) => [...all])
    for (const subscriber of subscribers) subscriber.onSilence?.()
  }

  #listen(client: pg.Client, channel: string, subscribers: readonly Subscriber[]): void {
    client.query(`listen ${quoteChannel(channel)}`).then(
      () => {
        for (const subscriber of subscribers) subscriber.onListening()
      },
      // A connection that cannot listen is of no use, and the next one may.
      () => destroy(client),
    )
  }

  #deliver(channel: string, text: string): void {
    this.#heardAt = performance.now()
    if (this.#client && !this.#isAlert) this.#beatLater(this.#client)
    for (const subscriber of this.#subscribers.get(channel) ?? []) subscriber.onMessage(text)
  }
}

/** A sign of life: the number that the next transaction that writes will have. Without one the connection is of no use. */
async function newestTransaction(client: pg.Client): Promise<string | undefined> {
  const timer = setTimeout(() => destroy(client), ANSWER_TIMEOUT_MS)
  try {
    const { rows } = await client.query("select pg_snapshot_xmax(pg_current_snapshot())::text as next")
    return String(rows[0].next)
  } catch {
    destroy(client)
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

async function endWithin(client: pg.Client, timeoutMs: number): Promise<void> {
  const timer = setTimeout(() => destroy(client), timeoutMs)
  await client.end().catch(() => {})
  clearTimeout(timer)
}

function destroy(client: pg.Client): void {
  client.connection.stream.destroy()
}

function quoteChannel(channel: string): string {
  return `"${channel.replaceAll('"', '""')}"`
}

// Many processes lose the same server at once; they should not all come back in the same moment.
function reconnectPauseMs(failures: number): number {
  const longestMs = Math.min(RECONNECT_MAX_MS, RECONNECT_MIN_MS * 2 ** failures)
  return longestMs * (0.5 + Math.random() / 2)
}

async function pause(durationMs: number, until: AbortSignal): Promise<void> {
  await wait(durationMs, undefined, { signal: until }).catch(() => {})
}
