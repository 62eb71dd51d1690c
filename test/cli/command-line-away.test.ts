// @module-tag not-about-engine
// @module-tag experiment

import { expect, onTestFinished, test } from "vitest"
import { startDatabaseProxy } from "../support/processes/database-proxy.ts"
import { appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { createTestDatabase } from "../support/test-database.ts"

const APP = {
  "src/collections/posts.ts": `
    import { collection } from "kit"
    export default collection("posts").fields(({ f }) => ({ title: f.text() })).access({ read: true })`,
}

/** Starts a command in the folder of an app. */
async function startKit(args: readonly string[], env: Record<string, string>): Promise<KitProcess> {
  const folder = await appFolder(APP)
  const started = new KitProcess(args, { cwd: folder.path, env })
  onTestFinished(async () => {
    await started.kill()
    await folder[Symbol.asyncDispose]()
  })
  return started
}

test.each([
  ["kit start", ["start", "--port", "0"], /ready in/],
  ["kit worker", ["worker"], /working on/],
])("%s waits for a database that is away, and logs it as JSON", async (_name, args, ready) => {
  await using proxy = await startDatabaseProxy()
  await proxy.cut()

  const started = await startKit(args, { DATABASE_URL: proxy.url })
  const [line] = await started.printed(/\{.*is away.*\}/)
  await proxy.restore()
  await started.printed(ready)

  expect(JSON.parse(line)).toMatchObject({
    level: 40,
    msg: "The database is away; waiting 60 s for it.",
    reason: expect.stringContaining("ECONNREFUSED"),
  })
  expect(started.output).toMatch(/"msg":"The database answers after [\d.]+ s\."/)
  expect(await started.stop()).toBe(0)
})

test("kit start gives up after the time in KIT_DATABASE_WAIT_MS", async () => {
  await using proxy = await startDatabaseProxy()
  await proxy.cut()

  const started = await startKit(["start", "--port", "0"], { DATABASE_URL: proxy.url, KIT_DATABASE_WAIT_MS: "300" })

  expect(await started.exit()).toBe(1)
  expect(started.output).toContain("The database is away; waiting 0.3 s for it.")
  expect(started.output).toMatch(/^Could not connect to PostgreSQL: connect ECONNREFUSED .*\nCheck DATABASE_URL/m)
})

test("kit start does not wait for a database that does not exist", async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const url = new URL(database.url)
  url.pathname = "/missing"

  const started = await startKit(["start", "--port", "0"], { DATABASE_URL: url.href })

  expect(await started.exit()).toBe(1)
  expect(started.output).toContain('Could not connect to PostgreSQL: database "missing" does not exist')
  expect(started.output).not.toContain("is away")
})

test("other commands do not wait", async () => {
  await using proxy = await startDatabaseProxy()
  await proxy.cut()

  const seeding = await startKit(["seed"], { DATABASE_URL: proxy.url })

  expect(await seeding.exit()).toBe(1)
  expect(seeding.output).not.toContain("is away")
})
