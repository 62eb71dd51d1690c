import type { Redis, RedisOptions } from "ioredis"

interface RedisClientOptions {
  /** The Redis URL: `redis://` or, with TLS, `rediss://`. */
  readonly url: string
  /** The name of the setting that requires Redis. It is part of the error message if ioredis is not installed. */
  readonly setting: string
  /** Called when the connection is lost. Not called again until the connection is restored. */
  onError(error: Error): void
}

type Settings = Pick<
  RedisOptions,
  "autoResubscribe" | "commandTimeout" | "enableOfflineQueue" | "maxRetriesPerRequest" | "retryStrategy"
>

const CONNECT_TIMEOUT_MS = 5_000

/** Loads ioredis and begins to connect. The returned client reconnects by itself. */
export async function openRedis({ url, setting, onError }: RedisClientOptions, settings: Settings): Promise<Redis> {
  const Client = await load(setting)
  const redis = new Client(url, { connectTimeout: CONNECT_TIMEOUT_MS, ...settings })
  let isLost = false
  redis.on("ready", () => {
    isLost = false
  })
  // Reports only the first error of an outage, because each attempt to reconnect would report that error again.
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
