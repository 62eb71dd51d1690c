import type { ServerState } from "../../drivers/embedded-postgres/supervisor/server-state.ts"
import type { Logger } from "../../ports/logger.ts"

/** Logs when the embedded database's supervisor has ended, and when the database is down or up again. */
export function logServerState(logger: Logger, state: ServerState): void {
  switch (state.kind) {
    case "unsupervised":
      logger.warn("The supervisor of the embedded database has ended; another one is started.")
      return
    case "down":
      logger.error(`The embedded database is down: ${state.reason}. It is restarted until it runs.`)
      return
    case "up":
      logger.info(`The embedded database is up again after ${(state.downMs / 1000).toFixed(1)} s.`)
      return
    default:
      state satisfies never
  }
}
