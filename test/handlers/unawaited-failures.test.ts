// @module-tag not-about-shortcuts

import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { freePort } from "../support/processes/free-port.ts"
import { type AppFolder, appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { createTestDatabase } from "../support/test-database.ts"
import { testApp } from "../support/worlds/test-app.ts"

const NOTES = `
import { setTimeout } from "node:timers/promises"
import { collection } from "kit"
async function doLater() {
  await setTimeout(1)
  throw new Error("forgotten by a hook")
}
export default collection("notes")
  .fields(({ f }) => ({ title: f.text() }))
  .access({ create: true, read: true })
  .hooks({ afterChange: () => { void doLater() } })
`
const FORGET = `
import { setTimeout } from "node:timers/promises"
import { route } from "kit"
async function doLater() {
  await setTimeout(1)
  throw new Error("forgotten by a route")
}
export default route().get().handler(() => {
  const later = doLater()
  void later.then(() => 1)
  void later.then(() => 2)
  return "left"
})
`
const STRICT = `
import { setTimeout } from "node:timers/promises"
import { collection } from "kit"
export default collection("strict")
  .fields(({ f }) => ({ title: f.text() }))
  .access({ create: true, read: true })
  .hooks({
    beforeChange: async () => {
      await setTimeout(1)
      throw new Error("refused by a hook")
    },
  })
`
const DEEP = `
import { route } from "kit"
export default route().handler(async ({ transaction }) => {
  await transaction(async (outer) => {
    await outer.transaction(async ({ collections }) => {
      await collections.strict.create({ title: "x" })
    })
  })
})
`
const PUBLISH = `
import { route } from "kit"
export default route().handler(({ queue }) => queue.forget.publish({}))
`
const FORGETFUL_JOB = `
import { setImmediate } from "node:timers/promises"
import { job } from "kit"
const schema = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const
export default job({
  name: "forget",
  schema,
  handler: async ({ logger }) => {
    void Promise.reject("forgotten by a job")
    for (let turn = 0; turn < 5; turn++) await setImmediate()
    logger.info("the job has ended")
  },
})
`
const SLOW = `
import { setTimeout as delay } from "node:timers/promises"
import { route } from "kit"
export default route().get().handler(async ({ logger }) => {
  setTimeout(() => { throw new Error("thrown in a timer") }, 1)
  setTimeout(() => { throw new Error("thrown while it stops") }, 20)
  await delay(600)
  return { isDone: true }
})
`

describe("what the author's code leaves behind", () => {
  let folder: AppFolder
  const env = { DATABASE_URL: "", NODE_ENV: "" }

  beforeAll(async () => {
    env.DATABASE_URL = (await createTestDatabase()).url
    folder = await appFolder({
      "kit.config.ts": 'import { defineConfig } from "kit"\nexport default defineConfig({ queue: { worker: false } })',
      "src/collections/notes.ts": NOTES,
      "src/collections/strict.ts": STRICT,
      "src/routes/forget.ts": FORGET,
      "src/routes/deep.ts": DEEP,
      "src/routes/publish.ts": PUBLISH,
      "src/routes/slow.ts": SLOW,
      "src/jobs/forget.ts": FORGETFUL_JOB,
    })
  })
  afterAll(() => folder[Symbol.asyncDispose]())

  test("a rejected promise that nobody awaits is logged once, and ends neither the server nor the worker; stacks are whole", async () => {
    const port = await freePort()
    const api = `http://localhost:${port}/api`
    const server = new KitProcess(["start", "--port", String(port)], { cwd: folder.path, env })
    await server.printed(/ready in/)
    const worker = new KitProcess(["worker"], { cwd: folder.path, env })
    await worker.printed(/working on forget/)

    expect(await (await fetch(`${api}/forget`)).json()).toBe("left")
    await server.printed(/forgotten by a route/)
    expect((await postJson(`${api}/notes`, { title: "one" })).status).toBe(201)
    await server.printed(/forgotten by a hook/)
    expect((await postJson(`${api}/deep`, {})).status).toBe(500)
    await postJson(`${api}/publish`, {})
    await worker.printed(/the job has ended/)

    expect((await fetch(`${api}/notes`)).status).toBe(200)
    const [first, ...others] = linesAbout(server, "Unhandled promise rejection")
    expect(first).toMatchObject({ level: 50, error: { message: "forgotten by a route" } })
    expect(first.msg).toContain("await the promise, or add .catch(…) to it")
    expect(first.error.stack).toContain("src/routes/forget.ts:6")
    expect(others).toMatchObject([{ level: 50, error: { message: "forgotten by a hook" } }])
    const [failed] = linesAbout(server, "A request failed.")
    expect(failed.error.stack).toMatch(/strict\.ts:10[\s\S]*deep\.ts:6[\s\S]*deep\.ts:5[\s\S]*deep\.ts:4/)
    expect(linesAbout(worker, "Unhandled promise rejection")).toMatchObject([
      { level: 50, error: "forgotten by a job" },
    ])
    expect(await Promise.all([server.stop(), worker.stop()])).toEqual([0, 0])
  })

  test("an exception that nobody catches ends the server with 1, after the requests under way", async () => {
    const port = await freePort()
    const server = new KitProcess(["start", "--port", String(port)], { cwd: folder.path, env })
    await server.printed(/ready in/)

    const slow = await fetch(`http://localhost:${port}/api/slow`)

    expect(await slow.json()).toEqual({ isDone: true })
    expect(await server.exit()).toBe(1)
    const lines = linesAbout(server, "Uncaught exception in a timer")
    expect(lines.map((line) => line.error.message)).toEqual(["thrown in a timer", "thrown while it stops"])
    expect(lines[0]).toMatchObject({ level: 50 })
    expect(lines[0]?.error.stack).toContain("src/routes/slow.ts:5")
  })
})

test("an app that is opened by code leaves such failures to its host", async () => {
  const before = listenerCounts()

  await using _app = await testApp({})

  expect(listenerCounts()).toEqual(before)
})

function listenerCounts(): readonly number[] {
  return ["unhandledRejection", "uncaughtException"].map((event) => process.listenerCount(event))
}

function postJson(url: string, body: unknown): Promise<Response> {
  return fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })
}

function linesAbout(process: KitProcess, message: string) {
  const lines = process.stdout.split("\n").filter((line) => line.startsWith("{"))
  return lines.map((line) => JSON.parse(line)).filter(({ msg }) => String(msg).startsWith(message))
}
