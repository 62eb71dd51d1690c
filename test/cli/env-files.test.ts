// @module-tag not-about-engine
// @module-tag experiment

import { afterEach, beforeEach, expect, test } from "vitest"
import { freePort } from "../support/processes/free-port.ts"
import { runKit } from "../support/processes/kit-command.ts"
import { appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts"

const APP = {
  "src/collections/posts.ts": `
import { collection } from "kit"
export default collection("posts").fields(({ f }) => ({ title: f.text() })).access({ read: true })
`,
  "kit.config.ts": `
import { defineConfig } from "kit"
export default defineConfig({ app: { note: [process.env.A, process.env.B, process.env.C].join(" ") } })
`,
}

let database: TestDatabase
let env: Record<string, string>

beforeEach(async () => {
  database = await createTestDatabase()
  env = { DATABASE_URL: database.url }
})

afterEach(async () => {
  await database.drop()
})

test("the real environment takes precedence over .env.local, and that over .env", async () => {
  await using folder = await appFolder({
    ...APP,
    ".env": "A=from-env\nB=from-env\nC=from-env",
    ".env.local": "B=from-local\nC=from-local",
  })

  const started = new KitProcess(["start", "--port", "0"], { cwd: folder.path, env: { ...env, C: "real" } })
  await started.printed(/ready in/)
  await started.stop()

  expect(started.output).toContain("from-env from-local real")
})

test("a variable that is empty in the real environment stays empty", async () => {
  await using folder = await appFolder({ ...APP, ".env": "A=from-env\nB=b\nC=c" })

  const started = new KitProcess(["start", "--port", "0"], { cwd: folder.path, env: { ...env, A: "" } })
  await started.printed(/ready in/)
  await started.stop()

  expect(started.output).toContain("   b c\n")
  expect(started.output).not.toContain("from-env")
})

test("a build in production reads the files too, and takes the secret from them", async () => {
  const secret = "Zk3v9QmX2pLr8TtW5yBnC7dF1gHjK4sA"
  await using folder = await appFolder({ ...APP, ".env": `KIT_SECRET=${secret}\nA=built` })
  await runKit(["build"], { cwd: folder.path, env })

  const started = new KitProcess(["start", "--port", "0"], {
    cwd: folder.path,
    env: { ...env, NODE_ENV: "production" },
  })
  await started.printed(/ready in/)
  await started.stop()

  expect(started.output).toContain("from the build")
  expect(started.output).toContain("built")
})

test("PORT and HOST of the file decide where kit start listens, and --host takes precedence", async () => {
  const port = await freePort()
  await using folder = await appFolder({ ...APP, ".env": `PORT=${port}\nHOST=192.0.2.1` })

  const refused = new KitProcess(["start"], { cwd: folder.path, env })
  const code = await refused.exit()
  const started = new KitProcess(["start", "--host", "127.0.0.1"], { cwd: folder.path, env })
  await started.printed(/ready in/)
  const answer = await fetch(`http://127.0.0.1:${port}/api/posts`)
  await started.stop()

  expect(code).toBe(1)
  expect(refused.output).toContain(
    '"192.0.2.1" is not an address of this machine. Set --host or HOST to one that is, or to 0.0.0.0 for all of them.',
  )
  expect(answer.status).toBe(200)
})

test("a command reports every mistake of the files with its line, and does not run", async () => {
  await using folder = await appFolder({ ...APP, ".env": "A=1\nsecret word", ".env.local": "\nB='open" })

  const started = new KitProcess(["start", "--port", "0"], { cwd: folder.path, env })
  const code = await started.exit()

  expect(code).toBe(1)
  expect(started.output.split("\n").filter((line) => line !== "")).toEqual([
    ".env:2: is not a variable. Write NAME=value, with letters, digits and _ in the name; a comment starts with #.",
    ".env.local:2: B: the quotation mark ' is not closed.",
  ])
})

test("kit dev starts the app again with the new values when a file changes", async () => {
  const port = await freePort()
  await using folder = await appFolder({ ...APP, ".env": "A=first" })

  const dev = new KitProcess(["dev", "--port", String(port)], { cwd: folder.path, env })
  await dev.printed(/first[\s\S]*ready in/)
  await folder.write(".env", "A=second")
  await dev.printed(/\.env changed[\s\S]*second[\s\S]*ready in/)
  await folder.write(".env.local", "B=third")
  await dev.printed(/\.env\.local changed[\s\S]*second third[\s\S]*ready in/)
  const code = await dev.stop()

  expect(code).toBe(0)
})
