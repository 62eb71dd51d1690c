import { type App, type Collection, createApp, type Global, type KitConfig } from "kit"
import { onTestFinished } from "vitest"
import { createTestDatabase, type TestDatabase } from "../test-database.ts"
import { sessions } from "./test-app.ts"

/** Starts an app on a database that other apps may have used before; it stops with the test. */
export function startOn(
  database: TestDatabase,
  sources: readonly (Collection<any> | Global<any>)[],
  config: KitConfig = {},
): Promise<App> {
  const resources = sources.map(({ definition }) => ({ file: `${definition.name}.ts`, definition }))
  const logger = { info: () => {}, warn: () => {}, error: () => {} }
  const started = createApp({
    resources,
    config: { logger, sessions, db: { url: database.url }, ...config },
    root: "/nowhere",
  })
  onTestFinished(async () => (await started.catch(() => undefined))?.stop())
  return started
}

/** Creates an empty database that is dropped with the test. */
export async function freshDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  return database
}
