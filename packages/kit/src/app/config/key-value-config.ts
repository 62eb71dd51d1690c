import type { KeyValueStore } from "../../ports/key-value-store.ts"
import { hasFunctions, isObject, type SettingGroup, type SettingType } from "./settings/setting.ts"
import { TEXT } from "./settings/setting-types.ts"

export interface KeyValueConfig {
  /** Keeps the values in Redis; needs the package ioredis. */
  readonly redis?: RedisConfig
  /** A store of the author's own, in place of the app's database. */
  readonly driver?: KeyValueStore
}

export interface RedisConfig {
  readonly url: string
  /**
   * The prefix of every Redis key or channel; `kit:kv:` or `kit:bus:` unless set. Each app on a shared Redis server
   * needs a prefix of its own.
   */
  readonly prefix?: string
}

const METHODS = ["get", "set", "delete", "has", "increment"]

export const REDIS_URL: SettingType = {
  type: "address",
  check: (value) => (isRedisUrl(value) ? undefined : 'an address such as "redis://localhost:6379"'),
}

export const KEY_VALUE_SETTINGS: SettingGroup = {
  redis: {
    url: {
      ...REDIS_URL,
      default: "none: values are kept in the app's database",
      purpose: "the Redis server that keeps the values of `kv`; needs the package `ioredis`",
    },
    prefix: {
      ...TEXT,
      default: "`kit:kv:`",
      purpose: "the beginning of every key; one for each app on a shared server",
    },
  },
  driver: {
    type: `object with ${METHODS.map((name) => `\`${name}\``).join(", ")}`,
    check: (value) => (hasFunctions(value, METHODS) ? undefined : `an object with the functions ${METHODS.join(", ")}`),
    default: "none",
    purpose: "your own store for the values of `kv`",
  },
}

function isRedisUrl(value: unknown): boolean {
  return typeof value === "string" && /^rediss?:\/\/[^/]/.test(value) && URL.canParse(value)
}

/** Returns a mistake for each `kv` setting that is missing or that cannot be combined with another setting. */
export function findKeyValueMistakes(config: KeyValueConfig | undefined): string[] {
  if (!isObject(config) || !isObject(config.redis)) return []
  if (config.driver) return ['the settings "kv.redis" and "kv.driver" are two stores. Remove one of them.']
  if (config.redis.url) return []
  return ['the setting "kv.redis.url" is missing. Write an address such as "redis://localhost:6379".']
}
