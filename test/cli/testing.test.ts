// @module-tag not-about-engine

import { execFile } from "node:child_process"
import { readdir } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { collection, job, route } from "kit"
import { type SignedIn, type TestApp, testApp } from "kit/testing"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { sweepOnce } from "../../packages/kit/src/testing/left-over-databases.ts"
import { testServer } from "../../packages/kit/src/testing/test-server.ts"
import { slowdown } from "../../packages/kit/test/least-time.ts"
import { appFolder } from "../support/processes/kit-process.ts"
import { schemaOf } from "../support/worlds/job-world.ts"

const WAIT = { timeout: 60_000, interval: 20 }
const START = new Date("2026-03-01T05:58:00Z")

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text(50).required() }))
  .access({ read: true, create: ({ session }) => session?.user.role === "editor" })

/** A job that records the time at which it runs, from `new Date()`. */
function notingJob(options: Parameters<typeof job>[0]["options"] = {}) {
  const ranAt: string[] = []
  const noting = job({ name: "note", schema: schemaOf(), options, handler: () => void ranAt.push(now()) })
  return { ranAt, jobs: { note: noting } }
}

const now = () => new Date().toISOString()

async function post(app: TestApp, path: string, body: object) {
  const headers = { "content-type": "application/json" }
  const response = await app.fetch(path, { method: "POST", body: JSON.stringify(body), headers })
  return { status: response.status, body: await response.json() }
}

describe("people", () => {
  test("a user who signs in has the role that the test says, and nobody else has it", async () => {
    await using app = await testApp({ collections: [posts] })
    const editor = await app.signIn({ role: "editor", email: "eva@example.com" })

    await app.as(editor).collections["posts"]?.create({ title: "Hello" })

    expect(await app.anonymous.collections["posts"]?.count()).toBe(1)
    await expect(app.anonymous.collections["posts"]?.create({ title: "No" })).rejects.toMatchObject({ status: 401 })
    const reader = await app.signIn()
    await expect(app.as(reader).collections["posts"]?.create({ title: "No" })).rejects.toMatchObject({ status: 403 })
    expect(editor.user).toMatchObject({ email: "eva@example.com", name: "eva", role: "editor" })
  })

  test("the cookie of a user who signed in works as the one of a browser does", async () => {
    await using app = await testApp({ collections: [posts] })
    const { cookie, user } = await app.signIn({ name: "Eva" })

    const response = await app.fetch("/auth/get-session", { headers: { cookie } })

    expect(await response.json()).toMatchObject({ user: { id: user.id, name: "Eva" } })
  })

  test("a session can be made up, for an app with users and for one without", async () => {
    const editor = { user: { id: "e1", role: "editor" } }
    await using withUsers = await testApp({ collections: [posts] })
    await using without = await testApp({ collections: [posts], config: { sessions: { read: () => null } } })

    await withUsers.as(editor).collections["posts"]?.create({ title: "One" })
    await without.as(editor).collections["posts"]?.create({ title: "One" })

    expect(await without.system.collections["posts"]?.count()).toBe(1)
    await expect(without.signIn()).rejects.toThrow("app.as(")
    const response = await withUsers.fetch("/posts", { as: editor })
    expect(await response.json()).toMatchObject({ totalDocs: 1 })
  })
})

describe("the clock", () => {
  test("a job that waits runs at its time and not before, and is not forgotten", async () => {
    const { ranAt, jobs } = notingJob()
    await using app = await testApp({ jobs, now: START })
    const at = app.clock.in("1h")
    await app.queue["note"]?.publish({ text: "hello" }, { startAfter: at })

    await app.clock.advance("59m")

    expect(ranAt).toEqual([])
    expect(await app.jobs.list()).toMatchObject([{ name: "note", state: "scheduled", payload: { text: "hello" } }])
    await app.clock.advance("1m")
    expect(ranAt).toEqual([at.toISOString()])
    expect(await app.jobs.list({ name: "note" })).toMatchObject([{ state: "done", attempts: 1, error: null }])
  })

  test("a cron job runs exactly at its times", async () => {
    const { ranAt, jobs } = notingJob({ cron: "0 * * * *" })
    await using app = await testApp({ jobs, now: START })

    await app.clock.advance("3h")

    expect(ranAt).toEqual(["2026-03-01T06:00:00.000Z", "2026-03-01T07:00:00.000Z", "2026-03-01T08:00:00.000Z"])
    await app.clock.advanceTo(new Date("2026-03-01T09:00:00Z"))
    expect(ranAt).toHaveLength(4)
    await expect(app.clock.advanceTo(START)).rejects.toThrow("cannot go back")
  })

  test("a job that fails is tried again after its delay, as often as it may be", async () => {
    const tries: number[] = []
    const handler = ({ attempt }: { attempt: number }) => {
      tries.push(attempt)
      throw new Error("Not today.")
    }
    const failing = job({ name: "fail", schema: schemaOf(), options: { retryLimit: 2, retryDelay: 60 }, handler })
    await using app = await testApp({ jobs: { failing }, now: START })

    await app.queue["failing"]?.publish({})
    await app.jobs.settle()

    expect(tries).toEqual([1])
    await app.clock.advance("59s")
    expect(tries).toEqual([1])
    await app.clock.advance("1s")
    expect(tries).toEqual([1, 2])
    await app.clock.advance("1h")
    expect(tries).toEqual([1, 2, 3])
    const [failed] = await app.jobs.list({ state: "failed" })
    expect(failed).toMatchObject({ attempts: 3, error: expect.stringContaining("Not today.") })
    expect(app.logs).toContainEqual(expect.objectContaining({ message: "A job failed its last attempt and is kept." }))
  })

  test("it moves on where no worker runs, and the jobs wait", async () => {
    const { ranAt, jobs } = notingJob()
    await using app = await testApp({ jobs })
    await app.app.stopWorker()
    await app.queue["note"]?.publish({}, { startAfter: 60 })

    await app.clock.advance("1h")

    expect(ranAt).toEqual([])
    await app.app.startWorker()
    await app.jobs.settle()
    expect(ranAt).toHaveLength(1)
  })

  test("what a job publishes, and what that publishes, has run too", async () => {
    const seen: string[] = []
    const second = job({ name: "second", schema: schemaOf(), handler: () => void seen.push("second") })
    const first = job({
      name: "first",
      schema: schemaOf(),
      handler: async ({ transaction }) => {
        await transaction(async ({ queue }) => queue["second"]?.publish({}, { startAfter: 30 }))
        seen.push("first")
      },
    })
    await using app = await testApp({ jobs: { first, second } })
    await app.queue["first"]?.publish({}, { startAfter: 3600 })

    await app.clock.advance("61m")

    expect(seen).toEqual(["first", "second"])
  })

  test("it moves for routes, values that expire and limits by address, and for nothing outside of the app", async () => {
    const time = route()
      .get()
      .handler(() => ({ now: Date.now(), text: String(Date()).length > 0 }))
    const limits = { rate: { perAddress: { requests: 2, windowSeconds: 60 } } }
    await using app = await testApp({ routes: { time }, config: { limits }, now: () => START })
    const ask = async () => (await app.fetch("/time")).status
    await app.app.kv.set("code", 1, { ttl: 60 })

    expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429])
    await app.clock.advance("1m")

    expect(await (await app.fetch("/time")).json()).toEqual({ now: START.getTime() + 60_000, text: true })
    expect(await app.app.kv.get("code")).toBeUndefined()
    expect(Math.abs(Date.now() - (performance.timeOrigin + performance.now()))).toBeLessThan(60_000)
  })

  test("a wrong duration is refused with examples of right ones", async () => {
    await using app = await testApp({ collections: [posts] })

    expect(() => app.clock.in("1 hour")).toThrow('Write "500ms", "90s"')
    expect(() => app.clock.advance("-1h")).toThrow("is not a duration")
  })
})

describe("identity by the clock", () => {
  let app: TestApp

  beforeAll(async () => {
    app = await testApp({ collections: [posts], config: { auth: { signUp: true, requireVerifiedEmail: true } } })
  })
  afterAll(() => app.stop())

  async function resetToken(email: string): Promise<string> {
    await post(app, "/auth/request-password-reset", { email })
    const { text } = await app.mails.next(email)
    return /reset-password\/(\w+)|code:? (\w+)/i.exec(text)?.slice(1).find(Boolean) ?? text
  }

  test("a session ends when nobody uses it for a week", async () => {
    const reader = await app.signIn()
    const who = async () => {
      const session = (await (await app.fetch("/auth/get-session", { as: reader })).json()) as SignedIn | null
      return session?.user.id
    }
    await app.clock.advance("6d")
    expect(await who()).toBe(reader.user.id)

    await app.clock.advance("8d")

    expect(await who()).toBeUndefined()
  })

  test("a link to reset a password works for an hour", async () => {
    const { user } = await app.signIn({ email: "eva@example.com" })
    const early = await resetToken("eva@example.com")
    await app.clock.advance("30m")
    const late = await resetToken("eva@example.com")

    await app.clock.advance("31m")

    const answers = []
    for (const token of [early, late]) {
      answers.push((await post(app, "/auth/reset-password", { token, newPassword: "correct horse" })).status)
    }
    expect(answers).toEqual([400, 200])
    expect(user).toMatchObject({ email: "eva@example.com" })
  })

  test("a link to confirm an address works for an hour", async () => {
    const password = "correct horse"
    const open = async (email: string, wait: string) => {
      await post(app, "/auth/sign-up/email", { email, password, name: "New" })
      const { text } = await app.mails.next(email)
      await app.clock.advance(wait)
      const [, query = ""] = /verify-email\?(\S+)/.exec(text) ?? []
      const token = new URLSearchParams(query).get("token")
      return (await app.fetch(`/auth/verify-email?token=${token}`, { redirect: "manual" })).status
    }

    expect(await open("soon@example.com", "59m")).toBe(200)
    expect(await open("late@example.com", "61m")).toBe(401)
  })
})

describe("a database of its own", () => {
  test("two apps at once know nothing of each other, nor of each other's time", async () => {
    await using one = await testApp({ collections: [posts] })
    await using other = await testApp({ collections: [posts] })

    await one.system.collections["posts"]?.create({ title: "Mine" })
    await one.clock.advance("2d")

    expect(await other.anonymous.collections["posts"]?.count()).toBe(0)
    expect(one.clock.now().getTime() - other.clock.now().getTime()).toBeGreaterThan(86_400_000)
    expect(await one.query('select title from posts where "createdAt" < $1', [one.clock.now()])).toEqual([
      { title: "Mine" },
    ])
  })

  test("apps that start at once share the making of their tables", async () => {
    const notes = collection("notes").fields(({ f }) => ({ text: f.text(31).required() }))
    const apps = await Promise.all(Array.from({ length: 12 }, () => testApp({ collections: [notes] })))

    const counts = await Promise.all(apps.map((app) => app.system.collections["notes"]?.count()))

    expect(counts).toEqual(apps.map(() => 0))
    await Promise.all(apps.map((app) => app.stop()))
  })

  test("it is dropped after the test, and one that a dead process left is swept away", async () => {
    const server = await testServer(".")
    const app = await testApp({ collections: [posts] })
    const own = new URL(app.databaseUrl).pathname.slice(1)
    const orphan = own.replace(/^(kit_test_\w{8})_\d+_/, "$1_999999999_")
    await server.admin.query({ text: `create database ${orphan}`, values: [] })
    const left = async () => {
      const text = "select datname from pg_database where datname = any ($1)"
      return (await server.admin.query({ text, values: [[own, orphan]] })).rows
    }
    expect(await left()).toHaveLength(2)

    await app.stop()
    sweepOnce({ ...server })

    await vi.waitFor(async () => expect(await left()).toEqual([]), WAIT)
  })

  test("an app that the test declares wrongly says so, as at a start", async () => {
    const wrong = collection("notes").fields(({ f }) => ({ owner: f.relation("nobody") }))

    await expect(testApp({ collections: [wrong] })).rejects.toThrow("nobody")
  })

  test.each([
    [{ collektions: [posts] }, 'testApp has no option "collektions". Did you mean "collections"?'],
    [{ collections: { posts } }, 'The option "collections" of testApp must be a list.'],
    [{ jobs: [] }, 'The option "jobs" of testApp must be an object.'],
    [{ now: "2026-03-01" }, 'The option "now" of testApp must be a Date or a function that gives one.'],
    [{ now: new Date("soon") }, 'The option "now" of testApp must be a Date or a function that gives one.'],
    [{ mode: "prod" }, 'The option "mode" of testApp must be "development", "production" or "local".'],
  ])("an option that is none is refused, and no other app is started: %j", async (options: any, message) => {
    await expect(testApp(options)).rejects.toThrow(new TypeError(message))
  })

  test("an app starts within 60 ms once its tables are known", async () => {
    let bestMs = Number.POSITIVE_INFINITY
    // Repeats: at least one attempt is fast enough, even on a busy machine.
    for (let tries = 0; tries < 50 && (tries < 5 || bestMs >= 60); tries++) {
      const startedAt = performance.now()
      await using app = await testApp({ collections: [posts] })
      bestMs = Math.min(bestMs, (performance.now() - startedAt) / slowdown())
      expect(app.url).toContain("/api")
    }

    console.log(`testApp() took ${bestMs.toFixed(1)} ms at best`)
    expect(bestMs).toBeLessThan(60)
  })
})

const RUN_BY_NODE = `
import assert from "node:assert"
import test from "node:test"
import { testApp } from "kit/testing"
for (const time of ["first", "second"]) test(time, async () => {
  await using app = await testApp()
  await app.anonymous.collections.posts.create({ title: "Hello" })
  await app.clock.advance("1d")
  assert.equal(await app.anonymous.collections.posts.count(), 1)
})
`

test("the app of the working folder runs under Node's own runner, whose process ends by itself", async () => {
  await using folder = await appFolder({
    "src/collections/posts.ts": `import { collection } from "kit"
export default collection("posts").fields(({ f }) => ({ title: f.text(50) })).access({ read: true, create: true })`,
    "posts.test.ts": RUN_BY_NODE,
  })
  const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href
  const env = { ...process.env, NODE_OPTIONS: "" }

  const { stdout } = await promisify(execFile)(process.execPath, ["--import", loader, "--test", "posts.test.ts"], {
    cwd: folder.path,
    env,
  })

  expect(stdout).toContain("# pass 2")
  // Only the compiled sources: the app used the database of this run.
  expect(await readdir(join(folder.path, ".kit"))).toEqual(["sources"])
})

test("mail can be waited for, and what never comes is said with what did", async () => {
  const send = route().handler(async ({ email }) => {
    await email.send({ to: ["a@example.com"], subject: "Hello", html: "<p>Hi</p>" })
    return {}
  })
  await using app = await testApp({ routes: { send }, config: { app: { name: "Desk" } } })
  const waiting = app.mails.next("a@example.com")

  await post(app, "/send", {})

  expect(await waiting).toMatchObject({ subject: "Hello", text: "Hi" })
  vi.useFakeTimers()
  const never = expect(app.mails.next()).rejects.toThrow('Sent so far: "Hello" to a@example.com.')
  await vi.advanceTimersByTimeAsync(6_000)
  vi.useRealTimers()
  await never
})
