import { readArguments } from "../arguments.ts"
import { readMigrations } from "../migration-files.ts"
import { showProgress, showTableChanges } from "../show.ts"
import { stopOnSignal } from "../stop-on-signal.ts"
import { openApp, startWorker } from "./start.ts"

/** Runs the jobs of the app until it is told to stop; others serve it. */
export async function worker(args: readonly string[]): Promise<void> {
  readArguments(args, {})
  const root = process.cwd()
  const { loaded, app } = await openApp(root, { migrations: await readMigrations(root) })
  const stop = () => app.stop()
  stopOnSignal(stop)
  showTableChanges(app)
  await startWorker(app, stop)
  const names = loaded.jobs.map(({ definition }) => definition.name)
  showProgress(`working on ${names.join(", ") || "the framework's own jobs"}    ${app.databaseNote}`)
}
