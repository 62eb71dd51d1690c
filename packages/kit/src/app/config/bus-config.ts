import { isRedisUrl, type RedisConfig } from "./key-value-config.ts"
import { isObject, type SettingChecks } from "./setting-check.ts"

/** How the processes of an app tell each other that there is something to read: by NOTIFY of Postgres unless set. */
export interface BusConfig {
  /** By channels of Redis; needs the package ioredis. For databases behind a pool that cannot LISTEN, and for many processes. */
  readonly redis?: RedisConfig
}

export const BUS_SETTINGS: SettingChecks = {
  redis: {
    url: (value) => (isRedisUrl(value) ? undefined : 'an address such as "redis://localhost:6379"'),
    prefix: (value) => (typeof value === "string" ? undefined : "a text"),
  },
}

export function findBusMistakes(config: BusConfig | undefined): string[] {
  if (!isObject(config) || !isObject(config.redis) || config.redis.url) return []
  return ['the setting "bus.redis.url" is missing. Write an address such as "redis://localhost:6379".']
}
