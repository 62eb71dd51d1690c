// @module-tag not-about-engine
// @module-tag experiment

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createApp } from "kit"
import { afterEach, describe, expect, test, vi } from "vitest"
import { chooseLogLevel, chooseSecret } from "../../packages/kit/src/app/config/defaults.ts"
import { appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { createTestDatabase } from "../support/test-database.ts"

const POSTS = `
import { collection } from "kit"
export default collection("posts")
  .fields(({ f }) => ({ title: f.text(200).required() }))
  .access({ read: true, create: true })
`
const APP = { "src/collections/posts.ts": POSTS }
const GOOD_SECRET = "c0RrZ0J5b1J1d3lHc2hVb2hWZ0p3bXQ0eTd2Q2Jt"

async function createFromLocalPage(url: string) {
  const headers = { "content-type": "application/json", cookie: "a=b", origin: "http://localhost:5173" }
  const answer = await fetch(`${url}/posts`, { method: "POST", body: '{"title":"x"}', headers })
  return { status: answer.status, allowed: answer.headers.get("access-control-allow-origin") }
}

describe("pages on the developer's machine", () => {
  test.each([
    ["dev", { status: 201, allowed: "http://localhost:5173" }],
    ["start", { status: 403, allowed: null }],
  ])("kit %s answers their writes with cookies by %j", async (command, expected) => {
    const database = await createTestDatabase()
    await using folder = await appFolder(APP)
    const env = { DATABASE_URL: database.url }
    const app = new KitProcess([command, "--port", "0"], { cwd: folder.path, env })
    const [, url = ""] = await app.printed(/on (http:\S+)/)

    const answer = await createFromLocalPage(url)
    await app.stop()

    expect(answer).toEqual(expected)
    await database.drop()
  })
})

describe("kit start in production", () => {
  async function start(env: Record<string, string>, config = "export default {}") {
    await using folder = await appFolder({ ...APP, "kit.config.ts": config })
    const database = await createTestDatabase()
    const settings = { cwd: folder.path, env: { DATABASE_URL: database.url, NODE_ENV: "production", ...env } }
    const app = new KitProcess(["start", "--port", "0"], settings)
    await Promise.race([app.printed(/ready in/), app.exit()])
    const code = await app.stop()
    await database.drop()
    return { code, output: app.output }
  }

  test("refuses a weak secret, says how to make one, and does not show it", async () => {
    const { code, output } = await start({ KIT_SECRET: "x".repeat(31) })

    expect(code).toBe(1)
    expect(output).toContain("kit.config.ts: the secret that signs sessions has only 31 of at least 32 characters")
    expect(output).toContain("openssl rand -base64 32")
    expect(output).not.toContain("x".repeat(31))
  })

  test("takes a good one from the environment or the settings", async () => {
    const byEnvironment = await start({ KIT_SECRET: GOOD_SECRET })
    const bySetting = await start({}, `export default { secret: "${GOOD_SECRET}" }`)

    expect([byEnvironment.code, bySetting.code]).toEqual([0, 0])
  })

  test("is not asked for a secret in development", async () => {
    const database = await createTestDatabase()
    await using folder = await appFolder(APP)
    const env = { DATABASE_URL: database.url, NODE_ENV: "production" }

    const dev = new KitProcess(["dev", "--port", "0"], { cwd: folder.path, env })
    await dev.printed(/ready in/)

    expect(await dev.stop()).toBe(0)
    await database.drop()
  })
})

describe("createApp", () => {
  afterEach(() => vi.unstubAllEnvs())

  test.each([
    ["by its mode", { mode: "production" as const }, undefined],
    ["by the environment", {}, "production"],
  ])("wants a secret in production, told %s", async (_name, options, environment) => {
    vi.stubEnv("NODE_ENV", environment)
    vi.stubEnv("KIT_SECRET", undefined)

    const created = createApp({ resources: [], config: {}, root: "/nowhere", ...options })

    await expect(created).rejects.toThrow("the secret that signs sessions is missing, and this is production")
  })

  test.each([undefined, ""])(
    "makes a secret where those that are given are empty, in the settings %j",
    async (configured) => {
      const root = await mkdtemp(join(tmpdir(), "kit-secret-"))
      vi.stubEnv("KIT_SECRET", "")

      const secret = await chooseSecret(configured, root)

      expect(secret.length).toBeGreaterThan(40)
      expect(await chooseSecret(configured, root)).toBe(secret)
      await rm(root, { recursive: true })
    },
  )

  test("a level of the log that is none stops the start, and an empty one is the usual one", async () => {
    vi.stubEnv("KIT_LOG_LEVEL", "verbose")
    const created = createApp({ resources: [], config: {}, root: "/nowhere" })

    await expect(created).rejects.toThrow('KIT_LOG_LEVEL: "verbose" is not a log level. Known: trace, debug, info')
    vi.stubEnv("KIT_LOG_LEVEL", "")
    expect(chooseLogLevel()).toBe("info")
    vi.stubEnv("KIT_LOG_LEVEL", "WARN")
    expect(chooseLogLevel()).toBe("warn")
  })

  test.each([
    ["", "is missing"],
    ["x".repeat(31), "has only 31 of at least 32 characters"],
    ["x".repeat(64), "repeats a few characters"],
    ["abcabcabcabcabcabcabcabcabcabcabcabc", "repeats a few characters"],
    ["secret-secret-secret-secret-secret-12", "looks like a placeholder"],
    ["change-me-change-me-change-me-change-me", "looks like a placeholder"],
    ["my_super_secret_key_for_production_2026", "looks like a placeholder"],
  ])("refuses the secret %j in production and says how to make one", async (secret, reason) => {
    vi.stubEnv("KIT_SECRET", secret)

    const created = createApp({ resources: [], config: {}, root: "/nowhere", mode: "production" })

    const { message } = await created.then(
      () => expect.unreachable(),
      (error: Error) => error,
    )
    expect(message).toContain(`kit.config.ts: the secret that signs sessions ${reason}`)
    expect(message).toContain("openssl rand -base64 32")
    if (secret !== "") expect(message).not.toContain(secret)
  })
})
