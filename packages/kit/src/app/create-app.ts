import type { ScheduleTransition } from "../engine/context/pending-transition-job.ts"
import { canReturnOldRows } from "../engine/database/server-version.ts"
import { createEngine, type Engine } from "../engine/engine.ts"
import type { MigrationReport } from "../engine/migrate/apply-migrations.ts"
import type { SyncReport } from "../engine/migrate/sync-schema.ts"
import type { UserAccounts } from "../features/auth/accounts/user-accounts.ts"
import type { Identity } from "../features/auth/identity.ts"
import { SessionCache } from "../features/auth/sessions/session-cache.ts"
import { identityHooks } from "../features/auth/user-hooks.ts"
import type { JobRun } from "../features/jobs/running-job.ts"
import type { CompiledChannels } from "../features/realtime/channels/compile-channels.ts"
import { createChannelPublishers } from "../features/realtime/channels/publishers.ts"
import type { LiveCalls } from "../features/realtime/streams/live-calls.ts"
import type { CompiledRoute } from "../features/routes/compile-routes.ts"
import { SignedLinks } from "../features/uploads/signed-links.ts"
import type { StoredFiles } from "../features/uploads/stored-files.ts"
import { type FetchHandler, toFetchHandler } from "../http/fetch-handler.ts"
import { createHandler } from "../http/handler.ts"
import { callerAddresses } from "../http/protection/client-address.ts"
import { createProtection, type Protection } from "../http/protection/protection.ts"
import type { Connection, Database } from "../ports/database.ts"
import type { CallHandler } from "../ports/http.ts"
import type { MessageBus } from "../ports/message-bus.ts"
import type { Session, SessionProvider } from "../ports/session-provider.ts"
import { linkTableAliases } from "../schema/compile/link-table-aliases.ts"
import type { AppSchema } from "../schema/compile/resource.ts"
import type { KeyValues } from "../schema/context/key-values.ts"
import type { Mailer } from "../schema/context/mailer.ts"
import type { RegisteredChannels, RegisteredQueue } from "../schema/context/register.ts"
import { isBelow } from "../wire/paths/paths.ts"
import type { LocalApi } from "../wire/results/operations.ts"
import { secretOf, streamSecretOf } from "./config/app-secret.ts"
import { basePathOf } from "./config/base-path.ts"
import { answerLimit, bodyLimits } from "./config/body-limits.ts"
import { chooseDrivers, chooseMode, type Drivers } from "./config/defaults.ts"
import { filterLimits } from "./config/filter-limits.ts"
import type { AppApi, SystemApi } from "./definition/app-api.ts"
import type { AppDefinition, ChosenDatabase } from "./definition/app-definition.ts"
import { checkApp } from "./definition/check-app.ts"
import type { CompiledDefinition } from "./definition/compile-definition.ts"
import { buildHandlerContexts, type HandlerContexts } from "./handlers/build-handler-context.ts"
import { callJobHandler } from "./handlers/call-job-handler.ts"
import { internalJobs, TRANSITION_JOB } from "./handlers/internal-jobs.ts"
import { requireLoadableSession, runPendingTransition } from "./handlers/run-pending-transition.ts"
import { type NamedSeed, runSeeds } from "./handlers/run-seeds.ts"
import { CleanupStack } from "./parts/cleanup-stack.ts"
import { openBus } from "./parts/open-bus.ts"
import { type OpenDatabase, openDatabase } from "./parts/open-database.ts"
import { OpenFiles } from "./parts/open-files.ts"
import { openIdentity } from "./parts/open-identity.ts"
import { OpenJobs } from "./parts/open-jobs.ts"
import { type OpenKeyValues, openKeyValues } from "./parts/open-key-values.ts"
import { OpenLive } from "./parts/open-live.ts"
import { type OpenMail, openMail } from "./parts/open-mail.ts"
import { startTables, trustTables } from "./parts/prepare-tables.ts"

/** A running app. */
export interface App {
  readonly schema: AppSchema
  readonly basePath: string
  /** The author's routes, sorted by title. */
  readonly routes: readonly CompiledRoute[]
  /** One sentence that describes the database in use, for logs and the terminal. */
  readonly databaseNote: string
  readonly syncReport: SyncReport
  readonly migrationReport: MigrationReport
  /** Serves the API as a web-standard function from `Request` to `Response`. */
  readonly handler: FetchHandler
  /** Serves the API for HTTP servers that do not create a `Request` object for each call. */
  readonly handle: CallHandler
  /** True if the URL's path lies below the app's base path; the host framework handles all other URLs. */
  serves(url: string): boolean
  /** Returns operations with the rights of this session, or of an anonymous caller if the session is null. */
  as(session: Session | null): AppApi
  /** Operations that bypass every rule. */
  readonly system: SystemApi
  /** Creates users who can sign in. */
  readonly users: UserAccounts
  readonly email: Mailer
  readonly kv: KeyValues
  /** Publishes jobs outside of any transaction and on behalf of no user. */
  readonly queue: RegisteredQueue
  /** Publishes events to channels, outside of any transaction. */
  readonly channels: RegisteredChannels
  /** Runs jobs in this process, including the framework's own jobs, until `stopWorker` or `stop` is called. */
  startWorker(): Promise<void>
  /** Takes no more jobs and waits some seconds for running jobs. Longer jobs are left to other workers. */
  stopWorker(): Promise<void>
  /** Runs the seeds that have not run on this database; resolves to the names of the seeds that ran. */
  seed(seeds: readonly NamedSeed[]): Promise<readonly string[]>
  /** Ends all live streams and refuses new streams. This is the first step of stopping a server. */
  endStreams(): void
  /** Stops the worker, disposes services, sends queued mail, closes the database. Call it after all requests ended. */
  stop(): Promise<void>
}

const DEFAULT_NAME = "kit"

/** Compiles the app, opens its database and syncs the tables, and returns the app ready to handle requests. */
export async function createApp(definition: AppDefinition): Promise<App> {
  return (await openApp(definition)).app
}

/** An app with the internals that only the framework uses. */
export interface OpenedApp {
  readonly app: App
  readonly database: Database
  readonly databaseUrl: string
  readonly jobs: OpenJobs
  readonly identity: Identity | undefined
}

/** The parts of an app that tests can replace. */
interface TestOverrides {
  /** Provides a database that already has the schema's tables. */
  prepareDatabase?(schema: AppSchema): Promise<ChosenDatabase>
  /** Returns the provider that reads sessions in place of the app's own provider. */
  wrapSessions?(own: SessionProvider): SessionProvider
  /** Wraps every call of a job's handler: runs `call` and returns its result. */
  callHandler?<Result>(call: () => Result): Result
}

/** Opens an app like `createApp`, and returns its internals too. */
export async function openApp(definition: AppDefinition, seams: TestOverrides = {}): Promise<OpenedApp> {
  const cache = new SessionCache()
  const storage = new OpenFiles(definition)
  const frameworkHooks = { users: identityHooks(cache), files: storage.hooksOf.bind(storage) }
  const compiled = await checkApp({ ...definition, frameworkHooks })
  const prepared = seams.prepareDatabase?.(compiled.schema)
  const drivers = await chooseDrivers(prepared ? { ...definition, database: prepared } : definition)
  const opened = new CleanupStack()
  opened.add(() => drivers.release())
  let live: OpenLive | undefined
  const onChanges = () => live?.notifyCommitted()
  const state = openDatabase({ drivers, ...compiled, files: () => storage.store, onChanges })
  const { database } = state
  opened.add(() => database.close())
  const bus = startBus(definition, { drivers, database })
  opened.add(() => bus.close())
  try {
    const { logger } = drivers
    const reports = await (prepared ? trustTables(state) : startTables(definition, { ...compiled, state, logger }))
    const returnsOldRows = await canReturnOldRows(database)
    const own = (): SessionProvider => identity?.sessions ?? drivers.sessions ?? ANONYMOUS_SESSIONS
    const sessions = () => seams.wrapSessions?.(own()) ?? own()
    const mail = startMail(definition, { ...compiled, drivers, database })
    opened.add(() => mail.close())
    const kv = startKeyValues(definition, { drivers, database })
    opened.add(() => kv.close())
    const kept = { ...compiled, database, logger, watch: state.storage }
    const files = storage.open({ ...kept, now: definition.now ?? systemClock })
    const jobs = startJobs(definition, { ...compiled, drivers, database, state, bus, kv, files })
    const scheduleTransition: ScheduleTransition = (connection, payload, startAfter) => {
      requireLoadableSession(sessions(), payload)
      return jobs.publishInternal(connection, { job: TRANSITION_JOB.definition, payload, options: { startAfter } })
    }
    const outside = { sessions, mail, kv, publishers: jobs.publishers, scheduleTransition }
    const parts = { ...compiled, drivers, database, state, returnsOldRows, ...outside }
    const { engine, contexts } = startEngine(definition, parts)
    const callJob = (run: JobRun) =>
      run.job === TRANSITION_JOB.definition
        ? runPendingTransition({ engine, logger, sessions }, run)
        : callJobHandler({ engine, contexts, logger }, run)
    const runJob = (run: JobRun) => seams.callHandler?.(() => callJob(run)) ?? callJob(run)
    const basePath = basePathOf(definition.config)
    const sendMail = mail.mailers.on(database).send
    const identity = openIdentity({ config: definition.config, engine, drivers, cache, basePath, sendMail })
    opened.add(() => identity?.drain())
    opened.add(() => contexts.dispose())
    const forgetSessions = identity && ((ids: ReadonlySet<string>) => cache.forgetUsers(ids))
    const listeners = { sessions: sessions(), forgetSessions, config: definition.config.realtime }
    const secret = streamSecretOf(definition, drivers)
    live = new OpenLive({ ...drivers, ...listeners, secret, engine, database, bus, channels: compiled.channels })
    opened.add(() => live?.close())
    opened.add(() => jobs.stopWorker())
    const worker = { startWorker: () => jobs.startWorker(runJob), stopWorker: () => jobs.stopWorker() }
    const callers = { ...compiled, sessions: sessions(), files, live: live.calls }
    const open = { ...callers, engine, drivers, database, state, identity, basePath, mail, kv, jobs }
    const app = {
      ...createHttpApi(definition, open),
      ...createServerApi(open),
      ...reports,
      ...worker,
      endStreams: () => live?.endStreams(),
      stop: () => opened.close(),
    }
    return { app, database, databaseUrl: drivers.postgres.url, jobs, identity }
  } catch (error) {
    // Ignores errors while closing, because the author needs the error that made the start fail.
    await opened.close().catch(() => undefined)
    throw error
  }
}

interface AppDependencies extends CompiledDefinition {
  readonly drivers: Drivers
  readonly database: Database
  readonly state: OpenDatabase
  readonly returnsOldRows: boolean
  /** Returns the session provider; a function, because the provider is created after the engine, which it needs. */
  sessions(): SessionProvider
  readonly mail: OpenMail
  readonly kv: OpenKeyValues
  readonly publishers: OpenJobs["publishers"]
  readonly scheduleTransition: ScheduleTransition
}

function startBus(
  { config }: AppDefinition,
  { drivers, database }: Pick<AppDependencies, "drivers" | "database">,
): MessageBus {
  const { postgres, logger } = drivers
  const onError = (error: Error) => logger.warn("The connection of the message bus is lost; reconnecting.", { error })
  return openBus({ config: config.bus, url: postgres.url, connection: database, onError })
}

function startMail(
  definition: AppDefinition,
  parts: Pick<AppDependencies, "emails" | "drivers" | "database">,
): OpenMail {
  const { config, mode, now = systemClock } = definition
  const { emails, drivers, database } = parts
  return openMail({ config, mode: chooseMode(mode), emails, database, logger: drivers.logger, now })
}

function startKeyValues(
  definition: AppDefinition,
  parts: Pick<AppDependencies, "drivers" | "database">,
): OpenKeyValues {
  const { config, now = systemClock } = definition
  const { drivers, database } = parts
  return openKeyValues({ config: config.kv, database, logger: drivers.logger, now })
}

type JobsDependencies = Pick<
  AppDependencies,
  "schema" | "jobs" | "channels" | "drivers" | "database" | "state" | "kv"
> &
  Pick<AppComponents, "files"> & { readonly bus: MessageBus }

function startJobs(
  definition: AppDefinition,
  { schema, jobs, channels, drivers, ...parts }: JobsDependencies,
): OpenJobs {
  const { config, now = systemClock } = definition
  const { postgres, logger } = drivers
  const internal = internalJobs({ ...parts, hasChannels: channels.size > 0 })
  const hasTransitions = schema.stages.length > 0
  return new OpenJobs({
    config: config.queue,
    jobs,
    internal,
    hasTransitions,
    postgres,
    bus: parts.bus,
    database: parts.database,
    logger,
    now,
    canRunJobs: parts.state.canRunJobs,
  })
}

function startEngine(
  definition: AppDefinition,
  { schema, services, drivers, database, state, sessions, ...outside }: AppDependencies,
) {
  const { config, now = systemClock } = definition
  const { logger, hasShortcuts } = drivers
  const { returnsOldRows, scheduleTransition } = outside
  const app = Object.freeze({
    name: config.app?.name ?? DEFAULT_NAME,
    url: config.app?.url,
    basePath: basePathOf(config),
  })
  const contexts: HandlerContexts = buildHandlerContexts({
    app,
    logger,
    services,
    mailers: outside.mail.mailers,
    kv: outside.kv,
    publishers: outside.publishers,
    channels: createChannelPublishers(outside.channels),
    tableNames: linkTableAliases(schema),
    loadSession: (id) => sessions().load?.(id),
    rootContext: () => engine.contextFor(null),
  })
  const { handlerFor } = contexts
  const shortcuts = { hasShortcuts, returnsOldRows, maxAnswerBytes: answerLimit(config) }
  const watched = { database, tables: state.tables, checkInBackground: state.checkInBackground }
  const limited = { ...shortcuts, filterLimits: filterLimits(config) }
  const engine = createEngine({ schema, ...watched, logger, ...limited, now, handlerFor, scheduleTransition })
  return { engine, contexts }
}

function systemClock(): Date {
  return new Date()
}

interface AppComponents {
  readonly engine: Engine
  readonly drivers: Drivers
  readonly database: Database
  readonly state: OpenDatabase
  readonly identity: Identity | undefined
  readonly sessions: SessionProvider
  readonly basePath: string
  readonly routes: readonly CompiledRoute[]
  readonly mail: OpenMail
  readonly kv: OpenKeyValues
  readonly jobs: OpenJobs
  readonly files: StoredFiles
  readonly live: LiveCalls
  readonly channels: CompiledChannels
}

function createHttpApi(definition: AppDefinition, { engine, drivers, identity, sessions, ...open }: AppComponents) {
  const { basePath, routes, files, live, channels } = open
  const links = new SignedLinks(secretOf(definition, drivers))
  const { logger, databaseNote } = drivers
  const { countUser, wrap } = protectionOf(definition, basePath)
  const parts = {
    engine,
    sessions,
    logger,
    basePath,
    countUser,
    identity,
    routes,
    files,
    links,
    live,
    channels,
    ...callerAddresses(definition.config.limits?.trustedProxies ?? 0),
    checkReady: open.state.checkReady,
    mailKeeper: open.mail.keeper,
  }
  const handle = wrap(createHandler({ ...parts, ...bodyLimits(definition.config) }))
  const serves = (url: string) => isBelow(basePath, url)
  return { basePath, routes, databaseNote, handle, handler: toFetchHandler(handle), serves }
}

const ANONYMOUS_SESSIONS: SessionProvider = { read: () => null }

function protectionOf({ config, mode, now = systemClock }: AppDefinition, basePath: string): Protection {
  return createProtection({
    appUrl: config.app?.url,
    origins: config.cors?.origins,
    isDevelopment: chooseMode(mode) === "development",
    rate: config.limits?.rate ?? {},
    trustedProxies: config.limits?.trustedProxies ?? 0,
    basePath,
    now,
  })
}

function createServerApi({ engine, database, identity, mail, kv, jobs, channels }: AppComponents) {
  const usersOn = (connection: Connection) => identity?.usersOn(connection) ?? NO_USERS
  return {
    schema: engine.schema,
    as: (session: Session | null) => typed(engine.as(session)),
    system: typedSystem(engine.system),
    users: usersOn(database),
    email: mail.mailers.on(database),
    kv: kv.on(database),
    queue: jobs.publishers.at({ connection: database, publishedBy: null }),
    channels: createChannelPublishers(channels).on(database),
    seed: (seeds: readonly NamedSeed[]) =>
      runSeeds(database, seeds, (connection) => ({
        ...typedSystem(engine.systemOn(connection)),
        users: usersOn(connection),
      })),
  }
}

const NO_USERS: UserAccounts = {
  create: () =>
    Promise.reject(new Error('There are no users: "sessions" in kit.config.ts takes the place of identity.')),
}

// The cast is safe: the generated types describe exactly the collections and globals of the compiled schema.
function typed(api: LocalApi): AppApi {
  return api as unknown as AppApi
}

// The cast is safe: the generated types describe exactly the collections and globals of the compiled schema.
function typedSystem(api: LocalApi): SystemApi {
  return api as unknown as SystemApi
}
