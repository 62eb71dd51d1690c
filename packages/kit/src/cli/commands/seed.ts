import { createApp } from "../../app/create-app.ts"
import { loadApp } from "../load-app.ts"
import { showProgress } from "../show.ts"
import { seedApp } from "./start.ts"

/** Runs the seeds that the database has not had yet. */
export async function seed(): Promise<void> {
  const loaded = await loadApp(process.cwd())
  const app = await createApp({ ...loaded, onProgress: showProgress })
  try {
    await seedApp(app, loaded)
  } finally {
    await app.stop()
  }
}
