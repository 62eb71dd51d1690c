import type { Redis, RedisOptions } from "ioredis"

interface RedisPlace {
  /** `redis://` or, encrypted, `rediss://`. */
  readonly url: string
  /** What in the configuration asks for it. */
  readonly setting: string
  /** Told when the connection is lost, once until it is back. */
  onError(error: Error): void
}

type Settings = Pick<
  RedisOptions,
  "autoResubscribe" | "commandTimeout" | "enableOfflineQueue" | "maxRetriesPerRequest" | "retryStrategy"
>

const CONNECT_TIMEOUT_MS = 5_000

/** Loads the package and begins to connect; a connection that is lost is made again by itself. */
export async function openRedis({ url, setting, onError }: RedisPlace, settings: Settings): Promise<Redis> {
  const Client = await load(setting)
  const redis = new Client(url, { connectTimeout: CONNECT_TIMEOUT_MS, ...settings })
  let isLost = false
  redis.on("ready", () => {
    isLost = false
  })
  // Each attempt to reconnect would report the same.
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
