// @module-tag not-about-engine

import { execFile } from "node:child_process"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { createTestDatabase } from "../support/test-database.ts"

const run = promisify(execFile)
const KIT = pathToFileURL(resolve("packages/kit/dist/bundle/index.js")).href

// Prints each module of kit that contains code of the console.
const HOOKS = `
export async function load(url, context, next) {
  const loaded = await next(url, context)
  if (String(loaded.source ?? "").includes("ProseMirrorClipboard")) process._rawDebug("loads the code of the console")
  return loaded
}`
const REGISTER = `import { register } from "node:module"; register("data:text/javascript,${encodeURIComponent(HOOKS)}")`

const PROGRAM = (url: string) => `
import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"
for (const [holder, name] of [[fs, "open"], [fs, "openSync"], [fs.promises, "open"], [fs.promises, "readFile"], [fs, "readFileSync"], [fs.promises, "readdir"]]) {
  const own = holder[name]
  holder[name] = (path, ...rest) => {
    if (/dist.console/.test(String(path))) process._rawDebug("opens " + String(path).replace(/.*dist.console./, ""))
    return own(path, ...rest)
  }
}
syncBuiltinESMExports()
const { createApp } = await import("${KIT}")
const logger = { info() {}, warn() {}, error() {} }
const config = { secret: "x".repeat(32), logger, db: { url: "${url}" } }
const app = await createApp({ resources: [], config, root: "/nowhere" })
const ask = (path) => app.handler(new Request("http://localhost" + path, { headers: { "accept-encoding": "br" } }))
await ask("/api/users")
await ask("/api/_kit/schema")
await app.setUpToken()
await ask("/administrator")
process._rawDebug("opens the console")
const page = await (await ask("/admin")).text()
process._rawDebug("opens it again")
await (await ask("/admin")).text()
const [, script] = /src="([^"]+)"/.exec(page)
process._rawDebug("asks for a script twice")
await (await ask(script)).arrayBuffer()
await (await ask(script)).arrayBuffer()
await app.stop()
`

test("a start reads nothing of the console, and what a request has read stays in memory", async () => {
  const database = await createTestDatabase()

  const args = ["--import", `data:text/javascript,${encodeURIComponent(REGISTER)}`, "--input-type=module"]
  const { stderr } = await run(process.execPath, [...args, "-e", PROGRAM(database.url)])
  await database.drop()

  const lines = stderr.split("\n").filter((line) => line !== "")
  expect(lines).toEqual([
    "opens the console",
    "loads the code of the console",
    "opens index.html",
    "opens manifest.json",
    "opens it again",
    "asks for a script twice",
    expect.stringMatching(/^opens assets.[\w-]+\.js\.br$/),
  ])
})
