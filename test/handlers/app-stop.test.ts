// @module-tag not-about-shortcuts

import { createApp, job, type KeyValueStore } from "kit"
import { service } from "kit/services"
import { expect, test, vi } from "vitest"
import { freshDatabase } from "../support/worlds/synced-app.ts"
import { testApp } from "../support/worlds/test-app.ts"

const anything = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const

/** Without generated types, neither the services in a context nor the jobs in a queue are declared. */
function untyped(value: object): Record<string, any> {
  return value
}

test("an app that stops waits for its jobs, then disposes of services, then closes what both may use", async () => {
  const database = await freshDatabase()
  const events: string[] = []
  const noted = (event: string) => async () => void events.push(event)
  let endJob = () => {}
  const jobMayEnd = new Promise<void>((resolve) => {
    endJob = resolve
  })
  const store: KeyValueStore = {
    get: async () => undefined,
    set: noted("a value is stored"),
    delete: async () => false,
    has: async () => false,
    increment: async () => null,
    close: noted("kv is closed"),
  }
  const slow = job({
    name: "slow",
    schema: anything,
    handler: async (context) => {
      await untyped(context)["recorder"].start()
      await jobMayEnd
      events.push("the job has ended")
    },
  })
  const recorder = service({
    lifecycle: "singleton",
    create: ({ kv, email }) => ({
      start: noted("the job has begun"),
      end: async () => {
        await kv.set("end", true)
        await email.send({ to: "a@example.com", subject: "The end", text: "It ends.", html: "It ends." })
      },
    }),
    dispose: async (made) => {
      events.push("the service is disposed of")
      await made.end()
    },
  })
  const app = await createApp({
    resources: [],
    jobs: [{ file: "jobs/slow.ts", key: "slow", definition: slow.definition }],
    services: [{ file: "services/recorder.ts", key: "recorder", definition: recorder.definition }],
    config: {
      db: { url: database.url },
      secret: "a secret for tests only",
      logger: { info: () => {}, warn: () => {}, error: () => {} },
      kv: { driver: store },
      email: { from: "b@example.com", transport: { send: noted("a mail is sent"), close: noted("mail is closed") } },
    },
    root: "/nowhere",
  })
  await app.startWorker()
  await untyped(app.queue)["slow"].publish({})
  await vi.waitFor(() => expect(events).toEqual(["the job has begun"]), { timeout: 60_000 })

  const stopped = app.stop()
  endJob()
  await stopped

  expect(events).toEqual([
    "the job has begun",
    "the job has ended",
    "the service is disposed of",
    "a value is stored",
    "a mail is sent",
    "kv is closed",
    "mail is closed",
  ])
})

test("an app that is about to stop is not ready, and still serves", async () => {
  await using app = await testApp({ resources: [] })
  expect((await app.fetch("/_kit/ready")).status).toBe(200)

  app.app.turnNotReady()

  expect(await app.fetch("/_kit/ready")).toMatchObject({
    status: 503,
    body: { error: { code: "SERVICE_UNAVAILABLE", context: { reason: "stopping" } } },
  })
  expect((await app.fetch("/_kit/health")).status).toBe(200)
})
