import { performance } from "node:perf_hooks"
import { setTimeout as delay } from "node:timers/promises"
import type { App } from "../../app/app.ts"
import type { DevHooks } from "../../app/app-inputs.ts"
import { chooseDatabase, chooseLogLevel } from "../../app/config/defaults.ts"
import { chooseDrainMs } from "../../app/config/durations.ts"
import { createAppWith } from "../../app/create-app.ts"
import type { AppDefinition, ChosenDatabase } from "../../app/definition/app-definition.ts"
import { readMigrations } from "../../app/definition/migration-files.ts"
import { requireWebFolder, webPathsOf } from "../../app/parts/files/web-folder.ts"
import { pinoLogger } from "../../drivers/log/pino-logger.ts"
import { type NodeServer, startNodeServer } from "../../drivers/node/server.ts"
import type { Logger } from "../../ports/logger.ts"
import { seedApp } from "../database/seed-app.ts"
import { waitForDatabase } from "../database/wait-for-database.ts"
import { isStartedByDev, reportToDev } from "../dev/dev-reports.ts"
import { type FollowedStatus, followDev, waitForTurn } from "../dev/dev-turn.ts"
import { type Address, listenRefusal } from "../project/listen-refusal.ts"
import { type LoadedApp, loadApp, loadConfig } from "../sources/load-app.ts"
import { sourceModules } from "../sources/source-modules.ts"
import { type CommandArguments, CommandFailure, readHost, readPort } from "../terminal/arguments.ts"
import { explainFailure } from "../terminal/explain-failure.ts"
import { handleUncaughtErrors } from "../terminal/handle-uncaught-errors.ts"
import { readableLogger } from "../terminal/readable-log.ts"
import { showLine, showTableChanges } from "../terminal/show.ts"
import { printJson } from "../terminal/standard-output.ts"
import { exitWithStarter, type Shutdown, stopOnSignal } from "../terminal/stop-on-signal.ts"
import { type SummaryInput, summaryOf, urlOf } from "../terminal/summary.ts"

// The worker starts after a delay, because it opens connections of its own. Requests go first, since jobs can wait.
const WORKER_DELAY_MS = 250
const WORKER_RETRY_MS = 2_000
// How long active requests may take to finish after the time in which requests drain. A process exits within ten
// seconds.
const STOP_TIMEOUT_MS = 8_000
// The number of stack frames in an error. The stack from an author's hook through kit to the author's call has more
// than Node's default of ten frames.
const STACK_FRAMES = 50

/** Serves the app until a signal stops it. */
export async function start(given: CommandArguments): Promise<void> {
  await serve(given).catch(async (error: unknown) => {
    await reportToDev({ failure: explainFailure(error) })
    throw error
  })
}

async function serve({ values }: CommandArguments): Promise<void> {
  const port = readPort(values["port"])
  exitWithStarter()
  const devStatus = followDev()
  const { loaded, app, logger, isEmbedded } = await openApp(process.cwd(), {
    beforeOpen: async (database, { config, logger }) => {
      await requirePages({ config, root: process.cwd() })
      await waitForDatabase(database, { config, logger })
    },
    ...(values["sync"] && { migrations: [] }),
    ...(values["development"] && forDevelopment(devStatus)),
  })
  // A build is served without generating types: `kit build` has checked them, and the sources may not be on this
  // machine.
  if (values["generate"] && !loaded.isBuilt) await generateFor(loaded)
  if (values["seed"]) await seed(app, loaded, devStatus)
  const isDevelopment = values["development"] === true
  const drainMs = isDevelopment ? 0 : chooseDrainMs(loaded.config)
  const server = await listen(app, { port, host: readHost(values["host"]) })
  const stopping = new AbortController()
  handleUncaughtErrors({ logger, end: stopOnSignal(shutdownOf(app, { server, stopping, drainMs })) })
  showTableChanges(app)
  await announce(app, { ...loaded, port: server.port, isDevelopment, isEmbedded, isJson: values["json"] === true })
  if (loaded.config.queue?.worker ?? true) await startWorkerSoon({ app, logger }, stopping.signal)
}

// `kit dev` tries again as soon as the web pages have been built.
async function requirePages(served: Parameters<typeof requireWebFolder>[0]): Promise<void> {
  await requireWebFolder(served).catch(async (error: unknown) => {
    await reportToDev({ awaited: webPathsOf(served) })
    throw error
  })
}

interface Serving {
  readonly server: NodeServer
  readonly stopping: AbortController
  readonly drainMs: number
}

function shutdownOf(app: App, { server, stopping, drainMs }: Serving): Shutdown {
  return {
    drain: async () => {
      app.turnNotReady()
      stopping.abort()
      // Jobs get the time in which requests drain, too. `stop` waits for the worker, and reports its failure.
      app.stopWorker().catch(() => {})
      if (drainMs > 0) await server.drain(drainMs)
    },
    stop: async () => {
      stopping.abort()
      await Promise.all([server.stop(), app.stopWorker()])
      await app.stop()
    },
  }
}

// Logs readable text instead of JSON, because in development a person reads the output.
function forDevelopment(devStatus: FollowedStatus) {
  const logger = readableLogger(chooseLogLevel(), (text) => void process.stdout.write(text))
  return { mode: "development", logger, devHooks: { devStatus, beforeTableChanges: waitForTurn } } as const
}

// Runs the seeds. If `kit dev` started this process, a seed that fails does not end it: the app is served without the
// seed's records, and the seed runs again after the next change.
async function seed(app: App, loaded: LoadedApp, devStatus: FollowedStatus): Promise<void> {
  await seedApp(app, loaded).catch((error: unknown) => {
    if (!isStartedByDev()) throw error
    devStatus.mistake = explainFailure(error)
    process.stderr.write(`${devStatus.mistake}\n`)
  })
}

interface StartedApp extends SummaryInput {
  readonly isEmbedded: boolean
  readonly isJson: boolean
}

// Prints the start's summary. If `kit dev` started this process, sends it the summary instead, and `kit dev` prints
// only the lines that have changed.
async function announce(app: App, { isJson, isDevelopment, isEmbedded, ...started }: StartedApp): Promise<void> {
  const readySeconds = Number((performance.now() / 1000).toFixed(2))
  const { port, isBuilt } = started
  if (isJson) printJson({ url: urlOf(app, port), port, database: app.databaseNote, isBuilt, readySeconds })
  const summary = await summaryOf(app, { ...started, isDevelopment })
  const ready = `ready in ${readySeconds.toFixed(2)} s`
  if (isDevelopment && isStartedByDev()) return void reportToDev({ summary, ready, isEmbedded })
  for (const { text } of summary) showLine(text)
  showLine(ready)
}

// Retries until the worker runs: a short database outage must not end the server, and published jobs must not be left
// without a worker.
async function startWorkerSoon(
  { app, logger }: Pick<OpenedApp, "app" | "logger">,
  stopping: AbortSignal,
): Promise<void> {
  for (let pauseMs = WORKER_DELAY_MS; ; pauseMs = WORKER_RETRY_MS) {
    await delay(pauseMs)
    if (stopping.aborted) return
    const failure = await app.startWorker().then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    if (failure === undefined || stopping.aborted) return
    logger.warn("The worker could not start. It is retried until it runs.", failure)
    await app.stopWorker()
  }
}

// Imports the generator on demand, because most starts generate nothing.
async function generateFor(loaded: LoadedApp): Promise<void> {
  const { writeGenerated } = await import("./generate.ts")
  await writeGenerated(loaded)
}

interface OpenOptions extends Pick<AppDefinition, "migrations" | "mode"> {
  /** The logger for an app that configures none, in place of the default logger. */
  readonly logger?: Logger
  /** The connection to the `kit dev` that has started this process. */
  readonly devHooks?: DevHooks
  /** Awaited before the app uses its database. */
  readonly beforeOpen?: typeof waitForDatabase
}

interface OpenedApp {
  readonly loaded: LoadedApp
  readonly app: App
  readonly logger: Logger
  readonly isEmbedded: boolean
}

/** Loads and opens the app, while its database starts in parallel. */
export async function openApp(
  root: string,
  { logger: usual, devHooks = {}, beforeOpen, ...options }: OpenOptions = {},
): Promise<OpenedApp> {
  Error.stackTraceLimit = STACK_FRAMES
  const settings = await loadConfig(
    root,
    options.mode === "development" ? sourceModules(root, reportInputs) : undefined,
  )
  const migrations = options.migrations ?? (await readMigrations(root, settings.appModules.migrationsFolder))
  // Without any app files, this call throws an error, so that no database is created in a folder without an app.
  if ((await settings.appModules.files()).length === 0) await loadApp(root, settings)
  const database = chooseDatabase({ config: settings.config, root, onProgress: showLine })
  // Avoids an unhandled rejection, because the promise may reject before it is awaited. The code that awaits it still
  // gets the error.
  database.catch(() => {})
  const loaded = await loadApp(root, settings).catch(async (error) => {
    await releaseIfStarted(database)
    throw error
  })
  const logger = loaded.config.logger ?? usual ?? pinoLogger(chooseLogLevel())
  const config = { ...loaded.config, logger }
  await beforeOpen?.(await database, { config, logger })
  const definition = { ...loaded, ...options, config, migrations, database, onProgress: showLine }
  return { loaded, app: await createAppWith(definition, devHooks), logger, isEmbedded: (await database).isEmbedded }
}

// Reports the source files to `kit dev`, which watches them even if the app cannot start.
function reportInputs(inputs: readonly string[]): void {
  void reportToDev({ inputs })
}

// Releases the database after the app could not be loaded. If the database could not be started either, that error is
// ignored here, and the next start reports it.
function releaseIfStarted(database: Promise<ChosenDatabase>): Promise<void> {
  return database.then(
    (started) => started.release(),
    () => {},
  )
}

async function listen(app: App, address: Address): Promise<NodeServer> {
  try {
    return await startNodeServer(app.handle, { ...address, stopTimeoutMs: STOP_TIMEOUT_MS })
  } catch (error) {
    await app.stop()
    const refusal = listenRefusal(error, address)
    if (refusal === undefined) throw error
    throw new CommandFailure(refusal, { cause: error })
  }
}
