import { isRedisUrl, type RedisConfig } from "./key-value-config.ts"
import { isObject, type SettingChecks } from "./setting-check.ts"

/** How an app's processes notify each other of new changes and jobs; through PostgreSQL's NOTIFY unless set. */
export interface BusConfig {
  /**
   * Sends notifications through Redis channels; needs the package ioredis. For connection poolers without LISTEN, and
   * for many instances.
   */
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
