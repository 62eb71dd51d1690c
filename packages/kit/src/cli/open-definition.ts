import { type App, createApp } from "../app/create-app.ts"
import type { AppDefinition } from "../app/definition/app-definition.ts"
import { readMigrations } from "./commands/migration-files.ts"

/** What the author's files declare. */
export type AppParts = Pick<
  AppDefinition,
  "config" | "resources" | "routes" | "services" | "emails" | "jobs" | "channels"
>

export interface OpenOptions extends Partial<Pick<AppDefinition, "root" | "mode" | "migrations" | "onProgress">> {
  /** Whether this process also runs jobs; without it, `kit worker` or another process has to. */
  readonly worker?: boolean
}

/**
 * Opens an app without its command line: what `openApp` of the generated `src/generated/app.ts` does. The folder of the
 * app is the current one unless `root` says otherwise, and its migrations are those in `src/migrations`.
 */
export async function openDefinition(parts: AppParts, { worker = false, ...options }: OpenOptions = {}): Promise<App> {
  const root = options.root ?? process.cwd()
  const migrations = options.migrations ?? (await readMigrations(root))
  const app = await createApp({ ...parts, ...options, root, migrations })
  if (worker) await startWorkerOrStop(app)
  return app
}

// An app whose jobs nobody runs is not what was asked for.
async function startWorkerOrStop(app: App): Promise<void> {
  try {
    await app.startWorker()
  } catch (error) {
    await app.stop()
    throw error
  }
}
