import { performance } from "node:perf_hooks"
import { setTimeout as delay } from "node:timers/promises"
import type { AppDefinition, ChosenDatabase } from "../../app/app-definition.ts"
import { type App, createApp } from "../../app/create-app.ts"
import { chooseDatabase } from "../../app/defaults.ts"
import { type NodeServer, startNodeServer } from "../../drivers/node-server.ts"
import { readArguments, readPort, UsageError } from "../arguments.ts"
import { type LoadedApp, loadApp, loadConfig } from "../load-app.ts"
import { readMigrations } from "../migration-files.ts"
import { showProgress, showShare, showTableChanges } from "../show.ts"
import { stopOnSignal } from "../stop-on-signal.ts"
import { summaryOf } from "../summary.ts"

const OPTIONS = {
  port: { type: "string" },
  host: { type: "string" },
  seed: { type: "boolean" },
  generate: { type: "boolean" },
  sync: { type: "boolean" },
  development: { type: "boolean" },
} as const

// A worker opens connections of its own; whoever waits for this start comes first, and jobs have waited longer.
const WORKER_DELAY_MS = 250

/** Serves the app until it is told to stop. */
export async function start(args: readonly string[]): Promise<void> {
  const { values } = readArguments(args, OPTIONS)
  const port = readPort(values["port"])
  const root = process.cwd()
  const { loaded, app } = await openApp(root, {
    migrations: values["sync"] ? [] : await readMigrations(root),
    ...(values["development"] && { mode: "development" }),
  })
  if (values["generate"]) await generateFor(loaded)
  if (values["seed"]) await seedApp(app, loaded)
  const server = await listen(app, { port, host: String(values["host"] ?? "localhost") })
  const stopping = new AbortController()
  const stop = async () => {
    stopping.abort()
    await Promise.all([server.stop(), app.stopWorker()])
    await app.stop()
  }
  stopOnSignal(stop)
  showTableChanges(app)
  for (const line of summaryOf(app, { ...loaded, port: server.port })) showProgress(line)
  showProgress(`ready in ${(performance.now() / 1000).toFixed(2)} s`)
  if (!(loaded.config.queue?.worker ?? true)) return
  await delay(WORKER_DELAY_MS)
  if (!stopping.signal.aborted) await startWorker(app, stop)
}

/** A worker that cannot start is no small matter: nothing that the app publishes would be done. */
export async function startWorker(app: App, stop: () => Promise<void>): Promise<void> {
  try {
    await app.startWorker()
  } catch (error) {
    await stop()
    throw error
  }
}

// Loaded when asked for: most starts write nothing.
async function generateFor(loaded: LoadedApp): Promise<void> {
  const { writeGenerated } = await import("./generate.ts")
  await writeGenerated(loaded)
}

/** Loads and opens the app, with its database coming up meanwhile. */
export async function openApp(
  root: string,
  options: Pick<AppDefinition, "migrations" | "mode">,
): Promise<{ loaded: LoadedApp; app: App }> {
  const settings = await loadConfig(root)
  const database = chooseDatabase({ config: settings.config, root, onProgress: showProgress })
  const loaded = await loadApp(root, settings).catch(async (error) => {
    await releaseIfStarted(database)
    throw error
  })
  return { loaded, app: await createApp({ ...loaded, ...options, database, onProgress: showProgress }) }
}

// What is wrong with the files comes first; a database that failed besides is heard of at the next start.
function releaseIfStarted(database: Promise<ChosenDatabase>): Promise<void> {
  return database.then(
    (started) => started.release(),
    () => {},
  )
}

async function listen(app: App, address: { port: number; host: string }): Promise<NodeServer> {
  try {
    return await startNodeServer(app.handle, address)
  } catch (error) {
    await app.stop()
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE"
    if (!isTaken) throw error
    throw new UsageError(`Port ${address.port} is taken. Choose another with --port.`, { cause: error })
  }
}

/** Runs the seeds that the database has not had yet, showing how far they are. */
export async function seedApp(app: App, { seeds }: LoadedApp): Promise<void> {
  const ran = await app.seed(seeds.map((seed) => ({ ...seed, progress: showShare })))
  for (const name of ran) showProgress(`seeded ${name}`)
}
