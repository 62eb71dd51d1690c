import type { KeyValueStore } from "../../ports/key-value-store.ts"
import { hasFunctions, isObject, type SettingChecks } from "./setting-check.ts"

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

export const KEY_VALUE_SETTINGS: SettingChecks = {
  redis: {
    url: (value) => (isRedisUrl(value) ? undefined : 'an address such as "redis://localhost:6379"'),
    prefix: (value) => (typeof value === "string" ? undefined : "a text"),
  },
  driver: (value) => (hasFunctions(value, METHODS) ? undefined : `an object with the functions ${METHODS.join(", ")}`),
}

export function isRedisUrl(value: unknown): boolean {
  return typeof value === "string" && /^rediss?:\/\/[^/]/.test(value) && URL.canParse(value)
}

/** Returns a mistake for each `kv` setting that is missing or that cannot be combined with another setting. */
export function findKeyValueMistakes(config: KeyValueConfig | undefined): string[] {
  if (!isObject(config) || !isObject(config.redis)) return []
  if (config.driver) return ['the settings "kv.redis" and "kv.driver" are two stores. Remove one of them.']
  if (config.redis.url) return []
  return ['the setting "kv.redis.url" is missing. Write an address such as "redis://localhost:6379".']
}
