import type { KitConfig } from "../../app/config/config.ts"
import { chooseDatabaseWaitMs } from "../../app/config/durations.ts"
import type { ChosenDatabase } from "../../app/definition/app-definition.ts"
import { waitForServer } from "../../drivers/postgres/wait-for-server.ts"
import type { Logger } from "../../ports/logger.ts"

interface WaitDependencies {
  readonly config: KitConfig
  readonly logger: Logger
}

/**
 * Waits for a database that is away while the app starts, and logs it. The embedded database needs no wait: it has been
 * started.
 */
export async function waitForDatabase(database: ChosenDatabase, { config, logger }: WaitDependencies): Promise<void> {
  const waitMs = chooseDatabaseWaitMs(config)
  if (database.isEmbedded) return
  const since = performance.now()
  let lastReason: string | undefined
  await waitForServer({
    url: database.url,
    waitMs,
    onAway: (error) => {
      const reason = error.message || String(error)
      if (reason !== lastReason) logger.warn(`The database is away; waiting ${inSeconds(waitMs)} for it.`, { reason })
      lastReason = reason
    },
  })
  if (lastReason !== undefined) logger.info(`The database answers after ${inSeconds(performance.now() - since)}.`)
}

function inSeconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(1))} s`
}
