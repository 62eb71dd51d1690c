import { NEWEST_TRANSACTION } from "../../drivers/bus/write-poller.ts"
import { openPostgresBus } from "../../drivers/postgres/bus.ts"
import type { PostgresOptions } from "../../drivers/postgres/open-postgres.ts"
import { openRedisBus } from "../../drivers/redis/bus.ts"
import type { Connection, Database } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { MessageBus } from "../../ports/message-bus.ts"
import type { AppInputs } from "../app-inputs.ts"
import type { BusConfig } from "../config/bus-config.ts"
import type { Part } from "../part-list.ts"

interface BusDependencies extends Pick<AppInputs, "config"> {
  readonly logger: Logger
  readonly postgres: PostgresOptions
  readonly database: Database
}

/** The message bus, which carries notifications between the instances of the app. */
export const busPart: Part<BusDependencies, { readonly bus: MessageBus }> = {
  open: ({ config, logger, postgres, database }) => {
    const onError = (error: Error) => logger.warn("The connection of the message bus is lost; reconnecting.", { error })
    return { bus: openBus({ config: config.bus, url: postgres.url, connection: database, onError }) }
  },
  close: ({ bus }) => bus.close(),
}

interface BusOptions {
  readonly config: BusConfig | undefined
  /** The database's connection string. The database serves as the message bus unless Redis is configured. */
  readonly url: string
  readonly connection: Connection
  onError(error: Error): void
}

const DEFAULT_PREFIX = "kit:bus:"

/** Returns the configured message bus, otherwise a bus through the app's database. It connects at first use. */
export function openBus({ config, url, connection, onError }: BusOptions): MessageBus {
  const run = (text: string, values: unknown[]) => connection.query({ text, values })
  if (config?.redis === undefined) return openPostgresBus({ url, onError, runOnOtherConnection: run })
  const { url: redisUrl, prefix = DEFAULT_PREFIX } = config.redis
  const newestTransaction = async () => String((await run(NEWEST_TRANSACTION, [])).rows[0]?.[0])
  return openRedisBus({ url: redisUrl, prefix, newestTransaction, onError })
}
