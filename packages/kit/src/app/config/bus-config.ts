import { REDIS_URL, type RedisConfig } from "./key-value-config.ts"
import { isObject, type SettingGroup } from "./settings/setting.ts"
import { TEXT } from "./settings/setting-types.ts"

/** How an app's processes notify each other of new changes and jobs; through PostgreSQL's NOTIFY unless set. */
export interface BusConfig {
  /**
   * Sends notifications through Redis channels; needs the package ioredis. For connection poolers without LISTEN, and
   * for many instances.
   */
  readonly redis?: RedisConfig
}

export const BUS_SETTINGS: SettingGroup = {
  redis: {
    url: {
      ...REDIS_URL,
      default: "none: NOTIFY of the app's database",
      purpose: "the Redis server through which the processes of the app notify each other; needs the package `ioredis`",
    },
    prefix: {
      ...TEXT,
      default: "`kit:bus:`",
      purpose: "the beginning of every channel; one for each app on a shared server",
    },
  },
}

export function findBusMistakes(config: BusConfig | undefined): string[] {
  if (!isObject(config) || !isObject(config.redis) || config.redis.url) return []
  return ['the setting "bus.redis.url" is missing. Write an address such as "redis://localhost:6379".']
}
