import { collection } from "kit"
import { describe, expect, test } from "vitest"
import { startSilentProxy } from "./support/silent-proxy.ts"
import { type TestApp, testApp } from "./support/test-app.ts"

const things = collection("things")
  .fields(({ f }) => ({ name: f.text().required() }))
  .options({ id: "client" })
  .access({ read: true, create: true, update: true })

// The promise is 15 s; a machine that is busy or stands still for some seconds gets more.
const RECOVERED_MS = 25_000
const TEST_MS = 90_000
const CLIENTS = 16

/** Clients that read and write without a pause until they are stopped. */
class Load {
  readonly acknowledged: string[] = []
  /** When the last request failed, in milliseconds of `performance.now()`. */
  lastFailureAt = 0
  firstSuccessAt = 0
  readonly statuses = new Set<number>()
  readonly #app: TestApp
  readonly #clients: Promise<void>[]
  #isStopped = false
  #next = 0

  constructor(app: TestApp) {
    this.#app = app
    this.#clients = Array.from({ length: CLIENTS }, () => this.#run())
  }

  async untilSuccessAfter(moment: number): Promise<number> {
    await expect.poll(() => this.firstSuccessAt > moment, { timeout: TEST_MS, interval: 20 }).toBe(true)
    return this.firstSuccessAt - moment
  }

  forget(): void {
    this.firstSuccessAt = 0
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#clients)
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const id = `thing-${this.#next++}`
      const startedAt = performance.now()
      const { status } = await this.#app.fetch("/things", { method: "POST", body: JSON.stringify({ id, name: id }) })
      this.statuses.add(status)
      if (status === 201) {
        this.acknowledged.push(id)
        if (this.firstSuccessAt === 0) this.firstSuccessAt = performance.now()
      } else this.lastFailureAt = performance.now()
      // A refusal may come at once, and the others need the processor too.
      if (status !== 201 && performance.now() - startedAt < 10) await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

describe.concurrent("when every connection of the pool falls silent", () => {
  test("under load, they are replaced while they stay silent, and nothing acknowledged is lost", {
    timeout: TEST_MS,
  }, async () => {
    await using proxy = await startSilentProxy()
    await using app = await testApp({ resources: [things], config: { db: { url: proxy.url } } })
    const load = new Load(app)
    await load.untilSuccessAfter(0)

    proxy.silence()
    load.forget()
    const silentAt = performance.now()
    const recoveredMs = await load.untilSuccessAfter(silentAt)
    await load.stop()

    expect(recoveredMs).toBeLessThan(RECOVERED_MS)
    expect([...load.statuses].sort()).toEqual([201, 503])
    const stored = await proxy.database.query("select id from things")
    expect(stored.map(({ id }) => id)).toEqual(expect.arrayContaining(load.acknowledged))
  })
})
