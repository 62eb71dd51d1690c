import { openPostgres } from "../drivers/postgres.ts"
import { createEngine, type Engine } from "../engine/engine.ts"
import { applyMigrations, checkMigrated, type MigrationReport } from "../engine/migrate/apply-migrations.ts"
import { NOTHING_SYNCED, type SyncReport, syncSchema } from "../engine/migrate.ts"
import type { CompiledRoute } from "../features/routes/compile-routes.ts"
import { type FetchHandler, toFetchHandler } from "../http/fetch-handler.ts"
import { createHandler } from "../http/handler.ts"
import type { Database } from "../ports/database.ts"
import type { CallHandler } from "../ports/http.ts"
import type { Session } from "../ports/session-provider.ts"
import { linkNames } from "../schema/link-names.ts"
import type { AppSchema } from "../schema/resource.ts"
import type { LocalApi } from "../wire/operations.ts"
import { normalizeBasePath } from "../wire/paths.ts"
import type { AppApi } from "./app-api.ts"
import type { AppDefinition } from "./app-definition.ts"
import { buildHandlerContexts, type HandlerContexts } from "./build-handler-context.ts"
import { type CompiledDefinition, compileOrThrow } from "./compile-definition.ts"
import { CONFIG_FILE, findConfigMistakes } from "./config.ts"
import { chooseDrivers, type Drivers } from "./defaults.ts"
import { type NamedSeed, runSeeds } from "./run-seeds.ts"

/** A running app. */
export interface App {
  readonly schema: AppSchema
  readonly basePath: string
  /** The author's routes, in the order of their titles. */
  readonly routes: readonly CompiledRoute[]
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
  /** Disposes of the services and closes the database; requests must have ended before. */
  stop(): Promise<void>
}

const DEFAULT_NAME = "kit"
const DEFAULT_BASE_PATH = "/api"
const DEFAULT_BODY_BYTES = 1024 * 1024
const DEFAULT_RAW_BODY_BYTES = 16 * 1024 * 1024
const DEFAULT_LOCALE = "en"

/** Compiles the app, opens and syncs its database, and makes it ready to answer. */
export async function createApp(definition: AppDefinition): Promise<App> {
  const compiled = compileApp(definition)
  const drivers = await chooseDrivers(definition)
  const database = openDatabase(drivers)
  const closeDatabase = async () => {
    await database.close()
    await drivers.release()
  }
  try {
    const reports = await prepareTables(definition, { ...compiled, database })
    const { engine, contexts } = startEngine(definition, { ...compiled, drivers, database })
    const stop = async () => {
      await contexts.dispose()
      await closeDatabase()
    }
    const callers = openToCallers(definition, { engine, drivers, routes: compiled.routes })
    return { ...callers, ...openToCode(engine, database), ...reports, stop }
  } catch (error) {
    await closeDatabase()
    throw error
  }
}

function compileApp(definition: AppDefinition): CompiledDefinition {
  const mistakes = findConfigMistakes(definition.config).map((message) => ({ file: CONFIG_FILE, message }))
  return compileOrThrow(definition, mistakes)
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

interface Parts extends CompiledDefinition {
  readonly drivers: Drivers
  readonly database: Database
}

function startEngine(definition: AppDefinition, { schema, services, drivers, database }: Parts) {
  const { config, now = () => new Date() } = definition
  const { logger, hasShortcuts, sessions } = drivers
  const app = Object.freeze({
    name: config.app?.name ?? DEFAULT_NAME,
    url: config.app?.url,
    basePath: basePathOf(definition),
  })
  const contexts: HandlerContexts = buildHandlerContexts({
    app,
    logger,
    services,
    tableNames: linkNames(schema),
    loadSession: sessions.load?.bind(sessions),
    rootContext: () => engine.contextFor(null),
  })
  const { handlerFor } = contexts
  const engine = createEngine({ schema, database, logger, hasShortcuts, locale: DEFAULT_LOCALE, now, handlerFor })
  return { engine, contexts }
}

interface Openings {
  readonly engine: Engine
  readonly drivers: Drivers
  readonly routes: readonly CompiledRoute[]
}

function openToCallers(definition: AppDefinition, { engine, drivers, routes }: Openings) {
  const { sessions, logger, databaseNote } = drivers
  const { limits = {} } = definition.config
  const basePath = basePathOf(definition)
  const maxBodyBytes = limits.bodyBytes ?? DEFAULT_BODY_BYTES
  const maxRawBodyBytes = limits.rawBodyBytes ?? DEFAULT_RAW_BODY_BYTES
  const handle = createHandler({ engine, sessions, logger, basePath, maxBodyBytes, maxRawBodyBytes, routes })
  return { basePath, routes, databaseNote, handle, handler: toFetchHandler(handle) }
}

function basePathOf({ config }: AppDefinition): string {
  return normalizeBasePath(config.basePath ?? DEFAULT_BASE_PATH)
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
