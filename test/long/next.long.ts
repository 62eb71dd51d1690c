import { execFile, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { cp, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises"
import { request } from "node:http"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { createClient } from "kit/client"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts"
import { cookieOf } from "../support/worlds/identity-app.ts"

const run = promisify(execFile)
const INSTALL_MS = 600_000
const SETTINGS = { NEXT_TELEMETRY_DISABLED: "1", KIT_SECRET: randomBytes(32).toString("base64"), NO_COLOR: "1" }

let site: string
let database: TestDatabase
const environment = () => ({ ...process.env, ...SETTINGS, DATABASE_URL: database.url, NODE_ENV: undefined })

// Installs the package as a user would, in a folder outside of this workspace.
beforeAll(async () => {
  database = await createTestDatabase()
  site = await mkdtemp(join(tmpdir(), "kit-next-"))
  await cp(resolve("test/long/next-site"), site, { recursive: true })
  const { stdout } = await run("npm", ["pack", "-w", "kit", "--pack-destination", site, "--silent"])
  await rename(join(site, stdout.trim()), join(site, "kit.tgz"))
  await run("npm", ["install", "--no-audit", "--no-fund"], { cwd: site })
  await run("npx", ["kit", "generate"], { cwd: site })
}, INSTALL_MS)

afterAll(async () => {
  await rm(site, { recursive: true, force: true })
  await database.drop()
})

interface RunningSite extends AsyncDisposable {
  readonly origin: string
}

/** Runs `next start` or `next dev` on a free port, until it goes out of scope. */
async function serve(command: "start" | "dev"): Promise<RunningSite> {
  const next = join(site, "node_modules", "next", "dist", "bin", "next")
  const child = spawn(process.execPath, [next, command, "-p", "0", "-H", "127.0.0.1"], {
    cwd: site,
    env: environment(),
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text))
  while (!/Ready in/.test(output)) await once(child.stdout, "data")
  const [origin = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? []
  return {
    origin,
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, "exit")
      child.kill("SIGTERM")
      await ended
    },
  }
}

describe("a site that is built", () => {
  let running: RunningSite
  let url: string
  beforeAll(async () => {
    await run("npx", ["next", "build"], { cwd: site, env: environment() })
    running = await serve("start")
    url = `${running.origin}/api`
  }, INSTALL_MS)
  afterAll(() => running[Symbol.asyncDispose]())

  test("serves the real client as the person who signed up", async () => {
    const body = JSON.stringify({ email: "ann@example.com", password: "correct horse", name: "Ann" })
    const init = { method: "POST", body, headers: { "content-type": "application/json" } }
    const cookie = cookieOf((await fetch(`${url}/auth/sign-up/email`, init)).headers)
    const client = createClient({ baseURL: running.origin, basePath: "/api", headers: { cookie } })
    // Without generated types the client has no names.
    const { notes } = client.collections as unknown as {
      notes: { create(data: object): Promise<unknown>; find(options: object): Promise<unknown> }
    }

    const made = await notes.create({ title: "one", views: 2n ** 60n })
    const page = await notes.find({ where: { title: { in: ["one"] } } })

    expect(made).toMatchObject({ title: "one", views: 2n ** 60n })
    expect(page).toMatchObject({ totalDocs: 1 })
  })

  test("keeps its own pages, and answers what is wrong below the base path in JSON", async () => {
    const page = await fetch(running.origin)
    const missing = await fetch(`${url}/no/such/path`)
    const forbidden = await fetch(`${url}/notes`, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json" },
    })
    const wrong = await fetch(`${url}/notes`, { method: "DELETE" })
    const head = await fetch(`${url}/notes`, { method: "HEAD" })
    const options = await fetch(`${url}/notes`, { method: "OPTIONS" })

    expect(await page.text()).toContain("the page of the host")
    expect([missing.status, forbidden.status, wrong.status, head.status, options.status]).toEqual([
      404, 401, 405, 200, 204,
    ])
    expect(await missing.json()).toMatchObject({ error: { code: "NOT_FOUND" } })
    expect(options.headers.get("allow")).toBe("GET, HEAD, PATCH, POST")
  })

  test("answers a body over the limit with 413", async () => {
    const body = JSON.stringify({ where: { title: "x".repeat(1024 * 1024) } })

    const answer = await fetch(`${url}/notes/query`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    })

    expect(answer.status).toBe(413)
  })

  test("sends a stream as it comes, and lets go of it when the caller goes away", async () => {
    const openGate = async () => (await fetch(`${url}/gate`, { method: "POST" })).json()
    const answer = await fetch(`${url}/stream`, { headers: { "accept-encoding": "identity" } })
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    const first = await reader?.read()
    const whileOpen = await openGate()
    const last = await reader?.read()
    await reader?.read()
    const asked = request(`${url}/stream`, { agent: false }).end()
    const [broken] = await once(asked, "response")
    await once(broken, "data")
    broken.destroy()

    expect([first?.value, last?.value, whileOpen]).toEqual(["first", "last", 1])
    await expect.poll(openGate).toBe(0)
  })
})

test("while a site is developed, a change of a collection shows with the next request", async () => {
  await using running = await serve("dev")
  const notes = async () => (await fetch(`${running.origin}/api/notes?columns[subtitle]=true`)).status
  expect(await notes()).toBe(400)

  const file = join(site, "src", "collections", "notes.ts")
  const text = await readFile(file, "utf8")
  await writeFile(file, text.replace("views:", "subtitle: f.text(), views:"))

  await expect.poll(notes, { timeout: 60_000, interval: 500 }).toBe(200)
}, 120_000)
