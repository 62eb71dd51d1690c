import type { Redis } from "ioredis"
import type { MessageBus, Subscriber } from "../../ports/message-bus.ts"
import { BusOutbox, type Message } from "../bus/outbox.ts"
import { SilenceWatch } from "../bus/silence-watch.ts"
import { BusSubscribers } from "../bus/subscribers.ts"
import { openRedis } from "./connection.ts"

export interface RedisBusOptions {
  readonly url: string
  /** What the name of every channel starts with, so that several apps can share a server. */
  readonly prefix: string
  /** How often it is looked whether something was written without a word. 10 s unless set, and a second after a message. */
  readonly silenceMs?: number
  /** The number of the newest transaction of the database; undefined where nobody knows. */
  newestTransaction(): Promise<string | undefined>
  /** Hears why a connection was lost, once until it is back. */
  onError(error: Error): void
}

const COMMAND_TIMEOUT_MS = 5_000
const RETRY_MAX_MS = 5_000

/**
 * A bus on the channels of Redis, with a connection to speak and another one to listen, each opened at its first use.
 * While Redis is away, what others have written is still looked for now and then.
 */
export function openRedisBus(options: RedisBusOptions): MessageBus {
  return new RedisBus(options)
}

class RedisBus implements MessageBus {
  readonly #options: RedisBusOptions
  readonly #subscribers = new BusSubscribers()
  readonly #outbox = new BusOutbox()
  readonly #watch: SilenceWatch
  #speaking: Promise<Redis | undefined> | undefined
  #listening: Promise<Redis | undefined> | undefined
  #isClosed = false

  constructor(options: RedisBusOptions) {
    this.#options = options
    this.#watch = new SilenceWatch({
      calmMs: options.silenceMs,
      newest: () => options.newestTransaction().catch(() => undefined),
      onMoved: () => this.#subscribers.tellOfSilence(),
    })
  }

  publish(channel: string, text: string): void {
    this.#outbox.add({ channel: this.#options.prefix + channel, text })
    if (!this.#isClosed) this.#speaking ??= this.#open((redis) => this.#speakOn(redis))
  }

  async publishLast(channel: string, text: string): Promise<void> {
    this.publish(channel, text)
    await this.#sendAll()
  }

  subscribe(channel: string, subscriber: Subscriber): () => void {
    this.#subscribers.add(channel, subscriber)
    this.#watch.start()
    this.#listening ??= this.#open((redis) => this.#listenOn(redis))
    void this.#listening.then((redis) => redis?.status === "ready" && this.#listen(redis, channel, [subscriber]))
    return () => this.#unsubscribe(channel, subscriber)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#watch.stop()
    await this.#sendAll()
    for (const redis of await Promise.all([this.#speaking, this.#listening])) redis?.disconnect()
  }

  // A connection that is just being made is waited for.
  async #sendAll(): Promise<void> {
    const redis = await this.#speaking
    if (redis?.status === "connecting" || redis?.status === "connect") await isReadyOrGone(redis)
    await this.#outbox.sendAll()
  }

  /** Undefined where the package is missing, which is told. */
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

  #speakOn(redis: Redis): void {
    redis.on("ready", () => this.#outbox.connect((messages) => send(redis, messages)))
    redis.on("close", () => this.#outbox.disconnect())
  }

  #listenOn(redis: Redis): void {
    const { prefix } = this.#options
    redis.on("ready", () => {
      for (const channel of this.#subscribers.channels) this.#listen(redis, channel, this.#subscribers.of(channel))
    })
    redis.on("message", (name: string, text: string) => {
      this.#watch.heard()
      for (const subscriber of this.#subscribers.of(name.slice(prefix.length))) subscriber.onMessage(text)
    })
  }

  #listen(redis: Redis, channel: string, subscribers: readonly Subscriber[]): void {
    redis.subscribe(this.#options.prefix + channel).then(
      () => {
        for (const subscriber of subscribers) subscriber.onListening()
      },
      // A connection that cannot listen is of no use, and the next one may.
      () => !this.#isClosed && redis.disconnect(true),
    )
  }

  #unsubscribe(channel: string, subscriber: Subscriber): void {
    if (!this.#subscribers.remove(channel, subscriber)) return
    void this.#listening?.then((redis) => redis?.unsubscribe(this.#options.prefix + channel).catch(() => {}))
  }
}

const CONNECTION = {
  // What is to be sent or heard is kept here, and said again on the next connection.
  autoResubscribe: false,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: COMMAND_TIMEOUT_MS,
  // Many processes lose the same server at once; they should not all come back in the same moment.
  retryStrategy: (times: number) => Math.min(RETRY_MAX_MS, 50 * 2 ** Math.min(times, 10)) * (0.5 + Math.random() / 2),
}

async function send(redis: Redis, messages: readonly Message[]): Promise<void> {
  await Promise.all(messages.map(({ channel, text }) => redis.publish(channel, text)))
}

async function isReadyOrGone(redis: Redis): Promise<void> {
  await new Promise<void>((resolve) => {
    redis.once("ready", resolve)
    redis.once("close", resolve)
  })
}
