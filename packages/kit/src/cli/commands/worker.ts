import { waitForDatabase } from "../database/wait-for-database.ts"
import { handleUncaughtErrors } from "../terminal/handle-uncaught-errors.ts"
import { showLine, showTableChanges } from "../terminal/show.ts"
import { exitWithStarter, stopOnSignal } from "../terminal/stop-on-signal.ts"
import { openApp } from "./start.ts"

/** Runs the app's jobs until a signal stops the process, without serving requests. */
export async function worker(): Promise<void> {
  exitWithStarter()
  const { loaded, app, logger } = await openApp(process.cwd(), { beforeOpen: waitForDatabase })
  const stop = () => app.stop()
  handleUncaughtErrors({ logger, end: stopOnSignal({ stop }) })
  showTableChanges(app)
  await app.startWorker().catch(async (error: unknown) => {
    await stop()
    throw error
  })
  const names = loaded.jobs.map(({ definition }) => definition.name)
  showLine(`working on ${names.join(", ") || "the framework's own jobs"}    ${app.databaseNote}`)
}
