import type { Redis } from "ioredis"
import type { MessageBus, Subscriber } from "../../ports/message-bus.ts"
import { BusOutbox, type Message } from "../bus/outbox.ts"
import { BusSubscribers } from "../bus/subscribers.ts"
import { WritePoller } from "../bus/write-poller.ts"
import { openRedis } from "./connection.ts"

interface RedisBusOptions {
  readonly url: string
  /** The prefix of every channel name, so that several apps can share one Redis server. */
  readonly prefix: string
  /**
   * The interval at which the database is polled for writes that no message announced. 10 s unless set; at most 1 s
   * shortly after a message.
   */
  readonly pollMs?: number
  /** Reads the id of the newest database transaction. Resolves to undefined if the id is unknown. */
  newestTransaction(): Promise<string | undefined>
  /** Called with the reason when a Redis connection is lost. Not called again until that connection is restored. */
  onError(error: Error): void
}

const COMMAND_TIMEOUT_MS = 5_000
const RETRY_MAX_MS = 5_000

/**
 * Opens a message bus on Redis pub/sub. It has one connection to publish and one to subscribe, each opened at its first
 * use. While Redis is unreachable, the bus still polls the database for writes by other processes.
 */
export function openRedisBus(options: RedisBusOptions): MessageBus {
  return new RedisBus(options)
}

class RedisBus implements MessageBus {
  readonly #options: RedisBusOptions
  readonly #subscribers = new BusSubscribers()
  readonly #outbox = new BusOutbox()
  readonly #poller: WritePoller
  #publishConnection: Promise<Redis | undefined> | undefined
  #subscribeConnection: Promise<Redis | undefined> | undefined
  #isClosed = false

  constructor(options: RedisBusOptions) {
    this.#options = options
    this.#poller = new WritePoller({
      intervalMs: options.pollMs,
      newestTransaction: () => options.newestTransaction().catch(() => undefined),
      onNewTransaction: () => this.#subscribers.notifyOfMissedWrites(),
    })
  }

  publish(channel: string, text: string): void {
    this.#outbox.add({ channel: this.#options.prefix + channel, text })
    if (!this.#isClosed) this.#publishConnection ??= this.#open((redis) => this.#startPublishing(redis))
  }

  async publishBeforeStop(channel: string, text: string): Promise<void> {
    this.publish(channel, text)
    await this.#sendAll()
  }

  subscribe(channel: string, subscriber: Subscriber): () => void {
    this.#subscribers.add(channel, subscriber)
    this.#poller.start()
    this.#subscribeConnection ??= this.#open((redis) => this.#startSubscribing(redis))
    void this.#subscribeConnection.then(
      (redis) => redis?.status === "ready" && this.#listen(redis, channel, [subscriber]),
    )
    return () => this.#unsubscribe(channel, subscriber)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#poller.stop()
    await this.#sendAll()
    for (const redis of await Promise.all([this.#publishConnection, this.#subscribeConnection])) redis?.disconnect()
  }

  // Sends all waiting messages. If the connection is still being opened, waits for it first.
  async #sendAll(): Promise<void> {
    const redis = await this.#publishConnection
    if (redis?.status === "connecting" || redis?.status === "connect") await untilReadyOrClosed(redis)
    await this.#outbox.sendAll()
  }

  /** Opens a Redis connection. If the package ioredis is missing, calls `onError` and returns undefined. */
  async #open(onOpen: (redis: Redis) => void): Promise<Redis | undefined> {
    const { url, onError } = this.#options
    try {
      const redis = await openRedis({ url, setting: "bus.redis", onError }, CONNECTION)
      onOpen(redis)
      return redis
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)))
      return undefined
    }
  }

  #startPublishing(redis: Redis): void {
    redis.on("ready", () => this.#outbox.connect((messages) => send(redis, messages)))
    redis.on("close", () => this.#outbox.disconnect())
  }

  #startSubscribing(redis: Redis): void {
    const { prefix } = this.#options
    redis.on("ready", () => {
      for (const channel of this.#subscribers.channels) this.#listen(redis, channel, this.#subscribers.of(channel))
    })
    redis.on("message", (name: string, text: string) => {
      this.#poller.onMessage()
      for (const subscriber of this.#subscribers.of(name.slice(prefix.length))) subscriber.onMessage(text)
    })
  }

  #listen(redis: Redis, channel: string, subscribers: readonly Subscriber[]): void {
    redis.subscribe(this.#options.prefix + channel).then(
      () => {
        for (const subscriber of subscribers) subscriber.onListening()
      },
      // A connection that cannot subscribe is useless, so the client reconnects. The next connection may succeed.
      () => !this.#isClosed && redis.disconnect(true),
    )
  }

  #unsubscribe(channel: string, subscriber: Subscriber): void {
    if (!this.#subscribers.remove(channel, subscriber)) return
    void this.#subscribeConnection?.then((redis) => redis?.unsubscribe(this.#options.prefix + channel).catch(() => {}))
  }
}

const CONNECTION = {
  // The bus itself restores subscriptions and unsent messages on the next connection, so ioredis need not keep them.
  autoResubscribe: false,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: COMMAND_TIMEOUT_MS,
  // The random part keeps processes that lost the same Redis server from all reconnecting at the same time.
  retryStrategy: (times: number) => Math.min(RETRY_MAX_MS, 50 * 2 ** Math.min(times, 10)) * (0.5 + Math.random() / 2),
}

async function send(redis: Redis, messages: readonly Message[]): Promise<void> {
  await Promise.all(messages.map(({ channel, text }) => redis.publish(channel, text)))
}

async function untilReadyOrClosed(redis: Redis): Promise<void> {
  await new Promise<void>((resolve) => {
    redis.once("ready", resolve)
    redis.once("close", resolve)
  })
}
