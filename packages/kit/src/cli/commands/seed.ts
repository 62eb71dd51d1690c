import { readMigrations } from "../migration-files.ts"
import { openApp, seedApp } from "./start.ts"

/** Runs the seeds that the database has not had yet. */
export async function seed(): Promise<void> {
  const root = process.cwd()
  const { loaded, app } = await openApp(root, { migrations: await readMigrations(root) })
  try {
    await seedApp(app, loaded)
  } finally {
    await app.stop()
  }
}
