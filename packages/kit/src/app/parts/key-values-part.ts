import { postgresKv, sweepPostgresKv } from "../../drivers/postgres/key-values.ts"
import { redisKv } from "../../drivers/redis/key-values.ts"
import { dryRunStore } from "../../features/kv/dry-run-store.ts"
import { keyValues } from "../../features/kv/key-values.ts"
import type { Connection, Database } from "../../ports/database.ts"
import type { KeyValueStore } from "../../ports/key-value-store.ts"
import type { Logger } from "../../ports/logger.ts"
import type { KeyValues } from "../../schema/context/key-values.ts"
import type { AppInputs } from "../app-inputs.ts"
import type { KeyValueConfig } from "../config/key-value-config.ts"
import type { Part } from "../part-list.ts"

interface KeyValuesDependencies extends Pick<AppInputs, "config" | "now"> {
  readonly logger: Logger
  readonly database: Database
}

/** The key-value store. */
export const keyValuesPart: Part<KeyValuesDependencies, { readonly kv: OpenKeyValues }> = {
  open: ({ config, now, logger, database }) => ({ kv: openKeyValues({ config: config.kv, database, logger, now }) }),
  close: ({ kv }) => kv.close(),
}

interface KeyValueOptions {
  readonly config: KeyValueConfig | undefined
  readonly database: Database
  readonly logger: Logger
  now(): Date
}

export interface OpenKeyValues {
  /**
   * Returns the key-value store for code on this connection. If the store is the app's own database, its writes are
   * part of the connection's transaction. Any other store is not written in a dry run: only the code of that dry run sees
   * the changes.
   */
  on(connection: Connection, dryRun?: object): KeyValues
  /** Deletes expired values if the store does not do so itself; resolves to the number of deleted values. */
  sweep(): Promise<number>
  close(): Promise<void>
}

const DEFAULT_PREFIX = "kit:kv:"

/** Opens the configured key-value store, otherwise a store in the app's own database. */
export function openKeyValues({ config, database, logger, now }: KeyValueOptions): OpenKeyValues {
  const other = configuredStore(config, logger)
  if (other === undefined) {
    return {
      on: (connection) => keyValues(postgresKv({ connection, now })),
      sweep: () => sweepPostgresKv({ connection: database, now }),
      close: () => Promise.resolve(),
    }
  }
  const values = keyValues(other)
  const inDryRuns = new WeakMap<object, KeyValues>()
  const forDryRun = (dryRun: object): KeyValues => {
    const known = inDryRuns.get(dryRun) ?? keyValues(dryRunStore(other))
    inDryRuns.set(dryRun, known)
    return known
  }
  const on = (_connection: Connection, dryRun?: object) => (dryRun ? forDryRun(dryRun) : values)
  return { on, sweep: () => Promise.resolve(0), close: async () => other.close?.() }
}

function configuredStore(config: KeyValueConfig | undefined, logger: Logger): KeyValueStore | undefined {
  if (config?.redis === undefined) return config?.driver
  const { url, prefix = DEFAULT_PREFIX } = config.redis
  return redisKv({ url, prefix, onError: (error) => logger.warn("The connection to Redis is lost.", { error }) })
}
