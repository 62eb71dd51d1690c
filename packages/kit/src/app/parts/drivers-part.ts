import type { ServerState } from "../../drivers/embedded-postgres/supervisor/server-state.ts"
import { pinoLogger } from "../../drivers/log/pino-logger.ts"
import type { PostgresOptions } from "../../drivers/postgres/open-postgres.ts"
import type { Logger } from "../../ports/logger.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import type { AppInputs } from "../app-inputs.ts"
import type { LimitsConfig } from "../config/config.ts"
import { chooseDatabase, chooseLogLevel, chooseSecret } from "../config/defaults.ts"
import { readVariable } from "../config/environment.ts"
import type { Part } from "../part-list.ts"

interface DriversDependencies extends Pick<AppInputs, "definition" | "overrides"> {
  readonly schema: AppSchema
}

interface OpenDrivers {
  readonly logger: Logger
  readonly postgres: PostgresOptions
  /** One sentence that describes the database in use. */
  readonly databaseNote: string
  /** True if the database already has the schema's tables. */
  readonly hasTables: boolean
  /** Signs the sessions and tokens that kit issues to users; undefined for an app without kit's own users. */
  readonly secret: string | undefined
  readonly hasShortcuts: boolean
  /** Ends this app's use of the database server. */
  releaseServer(): Promise<void>
}

/**
 * The logger, the secret and the database server, which is started if it is the embedded one. Where the configuration
 * leaves a choice open, an environment variable takes precedence over a default.
 */
export const driversPart: Part<DriversDependencies, OpenDrivers> = {
  open: async ({ definition, overrides, schema }) => {
    const { config, root, mode } = definition
    const prepared = overrides.prepareDatabase?.(schema)
    const logger = config.logger ?? pinoLogger(chooseLogLevel())
    const secret = config.sessions ? undefined : await chooseSecret(config.secret, root, mode)
    const server = await (prepared ?? definition.database ?? chooseDatabase(definition))
    server.watch?.((state) => logServerState(logger, state))
    return {
      logger,
      postgres: { ...config.db, ...callerLimits(config.limits), url: server.url },
      databaseNote: server.databaseNote,
      hasTables: prepared !== undefined,
      secret,
      hasShortcuts: readVariable("KIT_GENERAL_PATH") !== "1",
      releaseServer: () => server.release(),
    }
  },
  close: ({ releaseServer }) => releaseServer(),
}

// Logs when the embedded database's supervisor has ended, and when the database is down or up again.
function logServerState(logger: Logger, state: ServerState): void {
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

// Leaves out limits that are not set, because `undefined` would overwrite the default.
function callerLimits({ statementMs, lockMs, poolShare }: LimitsConfig = {}): Partial<PostgresOptions> {
  return {
    ...(statementMs !== undefined && { callerStatementMs: statementMs }),
    ...(lockMs !== undefined && { callerLockMs: lockMs }),
    ...(poolShare !== undefined && { callerShare: poolShare }),
  }
}
