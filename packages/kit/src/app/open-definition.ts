import type { App } from "./app.ts"
import { createApp } from "./create-app.ts"
import type { AppDefinition } from "./definition/app-definition.ts"
import { readMigrations } from "./definition/migration-files.ts"

/** The declarations in the author's files. */
export type AppDeclarations = Pick<
  AppDefinition,
  "config" | "resources" | "routes" | "services" | "emails" | "jobs" | "channels"
>

export interface OpenOptions extends Partial<Pick<AppDefinition, "root" | "mode" | "migrations" | "onProgress">> {
  /** True if this process also runs jobs. Otherwise `kit worker` or another process has to run them. */
  readonly worker?: boolean
}

/**
 * Opens an app without the command line, as `openApp` in the generated `src/generated/app.ts` does. The app's folder is
 * the current folder unless `root` is set, and its migrations are in `src/migrations`.
 */
export async function openDefinition(
  parts: AppDeclarations,
  { worker = false, ...options }: OpenOptions = {},
): Promise<App> {
  const root = options.root ?? process.cwd()
  const migrations = options.migrations ?? (await readMigrations(root))
  const app = await createApp({ ...parts, ...options, root, migrations })
  if (worker) await startWorkerOrStop(app)
  return app
}

// Starts the worker, or stops the app if the start fails: the caller has requested a worker, so the app must not run
// without it.
async function startWorkerOrStop(app: App): Promise<void> {
  try {
    await app.startWorker()
  } catch (error) {
    await app.stop()
    throw error
  }
}
