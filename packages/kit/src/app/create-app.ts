import { openPostgres } from "../drivers/postgres.ts"
import { createEngine, type Engine } from "../engine/engine.ts"
import { applyMigrations, checkMigrated, type MigrationReport } from "../engine/migrate/apply-migrations.ts"
import { NOTHING_SYNCED, type SyncReport, syncSchema } from "../engine/migrate.ts"
import { type FetchHandler, toFetchHandler } from "../http/fetch-handler.ts"
import { createHandler } from "../http/handler.ts"
import { createProtection, type Protection } from "../http/protection/protection.ts"
import type { Database } from "../ports/database.ts"
import type { CallHandler } from "../ports/http.ts"
import type { Session } from "../ports/session-provider.ts"
import { compileSchema } from "../schema/compile.ts"
import type { AppSchema } from "../schema/resource.ts"
import type { LocalApi } from "../wire/operations.ts"
import { normalizeBasePath } from "../wire/paths.ts"
import type { AppApi } from "./app-api.ts"
import type { AppDefinition } from "./app-definition.ts"
import { AppMistakesError } from "./app-mistakes.ts"
import { CONFIG_FILE, findConfigMistakes } from "./config.ts"
import { chooseDrivers, chooseMode, type Drivers } from "./defaults.ts"
import { type NamedSeed, runSeeds } from "./run-seeds.ts"

/** A running app. */
export interface App {
  readonly schema: AppSchema
  readonly basePath: string
  /** One sentence about the database in use, for people. */
  readonly databaseNote: string
  readonly syncReport: SyncReport
  readonly migrationReport: MigrationReport
  /** The API as a web-standard function. */
  readonly handler: FetchHandler
  /** The API for servers that do not want to make a `Request` for each call. */
  readonly handle: CallHandler
  /** Acts under the rights of this session, or of an anonymous caller. */
  as(session: Session | null): AppApi
  /** Acts past every rule. */
  readonly system: AppApi
  /** Runs the seeds that this database has not had yet; resolves to their names. */
  seed(seeds: readonly NamedSeed[]): Promise<readonly string[]>
  /** Closes the database; requests must have ended before. */
  stop(): Promise<void>
}

const DEFAULT_BASE_PATH = "/api"
const DEFAULT_BODY_BYTES = 1024 * 1024
const DEFAULT_BULK_BODY_BYTES = 16 * 1024 * 1024
const DEFAULT_LOCALE = "en"

/** Compiles the app, opens and syncs its database, and makes it ready to answer. */
export async function createApp(definition: AppDefinition): Promise<App> {
  const schema = compileOrThrow(definition)
  const drivers = await chooseDrivers(definition)
  const database = openDatabase(drivers)
  const stop = async () => {
    await database.close()
    await drivers.release()
  }
  try {
    const reports = await prepareTables(definition, { schema, database })
    const engine = startEngine(definition, { schema, drivers, database })
    return { ...openToCallers(definition, engine, drivers), ...openToCode(engine, database), ...reports, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function compileOrThrow({ config, resources }: AppDefinition): AppSchema {
  const configMistakes = findConfigMistakes(config).map((message) => ({ file: CONFIG_FILE, message }))
  const compiled = compileSchema(resources)
  if ("schema" in compiled && configMistakes.length === 0) return compiled.schema
  throw new AppMistakesError([...configMistakes, ...("mistakes" in compiled ? compiled.mistakes : [])])
}

function openDatabase({ postgres, logger }: Drivers): Database {
  return openPostgres({ ...postgres, onError: (error) => logger.warn("A database connection failed.", { error }) })
}

type Tables = Pick<Parts, "schema" | "database">

async function prepareTables({ migrations = [] }: AppDefinition, { schema, database }: Tables) {
  if (migrations.length > 0) {
    checkMigrated(schema, migrations)
    return { syncReport: NOTHING_SYNCED, migrationReport: await applyMigrations(database, migrations) }
  }
  return { syncReport: await syncSchema(database, schema), migrationReport: { applied: [], adopted: [] } }
}

interface Parts {
  readonly schema: AppSchema
  readonly drivers: Drivers
  readonly database: Database
}

function startEngine({ now }: AppDefinition, { schema, drivers, database }: Parts): Engine {
  const { logger, hasShortcuts } = drivers
  return createEngine({
    schema,
    database,
    logger,
    hasShortcuts,
    locale: DEFAULT_LOCALE,
    now: now ?? (() => new Date()),
  })
}

function openToCallers(definition: AppDefinition, engine: Engine, drivers: Drivers) {
  const { basePath: mount = DEFAULT_BASE_PATH, limits = {} } = definition.config
  const { sessions, logger, databaseNote } = drivers
  const basePath = normalizeBasePath(mount)
  const maxBodyBytes = limits.bodyBytes ?? DEFAULT_BODY_BYTES
  const maxBulkBodyBytes = Math.max(maxBodyBytes, limits.bulkBodyBytes ?? DEFAULT_BULK_BODY_BYTES)
  const { countUser, around } = protectionOf(definition, basePath)
  const handle = around(
    createHandler({ engine, sessions, logger, basePath, maxBodyBytes, maxBulkBodyBytes, countUser }),
  )
  return { basePath, databaseNote, handle, handler: toFetchHandler(handle) }
}

function protectionOf({ config, mode, now }: AppDefinition, basePath: string): Protection {
  return createProtection({
    appUrl: config.app?.url,
    origins: config.cors?.origins,
    isDevelopment: chooseMode(mode) === "development",
    rate: config.limits?.rate ?? {},
    trustedProxies: config.limits?.trustedProxies ?? 0,
    basePath,
    now: now ?? (() => new Date()),
  })
}

function openToCode(engine: Engine, database: Database) {
  return {
    schema: engine.schema,
    as: (session: Session | null) => typed(engine.as(session)),
    system: typed(engine.system),
    seed: (seeds: readonly NamedSeed[]) =>
      runSeeds(database, seeds, (connection) => typed(engine.systemOn(connection))),
  }
}

// The generated types describe the very collections and globals that the schema was compiled from.
function typed(api: LocalApi): AppApi {
  return api as unknown as AppApi
}
