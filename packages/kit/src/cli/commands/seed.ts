import { openApp, seedApp } from "./start.ts"

/** Runs the seeds that the database has not had yet. */
export async function seed(): Promise<void> {
  const { loaded, app } = await openApp(process.cwd())
  try {
    await seedApp(app, loaded)
  } finally {
    await app.stop()
  }
}
