import type { Redis, RedisOptions } from "ioredis"

interface RedisClientOptions {
  /** `redis://` or, encrypted, `rediss://`. */
  readonly url: string
  /** The name of the setting that requires Redis, for the error message. */
  readonly setting: string
  /** Called when the connection is lost, once until it is restored. */
  onError(error: Error): void
}

type Settings = Pick<
  RedisOptions,
  "autoResubscribe" | "commandTimeout" | "enableOfflineQueue" | "maxRetriesPerRequest" | "retryStrategy"
>

const CONNECT_TIMEOUT_MS = 5_000

/** Loads the package and begins to connect. The client reconnects by itself. */
export async function openRedis({ url, setting, onError }: RedisClientOptions, settings: Settings): Promise<Redis> {
  const Client = await load(setting)
  const redis = new Client(url, { connectTimeout: CONNECT_TIMEOUT_MS, ...settings })
  let isLost = false
  redis.on("ready", () => {
    isLost = false
  })
  // Each attempt to reconnect would report the same error.
  redis.on("error", (error: Error) => {
    if (!isLost) onError(error)
    isLost = true
  })
  return redis
}

async function load(setting: string): Promise<typeof Redis> {
  try {
    return (await import("ioredis")).Redis
  } catch (cause) {
    throw new Error(`"${setting}" in kit.config.ts needs the package ioredis. Install it: npm install ioredis`, {
      cause,
    })
  }
}
