// @module-tag not-about-engine
// @module-tag experiment

// Runs the built command: `npm run build` comes before it.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts"

const POSTS = `
import { collection } from "kit"
console.log("loaded by the author", { at: 1 })
export default collection("posts")
  .fields(({ f }) => ({ title: f.text(200).required() }))
  .title("title")
  .access({ read: true, create: true })
`
const BROKEN = `
import { route } from "kit"
export default route().get().handler(() => {
  console.error("written by the author")
  process.stdout.write(JSON.stringify({ written: "as JSON" }) + "\\n")
  throw new Error("a broken\\nroute")
})
`
const SEED = `
import { seed } from "kit"
export default seed(async ({ collections }) => void (await collections.posts.create({ title: "One" })))
`
const JOB = `
import { job } from "kit"
export default job({ name: "tidy", schema: { "~standard": { version: 1, vendor: "x", validate: (value) => ({ value }) } }, handler: () => {} })
`
const APP = {
  "src/collections/posts.ts": POSTS,
  "src/routes/broken.ts": BROKEN,
  "src/seeds/first.ts": SEED,
  "src/jobs/tidy.ts": JOB,
}
const AWAY = { DATABASE_URL: "postgres://x@127.0.0.1:1/x", KIT_DATABASE_WAIT_MS: "0" }
const SECRET = "c0RrZ0J5b1J1d3lHc2hVb2hWZ0p3bXQ0eTd2Q2Jt"

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

function run(args: readonly string[], cwd: string, env: Record<string, string> = {}): KitProcess {
  const production = { DATABASE_URL: database.url, NODE_ENV: "production", KIT_SECRET: SECRET }
  return new KitProcess(args, { cwd, env: { ...production, ...env } })
}

/** Returns the lines of both streams, and fails at a line that is not a JSON object. */
function linesOf({ stdout, stderr }: KitProcess): readonly Record<string, unknown>[] {
  const lines = `${stdout}${stderr}`.split("\n").filter((line) => line !== "")
  return lines.map((line) => {
    expect(line).toMatch(/^\{.*\}$/)
    return JSON.parse(line)
  })
}

describe("in production every line is JSON", () => {
  test("of kit start, with the lines of requests, of the author and of a failure", async () => {
    await using folder = await appFolder(APP)
    const app = run(["start", "--port", "0", "--seed"], folder.path)
    const [, url = ""] = await app.printed(/on (http:[^\s"]+)/)
    await app.printed(/ready in/)

    const statuses = []
    for (const path of ["/posts?search=s3cret", "/posts/s3cret", "/broken", "/health", "/nowhere/s3cret/s3cret"]) {
      statuses.push((await fetch(`${url}${path}`)).status)
    }
    expect(await app.stop()).toBe(0)

    expect(statuses).toEqual([200, 404, 500, 200, 404])
    const lines = linesOf(app)
    const requests = lines.filter(({ msg }) => msg === "Request completed.")
    expect(requests.map(({ level, method, path, status }) => [level, method, path, status])).toEqual([
      [30, "GET", "/posts", 200],
      [30, "GET", "/posts/:id", 404],
      [30, "GET", "/broken", 500],
      [30, "GET", undefined, 404],
    ])
    const messages = lines.map(({ msg, written }) => msg ?? written)
    expect(messages).toEqual(
      expect.arrayContaining([
        "loaded by the author { at: 1 }",
        expect.stringMatching(/^kit on http/),
        "seeded seeds/first",
        expect.stringMatching(/^ready in/),
        "written by the author",
        "as JSON",
        "A request failed.",
      ]),
    )
    expect(JSON.stringify(lines)).not.toContain("s3cret")
  })

  test("of kit worker", async () => {
    await using folder = await appFolder(APP)
    const worker = run(["worker"], folder.path)
    await worker.printed(/working on tidy/)

    expect(await worker.stop()).toBe(0)

    expect(linesOf(worker).some(({ msg }) => String(msg).startsWith("working on tidy"))).toBe(true)
  })

  test.each([
    ["a weak secret", ["start", "--port", "0"], { KIT_SECRET: "short" }, "openssl rand -base64 32"],
    ["no database", ["start", "--port", "0"], AWAY, "Check DATABASE_URL"],
    ["a wrong option", ["start", "--prot", "0"], {}, 'There is no option \\"--prot\\"'],
    ["a wrong level of the log", ["start"], { KIT_LOG_LEVEL: "loud" }, '\\"loud\\" is not a log level'],
    ["a silent log", ["start", "--port", "x"], { KIT_LOG_LEVEL: "silent" }, '\\"x\\" is not a port'],
    ["a broken file", ["worker"], {}, "broken-job"],
  ])("of a start that fails: %s", async (what, args, env, message) => {
    const files = what === "a broken file" ? { ...APP, "src/jobs/broken-job.ts": "export default 5" } : APP
    await using folder = await appFolder(files)
    const app = run(args, folder.path, env)

    expect(await app.exit()).toBeGreaterThan(0)

    expect(linesOf(app).filter(({ level }) => level === 50).length).toBeGreaterThan(0)
    expect(app.output).toContain(message)
  })

  test("with --json, the line of the start is among them", async () => {
    await using folder = await appFolder(APP)
    const app = run(["start", "--port", "0", "--json"], folder.path)
    await app.printed(/ready in/)

    expect(await app.stop()).toBe(0)

    expect(linesOf(app)).toContainEqual(
      expect.objectContaining({ url: expect.any(String), port: expect.any(Number), database: expect.any(String) }),
    )
  })
})

test("kit dev shows a request as a short line of text, even with NODE_ENV=production", async () => {
  await using folder = await appFolder(APP)
  const dev = run(["dev", "--port", "0"], folder.path)
  const [, url = ""] = await dev.printed(/on (http:[^\s"]+)/)
  await dev.printed(/ready in/)

  for (const path of ["/api/posts?limit=1", "/posts", "/api/nowhere/at/all/x"]) await fetch(new URL(path, url))
  await dev.printed(/^ {2}info {2}GET \/posts 200 in [\d.]+ ms$/m)
  await dev.printed(/^ {2}info {2}GET \/posts 404 in [\d.]+ ms$/m)
  await dev.printed(/^ {2}info {2}GET \/api\/nowhere\/at\/all\/x 404 in [\d.]+ ms$/m)

  expect(await dev.stop()).toBe(0)
})
