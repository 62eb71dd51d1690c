import { randomBytes } from "node:crypto"
import { resolve } from "node:path"
import { createClient } from "kit/client"
import type { TestProject } from "vitest/node"
import { startChromium } from "../../browser/support/chromium.ts"
import { KitProcess } from "../../support/processes/kit-process.ts"
import { createTestDatabase } from "../../support/test-database.ts"
import { PASSWORD } from "./people.ts"

const cwd = resolve("test/fixtures/console-app")

/** How many rows the long list has, and how many links and items the records with many of them. */
const VOLUME = { readings: 10_000, links: 1_000 }

declare module "vitest" {
  interface ProvidedContext {
    /** The origin of the app whose console is tested. */
    readonly consoleOrigin: string
    /** The address at which playwright reaches the browser. */
    readonly chromiumAddress: string
  }
}

/** Starts the app of the tests with its data, as in production, and one browser for all of them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const database = await createTestDatabase()
  const env = {
    DATABASE_URL: database.url,
    KIT_SECRET: randomBytes(32).toString("base64"),
    NODE_ENV: "production",
  }
  const server = new KitProcess(["start", "--seed", "--port", "0"], { cwd, env })
  const [origin] = await server.printed(/http:\/\/localhost:\d+/)
  await fill(origin)
  const chromium = await startChromium()
  project.provide("consoleOrigin", origin)
  project.provide("chromiumAddress", chromium.address)
  return async () => {
    await chromium[Symbol.asyncDispose]()
    await server.stop()
    await database.drop()
  }
}

async function fill(origin: string): Promise<void> {
  const client = createClient({ baseURL: origin, basePath: "/api" })
  const { token } = await client.auth.signIn({ email: "admin@example.com", password: PASSWORD })
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const answer = await fetch(`${origin}/api/fill`, { method: "POST", headers, body: JSON.stringify(VOLUME) })
  if (!answer.ok) throw new Error(await answer.text())
}
