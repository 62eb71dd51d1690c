import type { Redis } from "ioredis"
import type { KeyValueStore } from "../../ports/key-value-store.ts"
import { temporaryFailure } from "../temporary-failure.ts"
import { openRedis } from "./connection.ts"

interface RedisKvOptions {
  /** The Redis URL: `redis://` or, with TLS, `rediss://`. */
  readonly url: string
  /** The prefix of every key, so that several apps can share one Redis server. */
  readonly prefix: string
  /** Called when the connection is lost. Not called again until the connection is restored. */
  onError(error: Error): void
}

const COMMAND_TIMEOUT_MS = 5_000
const RETRIES_PER_COMMAND = 2

// Adds to an integer atomically. Numbers in Lua are doubles, so the same integers are safe as in JavaScript. Returns
// `false`, which ioredis converts to null, if the stored value or the sum is not a safe integer.
const INCREMENT = `
local held = redis.call("GET", KEYS[1])
local digits = held and string.match(held, "^%-?(%d+)$")
if held and (not digits or #digits > 16) then return false end
local sum = tonumber(held or "0") + tonumber(ARGV[1])
if math.abs(sum) > ${Number.MAX_SAFE_INTEGER} then return false end
local text = string.format("%.0f", sum)
if held then redis.call("SET", KEYS[1], text, "KEEPTTL")
elseif ARGV[2] ~= "" then redis.call("SET", KEYS[1], text, "PX", ARGV[2])
else redis.call("SET", KEYS[1], text) end
return text`

/** Stores values in Redis. The first operation loads ioredis and connects. */
export function redisKv(options: RedisKvOptions): KeyValueStore {
  let opening: Promise<Redis> | undefined
  const run = async <Result>(command: (redis: Redis) => Promise<Result>): Promise<Result> => {
    opening ??= open(options)
    const redis = await opening
    return command(redis).catch(rethrow)
  }
  const keyOf = (key: string) => options.prefix + key
  return {
    get: async (key) => (await run((redis) => redis.get(keyOf(key)))) ?? undefined,
    set: async (key, json, ttlMs) => {
      await run((redis) =>
        ttlMs === undefined ? redis.set(keyOf(key), json) : redis.set(keyOf(key), json, "PX", ttlMs),
      )
    },
    delete: async (key) => (await run((redis) => redis.del(keyOf(key)))) > 0,
    has: async (key) => (await run((redis) => redis.exists(keyOf(key)))) > 0,
    increment: async (key, by, ttlMs) => {
      const sum = await run((redis) => redis.eval(INCREMENT, 1, keyOf(key), by, ttlMs ?? ""))
      return sum === null ? null : Number(sum)
    },
    // If the connection could not be opened, there is nothing to close, so the error is ignored.
    close: async () => opening?.then((redis) => redis.disconnect()).catch(() => undefined),
  }
}

function open({ url, onError }: RedisKvOptions): Promise<Redis> {
  const limits = { commandTimeout: COMMAND_TIMEOUT_MS, maxRetriesPerRequest: RETRIES_PER_COMMAND }
  return openRedis({ url, setting: "kv.redis", onError }, limits)
}

// Redis error replies after which the same command may succeed later. All other error replies are final.
const NOT_READY = /^(LOADING|BUSY|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|READONLY)\b/

function rethrow(cause: unknown): never {
  const isReply = cause instanceof Error && cause.name === "ReplyError"
  if (isReply && !NOT_READY.test(cause.message)) throw cause
  throw temporaryFailure("Redis did not answer.", cause)
}
