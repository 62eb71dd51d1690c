// @module-tag experiment

import { collection, job } from "kit"
import { describe, expect, test, vi } from "vitest"
import { openEvents } from "../support/oracles/live-events.ts"
import { type SilentProxy, startSilentProxy } from "../support/processes/silent-proxy.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const things = collection("things")
  .fields(({ f }) => ({ name: f.text().required() }))
  .options({ id: "client" })
  .access({ read: true, create: true, update: true })
const schema = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const

// The promise is 15 s, which `npm run soak -- silence` measures; here the machine may be busy.
const RECOVERED_MS = 60_000
const TEST_MS = 180_000
const WAIT = { timeout: TEST_MS, interval: 20 }
const CLIENTS = 16

/** Clients that read and write without pause until they are stopped. */
class Load {
  readonly acknowledged: string[] = []
  /** The last round of requests in which each status was returned. */
  readonly #rounds = new Map<number, number>()
  readonly #app: TestApp
  readonly #clients: Promise<void>[]
  #isStopped = false
  #round = 0

  constructor(app: TestApp) {
    this.#app = app
    this.#clients = Array.from({ length: CLIENTS }, () => this.#run())
  }

  get statuses(): number[] {
    return [...this.#rounds.keys()].sort()
  }

  /** Resolves when a request that starts from now on is answered with this status. */
  async until(status: number): Promise<void> {
    const from = this.#round
    await vi.waitFor(() => expect((this.#rounds.get(status) ?? -1) >= from).toBe(true), WAIT)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#clients)
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const round = this.#round++
      const id = `thing-${round}`
      const body = JSON.stringify({ id, name: id })
      const read = await this.#app.fetch("/things?limit=1")
      const written = await this.#app.fetch("/things", { method: "POST", body })
      for (const { status } of [read, written])
        this.#rounds.set(status, Math.max(round, this.#rounds.get(status) ?? -1))
      if (written.status === 201) this.acknowledged.push(id)
    }
  }
}

async function expectAllStored({ database }: SilentProxy, ids: readonly string[]): Promise<void> {
  const stored = new Set((await database.query("select id from things")).map(({ id }) => id))
  expect(ids.filter((id) => !stored.has(id))).toEqual([])
}

// Each test has its own app, and waits for seconds.
describe.concurrent("when all connections to the database fall silent", { timeout: TEST_MS }, () => {
  test("under load, they are replaced while they stay silent, and nothing acknowledged is lost", async () => {
    await using proxy = await startSilentProxy()
    await using app = await testApp({ resources: [things], config: { db: { url: proxy.url } } })
    const load = new Load(app)
    await load.until(201)

    proxy.silence()
    const silentAt = performance.now()
    await load.until(201)
    const recoveredMs = performance.now() - silentAt
    await load.stop()

    expect(recoveredMs).toBeLessThan(RECOVERED_MS)
    expect(load.statuses).toEqual([200, 201, 503])
    await expectAllStored(proxy, load.acknowledged)
  })

  test("and new ones are never answered, requests fail with 503 until the network is back", async () => {
    await using proxy = await startSilentProxy()
    await using app = await testApp({ resources: [things], config: { db: { url: proxy.url } } })
    const load = new Load(app)
    await load.until(201)

    proxy.silence()
    proxy.shut()
    await load.until(503)
    const ready = await app.fetch("/_kit/ready")
    const health = await app.fetch("/_kit/health")
    proxy.open()
    const openedAt = performance.now()
    await load.until(201)
    const recoveredMs = performance.now() - openedAt
    await load.stop()

    expect(load.statuses).toEqual([200, 201, 503])
    expect(ready.status).toBe(503)
    expect(health.status).toBe(200)
    expect(recoveredMs).toBeLessThan(RECOVERED_MS)
    await expectAllStored(proxy, load.acknowledged)
  })

  test("streams, jobs and readiness recover, and a row that was locked can be written", async () => {
    await using proxy = await startSilentProxy()
    const ran: unknown[] = []
    const note = job({
      name: "note",
      schema,
      handler: async ({ payload }: { payload: unknown }) => void ran.push(payload),
    })
    const options = { resources: [things], jobs: { note }, config: { db: { url: proxy.url } } }
    await using app = await testApp(options)
    await using stream = await openEvents({
      url: app.url,
      topics: [{ id: "things", resourceType: "collection", resource: "things" }],
    })
    await stream.next("snapshot")
    const { things: own } = app.app.system.collections
    await own?.create({ id: "a", name: "before" })

    const interrupted = app.app.system.transaction(async ({ collections }) => {
      await collections["things"]?.updateById({ id: "a", data: { name: "lost" } })
      proxy.silence()
    })
    await expect(interrupted).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" })
    const silentAt = performance.now()
    await own?.updateById({ id: "a", data: { name: "after" } })
    await stream.next("snapshot", ({ data }) => JSON.stringify(data).includes("after"))
    await app.app.queue["note"]?.publish({ text: "ran" })
    await vi.waitFor(() => expect(ran).toEqual([{ text: "ran" }]), WAIT)
    const ready = await app.fetch("/_kit/ready")

    expect(performance.now() - silentAt).toBeLessThan(RECOVERED_MS)
    expect(ready.status).toBe(200)
  })
})
