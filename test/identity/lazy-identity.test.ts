// @module-tag not-about-engine

import { execFile } from "node:child_process"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { createTestDatabase } from "../support/test-database.ts"

const run = promisify(execFile)
const KIT = pathToFileURL(resolve("packages/kit/dist/bundle/index.js")).href

// Prints the packages that are imported, in the order of import.
const HOOKS = `
export async function resolve(specifier, context, next) {
  if (specifier.startsWith("better-auth/")) process._rawDebug("loads " + specifier)
  return next(specifier, context)
}`
const REGISTER = `import { register } from "node:module"; register("data:text/javascript,${encodeURIComponent(HOOKS)}")`

const PROGRAM = (url: string) => `
import { createApp } from "${KIT}"
const logger = { info() {}, warn() {}, error() {} }
const config = { secret: "x".repeat(32), logger, db: { url: "${url}" } }
const app = await createApp({ resources: [], config, root: "/nowhere" })
const ask = (path, init) => app.handler(new Request("http://localhost/api" + path, init))
await ask("/users")
await ask("/users", { headers: { cookie: "kit.session_token=x" } })
await ask("/auth/get-session", { headers: { authorization: "Bearer " + "x".repeat(32) } })
process._rawDebug("signs in")
const headers = { "content-type": "application/json" }
await ask("/auth/sign-in/email", { method: "POST", headers, body: '{"email":"a@b.cc","password":"12345678"}' })
await app.stop()
`

test("the identity library is loaded by the first who signs in, and by nothing before", async () => {
  const database = await createTestDatabase()

  const args = ["--import", `data:text/javascript,${encodeURIComponent(REGISTER)}`, "--input-type=module"]
  const env = { ...process.env, KIT_GENERAL_PATH: "0" }
  const { stderr } = await run(process.execPath, [...args, "-e", PROGRAM(database.url)], { env })
  await database.drop()

  const lines = stderr.split("\n").filter((line) => line !== "")
  expect(lines[0]).toBe("signs in")
  expect(lines).toContain("loads better-auth/minimal")
})
