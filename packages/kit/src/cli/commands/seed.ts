import { seedApp } from "../database/seed-app.ts"
import { showLine } from "../terminal/show.ts"
import { openApp } from "./start.ts"

/** Runs the seeds that have not run on this database. */
export async function seed(): Promise<void> {
  const { loaded, app } = await openApp(process.cwd())
  try {
    const ran = await seedApp(app, loaded)
    if (loaded.seeds.length === 0) showLine("there are no seeds: add src/seeds/first.ts with export default seed(…)")
    else if (ran.length === 0) showLine("nothing to do: every seed has run")
  } finally {
    await app.stop()
  }
}
