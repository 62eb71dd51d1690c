import { performance } from "node:perf_hooks"
import { setTimeout as delay } from "node:timers/promises"
import { chooseDatabase, chooseLogLevel } from "../../app/config/defaults.ts"
import { type App, createApp } from "../../app/create-app.ts"
import type { AppDefinition, ChosenDatabase } from "../../app/definition/app-definition.ts"
import { pinoLogger } from "../../drivers/log/pino-logger.ts"
import { type NodeServer, startNodeServer } from "../../drivers/node/server.ts"
import type { Logger } from "../../ports/logger.ts"
import { seedApp } from "../database/seed-app.ts"
import { type Address, listenRefusal } from "../project/listen-refusal.ts"
import { isOfDev, tellDev } from "../project/tell-dev.ts"
import { type LoadedApp, loadApp, loadConfig } from "../sources/load-app.ts"
import { sourceModules } from "../sources/source-modules.ts"
import { type CommandArguments, CommandFailure, readHost, readPort } from "../terminal/arguments.ts"
import { outliveFailures } from "../terminal/outlive-failures.ts"
import { readableLogger } from "../terminal/readable-log.ts"
import { showProgress, showTableChanges } from "../terminal/show.ts"
import { printJson } from "../terminal/standard-output.ts"
import { endWithDev, stopOnSignal } from "../terminal/stop-on-signal.ts"
import { type Start, summaryOf, urlOf } from "../terminal/summary.ts"
import { readMigrations } from "./migration-files.ts"

// A worker opens connections of its own; whoever waits for this start comes first, and jobs have waited longer.
const WORKER_DELAY_MS = 250
const WORKER_RETRY_MS = 2_000
// The way from an author's hook through kit to the author's call is longer than the ten frames that Node keeps.
const STACK_FRAMES = 50

/** Serves the app until it is told to stop. */
export async function start({ values }: CommandArguments): Promise<void> {
  const port = readPort(values["port"])
  if (values["development"]) endWithDev()
  const { loaded, app, logger, isEmbedded } = await openApp(process.cwd(), {
    ...(values["sync"] && { migrations: [] }),
    ...(values["development"] && forDevelopment()),
  })
  // The types were checked when the build was made; its sources may be elsewhere.
  if (values["generate"] && !loaded.isBuilt) await generateFor(loaded)
  if (values["seed"]) await seedApp(app, loaded)
  const server = await listen(app, { port, host: readHost(values["host"]) })
  const stopping = new AbortController()
  const stop = async () => {
    stopping.abort()
    await Promise.all([server.stop(), app.stopWorker()])
    await app.stop()
  }
  outliveFailures({ logger, end: stopOnSignal(stop) })
  showTableChanges(app)
  const isDevelopment = values["development"] === true
  announce(app, { ...loaded, port: server.port, isDevelopment, isEmbedded, isJson: values["json"] === true })
  if (loaded.config.queue?.worker ?? true) await startWorkerSoon(app, stopping.signal)
}

// For a person who watches: the log is text.
function forDevelopment() {
  const logger = readableLogger(chooseLogLevel(), (text) => void process.stdout.write(text))
  return { mode: "development", logger } as const
}

interface Started extends Start {
  readonly isEmbedded: boolean
  readonly isJson: boolean
}

// `kit dev` is told, and shows what is news.
function announce(app: App, { isJson, isDevelopment, isEmbedded, ...started }: Started): void {
  const readySeconds = Number((performance.now() / 1000).toFixed(2))
  const { port, isBuilt } = started
  if (isJson) printJson({ url: urlOf(app, port), port, database: app.databaseNote, isBuilt, readySeconds })
  const summary = summaryOf(app, { ...started, isDevelopment })
  const ready = `ready in ${readySeconds.toFixed(2)} s`
  if (isDevelopment && isOfDev()) return void tellDev({ summary, ready, isEmbedded })
  for (const { text } of summary) showProgress(text)
  showProgress(ready)
}

// A database that is away for a moment must not end the server, and nothing that is published may be left undone.
async function startWorkerSoon(app: App, stopping: AbortSignal): Promise<void> {
  for (let pauseMs = WORKER_DELAY_MS; ; pauseMs = WORKER_RETRY_MS) {
    await delay(pauseMs)
    if (stopping.aborted) return
    const failure = await app.startWorker().then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    if (failure === undefined || stopping.aborted) return
    process.stderr.write(`The worker could not start, and is started again: ${failure.error}\n`)
    await app.stopWorker()
  }
}

// Loaded when asked for: most starts write nothing.
async function generateFor(loaded: LoadedApp): Promise<void> {
  const { writeGenerated } = await import("./generate.ts")
  await writeGenerated(loaded)
}

interface OpenOptions extends Pick<AppDefinition, "migrations" | "mode"> {
  /** In place of the usual one, where the app names none. */
  readonly logger?: Logger
}

interface OpenedApp {
  readonly loaded: LoadedApp
  readonly app: App
  readonly logger: Logger
  readonly isEmbedded: boolean
}

/** Loads and opens the app, with its database coming up meanwhile. */
export async function openApp(root: string, { logger: usual, ...options }: OpenOptions = {}): Promise<OpenedApp> {
  Error.stackTraceLimit = STACK_FRAMES
  const settings = await loadConfig(root, options.mode === "development" ? sourceModules(root, tellInputs) : undefined)
  const migrations = options.migrations ?? (await readMigrations(root, settings.from.migrationsFolder))
  // Where there is no app this fails, and no database is left behind.
  if ((await settings.from.files()).length === 0) await loadApp(root, settings)
  const database = chooseDatabase({ config: settings.config, root, onProgress: showProgress })
  // It may fail before anybody waits for it; whoever does hears of it then.
  database.catch(() => {})
  const loaded = await loadApp(root, settings).catch(async (error) => {
    await releaseIfStarted(database)
    throw error
  })
  const logger = loaded.config.logger ?? usual ?? pinoLogger(chooseLogLevel())
  const config = { ...loaded.config, logger }
  const definition = { ...loaded, ...options, config, migrations, database, onProgress: showProgress }
  return { loaded, app: await createApp(definition), logger, isEmbedded: (await database).isEmbedded }
}

// `kit dev` watches them, also those of an app that cannot start.
function tellInputs(inputs: readonly string[]): void {
  tellDev({ inputs })
}

// What is wrong with the files comes first; a database that failed besides is heard of at the next start.
function releaseIfStarted(database: Promise<ChosenDatabase>): Promise<void> {
  return database.then(
    (started) => started.release(),
    () => {},
  )
}

async function listen(app: App, address: Address): Promise<NodeServer> {
  try {
    return await startNodeServer(app.handle, address)
  } catch (error) {
    await app.stop()
    const refusal = listenRefusal(error, address)
    if (refusal === undefined) throw error
    throw new CommandFailure(refusal, { cause: error })
  }
}
