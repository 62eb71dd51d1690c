import { openPostgres } from "../drivers/postgres.ts"
import { createEngine, type Engine } from "../engine/engine.ts"
import { applyMigrations, checkMigrated, type MigrationReport } from "../engine/migrate/apply-migrations.ts"
import { NOTHING_SYNCED, type SyncReport, syncSchema } from "../engine/migrate.ts"
import type { Identity } from "../features/auth/identity.ts"
import { SessionCache } from "../features/auth/session-cache.ts"
import type { UserAccounts } from "../features/auth/user-accounts.ts"
import { type CompiledEmails, compileEmails } from "../features/email/compile-emails.ts"
import { type FetchHandler, toFetchHandler } from "../http/fetch-handler.ts"
import { createHandler } from "../http/handler.ts"
import type { Connection, Database } from "../ports/database.ts"
import type { CallHandler } from "../ports/http.ts"
import type { Session, SessionProvider } from "../ports/session-provider.ts"
import type { KeyValues } from "../schema/key-values.ts"
import type { Mailer } from "../schema/mailer.ts"
import type { AppSchema } from "../schema/resource.ts"
import type { LocalApi } from "../wire/operations.ts"
import { normalizeBasePath } from "../wire/paths.ts"
import type { AppApi } from "./app-api.ts"
import type { AppDefinition } from "./app-definition.ts"
import { AppMistakesError } from "./app-mistakes.ts"
import { compileApp } from "./compile-app.ts"
import { CONFIG_FILE, findConfigMistakes } from "./config.ts"
import { chooseDrivers, chooseMode, type Drivers } from "./defaults.ts"
import { forgettingHooks, openIdentity } from "./open-identity.ts"
import { type OpenKeyValues, openKeyValues } from "./open-key-values.ts"
import { type OpenMail, openMail } from "./open-mail.ts"
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
  /** Makes people who can sign in. */
  readonly users: UserAccounts
  readonly email: Mailer
  readonly kv: KeyValues
  /** Runs the seeds that this database has not had yet; resolves to their names. */
  seed(seeds: readonly NamedSeed[]): Promise<readonly string[]>
  /** Sends what still waits to be sent, and closes the database; requests must have ended before. */
  stop(): Promise<void>
}

const DEFAULT_BASE_PATH = "/api"
const DEFAULT_BODY_BYTES = 1024 * 1024
const DEFAULT_LOCALE = "en"

/** Compiles the app, opens and syncs its database, and makes it ready to answer. */
export async function createApp(definition: AppDefinition): Promise<App> {
  const cache = new SessionCache()
  const { schema, emails } = compileOrThrow(definition, cache)
  const drivers = await chooseDrivers(definition)
  const database = openDatabase(drivers)
  const release = async () => {
    await database.close()
    await drivers.release()
  }
  try {
    const reports = await prepareTables(definition, { schema, database })
    const engine = startEngine(definition, { schema, drivers, database })
    const basePath = normalizeBasePath(definition.config.basePath ?? DEFAULT_BASE_PATH)
    const mail = startMail(definition, { emails, drivers, database })
    const kv = startKeyValues(definition, { drivers, database })
    const sendMail = mail.mailers.on(database).send
    const identity = openIdentity({ config: definition.config, engine, drivers, cache, basePath, sendMail })
    const stop = async () => {
      await identity?.drain()
      await mail.close()
      await kv.close()
      await release()
    }
    const open = { engine, drivers, database, identity, basePath, mail, kv }
    return { ...openToCallers(definition, open), ...openToCode(open), ...reports, stop }
  } catch (error) {
    await release()
    throw error
  }
}

function compileOrThrow({ config, resources, emails: sources = [] }: AppDefinition, cache: SessionCache) {
  const configMistakes = findConfigMistakes(config).map((message) => ({ file: CONFIG_FILE, message }))
  const compiled = compileApp(config, resources, forgettingHooks(cache))
  const { emails, mistakes: emailMistakes } = compileEmails(sources)
  const mistakes = [...configMistakes, ...("mistakes" in compiled ? compiled.mistakes : []), ...emailMistakes]
  if ("schema" in compiled && mistakes.length === 0) return { schema: compiled.schema, emails }
  throw new AppMistakesError(mistakes)
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
    now: now ?? systemClock,
  })
}

type Outside = Pick<Parts, "drivers" | "database">

function startMail(
  { config, mode, now = systemClock }: AppDefinition,
  { emails, drivers, database }: Outside & { readonly emails: CompiledEmails },
): OpenMail {
  return openMail({ config, mode: chooseMode(mode), emails, database, logger: drivers.logger, now })
}

function startKeyValues({ config, now = systemClock }: AppDefinition, { drivers, database }: Outside): OpenKeyValues {
  return openKeyValues({ config: config.kv, database, logger: drivers.logger, now })
}

function systemClock(): Date {
  return new Date()
}

interface OpenApp {
  readonly engine: Engine
  readonly drivers: Drivers
  readonly database: Database
  readonly identity: Identity | undefined
  readonly basePath: string
  readonly mail: OpenMail
  readonly kv: OpenKeyValues
}

function openToCallers({ config }: AppDefinition, { engine, drivers, identity, basePath, mail }: OpenApp) {
  const { logger, databaseNote } = drivers
  const sessions = identity?.sessions ?? drivers.sessions ?? NOBODY
  const maxBodyBytes = config.limits?.bodyBytes ?? DEFAULT_BODY_BYTES
  const mailKeeper = mail.keeper
  const handle = createHandler({ engine, sessions, logger, basePath, maxBodyBytes, identity, mailKeeper })
  return { basePath, databaseNote, handle, handler: toFetchHandler(handle) }
}

const NOBODY: SessionProvider = { read: () => null }

function openToCode({ engine, database, identity, mail, kv }: OpenApp) {
  const usersOn = (connection: Connection) => identity?.usersOn(connection) ?? NO_USERS
  return {
    schema: engine.schema,
    as: (session: Session | null) => typed(engine.as(session)),
    system: typed(engine.system),
    users: usersOn(database),
    email: mail.mailers.on(database),
    kv: kv.on(database),
    seed: (seeds: readonly NamedSeed[]) =>
      runSeeds(database, seeds, (connection) => ({
        ...typed(engine.systemOn(connection)),
        users: usersOn(connection),
      })),
  }
}

const NO_USERS: UserAccounts = {
  create: () =>
    Promise.reject(new Error('There are no users: "sessions" in kit.config.ts takes the place of identity.')),
}

// The generated types describe the very collections and globals that the schema was compiled from.
function typed(api: LocalApi): AppApi {
  return api as unknown as AppApi
}
