import { setTimeout as wait } from "node:timers/promises"
import pg from "pg"
import type { MessageBus, Subscriber } from "../../ports/message-bus.ts"
import { BusOutbox, type Message } from "../bus/outbox.ts"
import { BusSubscribers } from "../bus/subscribers.ts"
import { NEWEST_TRANSACTION, WritePoller } from "../bus/write-poller.ts"
import { toError } from "./errors.ts"
import { destroyClient, endClient, startSession } from "./session.ts"

interface PostgresBusOptions {
  readonly url: string
  /**
   * The interval between heartbeats on an idle connection. 10 s unless set; at most 1 s shortly after a bus message.
   */
  readonly heartbeatMs?: number
  /** Called with the reason when the connection to PostgreSQL is lost. The bus reconnects by itself. */
  readonly onError?: (error: Error) => void
  /** Runs a statement on a connection outside the bus. `publishBeforeStop` uses it while the bus has no connection. */
  readonly runOnOtherConnection?: (text: string, values: unknown[]) => Promise<unknown>
}

// The timeout for a heartbeat. With a heartbeat every 10 s, the bus replaces a silent connection within 15 s.
const ANSWER_TIMEOUT_MS = 3_000
const CONNECT_TIMEOUT_MS = 5_000
const KEEP_ALIVE_MS = 5_000
const RECONNECT_MIN_MS = 100
const RECONNECT_MAX_MS = 5_000

/**
 * Opens a message bus on PostgreSQL's LISTEN and NOTIFY. It uses a connection of its own, which it opens at its first
 * use and reopens when it is lost.
 */
export function openPostgresBus(options: PostgresBusOptions): MessageBus {
  return new PostgresBus(options)
}

class PostgresBus implements MessageBus {
  readonly #options: PostgresBusOptions
  readonly #subscribers = new BusSubscribers()
  readonly #outbox = new BusOutbox()
  readonly #poller: WritePoller
  readonly #closing = new AbortController()
  #client: pg.Client | undefined
  #connectionLoop: Promise<void> | undefined

  constructor(options: PostgresBusOptions) {
    this.#options = options
    this.#poller = new WritePoller({
      intervalMs: options.heartbeatMs,
      newestTransaction: async () => this.#client && newestTransaction(this.#client),
      onNewTransaction: () => this.#subscribers.notifyOfMissedWrites(),
    })
  }

  publish(channel: string, text: string): void {
    this.#outbox.add({ channel, text })
    this.#open()
  }

  async publishBeforeStop(channel: string, text: string): Promise<void> {
    if (this.#client || this.#options.runOnOtherConnection === undefined) this.publish(channel, text)
    else await this.#options.runOnOtherConnection(NOTIFY, [[channel], [text]])
  }

  subscribe(channel: string, subscriber: Subscriber): () => void {
    this.#subscribers.add(channel, subscriber)
    if (this.#client) this.#listen(this.#client, channel, [subscriber])
    this.#open()
    return () => this.#unsubscribe(channel, subscriber)
  }

  async close(): Promise<void> {
    if (this.#client) await this.#sendLast(this.#client)
    this.#closing.abort()
    if (this.#client) await endClient(this.#client)
    await this.#connectionLoop
  }

  async #sendLast(client: pg.Client): Promise<void> {
    const timer = setTimeout(() => destroyClient(client), ANSWER_TIMEOUT_MS)
    await this.#outbox.sendAll()
    clearTimeout(timer)
  }

  #unsubscribe(channel: string, subscriber: Subscriber): void {
    if (!this.#subscribers.remove(channel, subscriber)) return
    if (this.#client) queryInTurn(this.#client, `unlisten ${quoteChannel(channel)}`).catch(() => {})
  }

  #open(): void {
    if (!this.#closing.signal.aborted) this.#connectionLoop ??= this.#keepConnected()
  }

  async #keepConnected(): Promise<void> {
    for (let failures = 0; !this.#closing.signal.aborted; failures++) {
      const { reason, wasConnected } = await this.#connectUntilLost()
      if (this.#closing.signal.aborted) return
      this.#options.onError?.(reason)
      if (wasConnected) failures = 0
      await pause(reconnectPauseMs(failures), this.#closing.signal)
    }
  }

  /** Connects to PostgreSQL. Resolves when the connection is lost, or if it could not be opened. */
  async #connectUntilLost(): Promise<{ reason: Error; wasConnected: boolean }> {
    const client = new pg.Client({
      connectionString: this.#options.url,
      fallback_application_name: "kit bus",
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    })
    const gone = new Promise<Error>((resolve) => {
      client.on("error", resolve)
      client.on("end", () => resolve(new Error("The connection ended.")))
    })
    client.on("notification", ({ channel, payload }) => this.#deliver(channel, payload ?? ""))
    try {
      await startSession(client, { connectTimeoutMs: CONNECT_TIMEOUT_MS, isSessionExclusive: true })
    } catch (error) {
      return { reason: toError(error), wasConnected: false }
    }
    return { reason: await this.#serveUntilLost(client, gone), wasConnected: true }
  }

  async #serveUntilLost(client: pg.Client, gone: Promise<Error>): Promise<Error> {
    this.#client = client
    for (const channel of this.#subscribers.channels) this.#listen(client, channel, this.#subscribers.of(channel))
    this.#outbox.connect((messages) => notify(client, messages))
    this.#poller.start()
    if (this.#closing.signal.aborted) destroyClient(client)
    const reason = await gone
    this.#poller.stop()
    this.#outbox.disconnect()
    this.#client = undefined
    destroyClient(client)
    return reason
  }

  #listen(client: pg.Client, channel: string, subscribers: readonly Subscriber[]): void {
    queryInTurn(client, `listen ${quoteChannel(channel)}`).then(
      () => {
        for (const subscriber of subscribers) subscriber.onListening()
      },
      // A connection on which LISTEN fails is useless, so it is closed. LISTEN may succeed on the next connection.
      () => destroyClient(client),
    )
  }

  #deliver(channel: string, text: string): void {
    this.#poller.onMessage()
    for (const subscriber of this.#subscribers.of(channel)) subscriber.onMessage(text)
  }
}

const NOTIFY = "select pg_notify(channel, text) from unnest($1::text[], $2::text[]) as message(channel, text)"

async function notify(client: pg.Client, messages: readonly Message[]): Promise<void> {
  try {
    const values = [messages.map(({ channel }) => channel), messages.map(({ text }) => text)]
    await queryInTurn(client, NOTIFY, values)
  } catch (error) {
    destroyClient(client)
    throw error
  }
}

/** Reads the newest transaction id. This is also the heartbeat: a connection that does not reply in time is closed. */
async function newestTransaction(client: pg.Client): Promise<string | undefined> {
  const timer = setTimeout(() => destroyClient(client), ANSWER_TIMEOUT_MS)
  try {
    const { rows } = await queryInTurn(client, NEWEST_TRANSACTION)
    return String(rows[0].next)
  } catch {
    destroyClient(client)
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

const lastQueries = new WeakMap<pg.Client, Promise<unknown>>()

// Runs a statement when those before it on the connection have ended, because the driver warns about a statement that is
// sent while another one runs.
function queryInTurn(client: pg.Client, text: string, values?: unknown[]): Promise<pg.QueryResult> {
  const previous = lastQueries.get(client) ?? Promise.resolve()
  const result = previous.then(() => client.query(text, values))
  lastQueries.set(
    client,
    result.catch(() => {}),
  )
  return result
}

function quoteChannel(channel: string): string {
  return `"${channel.replaceAll('"', '""')}"`
}

// Returns the pause before the next attempt to reconnect. Its random part keeps processes that lost the same server
// from all reconnecting at the same time.
function reconnectPauseMs(failures: number): number {
  const longestMs = Math.min(RECONNECT_MAX_MS, RECONNECT_MIN_MS * 2 ** failures)
  return longestMs * (0.5 + Math.random() / 2)
}

async function pause(durationMs: number, until: AbortSignal): Promise<void> {
  await wait(durationMs, undefined, { signal: until }).catch(() => {})
}
