import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { cp, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, test } from "vitest"
import todos from "../../examples/todo/src/collections/todos.ts"
import { type Chromium, startChromium } from "../browser/support/chromium.ts"
import { freePort } from "../support/processes/free-port.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const run = promisify(execFile)
const INSTALL_MS = 600_000

let app: TestApp
let site: string
let origin: string
let next: ChildProcessWithoutNullStreams
let chromium: Chromium

// Installs the package for front ends in a site outside of this workspace, builds it, and serves it beside the API.
beforeAll(async () => {
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  app = await testApp({ resources: [todos], config: { cors: { origins: [origin] } } })
  site = await mkdtemp(join(tmpdir(), "kit-next-live-"))
  await cp(resolve("test/long/next-live-site"), site, { recursive: true })
  await cp(resolve("examples/todo/src/generated"), join(site, "generated"), { recursive: true })
  await cp(resolve("packages/kit/dist/kit-web.tgz"), join(site, "kit-web.tgz"))
  await run("npm", ["install", "--no-audit", "--no-fund"], { cwd: site })
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", NO_COLOR: "1", NODE_ENV: undefined }
  const settings = { cwd: site, env: { ...env, NEXT_PUBLIC_KIT_URL: new URL(app.url).origin } }
  await run("npx", ["next", "build"], settings)
  const program = join(site, "node_modules/next/dist/bin/next")
  next = spawn(process.execPath, [program, "start", "-p", String(port), "-H", "127.0.0.1"], settings)
  for (let output = ""; !output.includes("Ready in"); ) output += String(await once(next.stdout, "data"))
  chromium = await startChromium()
}, INSTALL_MS)

afterAll(async () => {
  await chromium[Symbol.asyncDispose]()
  const ended = once(next, "exit")
  next.kill("SIGTERM")
  await ended
  await rm(site, { recursive: true, force: true })
  await app[Symbol.asyncDispose]()
})

test("a page has its list in the first HTML, takes it over without a warning, and goes live", async () => {
  const { collections } = app.client()
  await collections["todos"].create({ title: "Rendered on the server" })

  expect(await (await fetch(origin)).text()).toMatch(/<li>Rendered on the server<\/li>/)
  const page = await (await chromium.browser.newContext()).newPage()
  const told: string[] = []
  page.on("console", (message) => told.push(message.text()))
  page.on("pageerror", (error) => told.push(String(error)))
  await page.goto(origin)
  await page.locator('[data-status="live"]').waitFor()
  expect(await page.getByRole("listitem").allTextContents()).toEqual(["Rendered on the server"])
  await collections["todos"].create({ title: "Added later" })
  await page.getByText("Added later").waitFor()

  expect(told).toEqual([])
})
