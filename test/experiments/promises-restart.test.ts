// @module-tag experiment
// @module-tag full-count

import { Agent, request } from "node:http"
import { buffer } from "node:stream/consumers"
import { expect, onTestFinished, test, vi } from "vitest"
import { count } from "../support/count.ts"
import { type EventReader, openEvents } from "../support/oracles/live-events.ts"
import { freePort } from "../support/processes/free-port.ts"
import { type AppFolder, appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts"
import { PNG } from "../support/worlds/files-world.ts"

const RESTARTS = count({ short: 4, long: 30 })
const WRITERS = 6
const UPLOADERS = 2
const STREAMS = 3
const MAX_EXIT_MS = 10_000
const PATIENCE_MS = count({ short: 300_000, long: 1_800_000 })
const WAIT = { timeout: 60_000, interval: 10 }

const FILES = {
  "src/collections/orders.ts": `
    import { collection } from "kit"
    export default collection("orders")
      .fields(({ f }) => ({ key: f.text().required().unique() }))
      .access({ read: true, create: true })
      .hooks({ afterChange: ({ row, queue }) => queue.deliver.publish({ key: row.key }) })`,
  "src/collections/deliveries.ts": `
    import { collection } from "kit"
    export default collection("deliveries").fields(({ f }) => ({ key: f.text().required() })).access({})`,
  "src/collections/scans.ts": `
    import { collection } from "kit"
    export default collection("scans").upload().access({ read: true, create: true })`,
  "src/jobs/deliver.ts": `
    import { job } from "kit"
    const schema = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } }
    export default job({
      name: "deliver",
      schema,
      handler: ({ payload, transaction }) =>
        transaction(({ collections }) => collections.deliveries.create({ key: payload.key })),
    })`,
}

test(
  "P6: a rolling restart of two instances under load drops no request, stream or job",
  async () => {
    const database = await createTestDatabase()
    const folder = await appFolder(FILES)
    onTestFinished(async () => {
      await folder[Symbol.asyncDispose]()
      await database.drop()
    })
    const site = new Site(folder, database)
    await site.open()
    const load = new Load(site)

    for (let number = 0; number < RESTARTS; number++) {
      await load.progress()
      await site.restart(number % 2)
    }
    await load.progress()
    await load.end()
    await delivered(database)
    await site.close()

    const note = JSON.stringify({ ...load.counts, exitMs: site.exitMs })
    console.log(note)
    const keys = (await database.query("select key from orders")).map(({ key }) => String(key))
    const deliveries = await database.query("select key, count(*)::int as times from deliveries group by key")
    expect(load.counts, note).toMatchObject({ dropped: [], refused: [] })
    expect(new Set(keys), note).toEqual(load.orders)
    expect(new Set(deliveries.map(({ key }) => key)), note).toEqual(load.orders)
    expect(Math.max(...deliveries.map(({ times }) => Number(times))), note).toBe(1)
    expect(await database.query("select count(*)::int as scans from scans"), note).toEqual([
      { scans: load.counts.uploads },
    ])
    expect(site.goodbyes, note).toBe(RESTARTS * STREAMS)
    expect(Math.max(...site.exitMs), note).toBeLessThan(MAX_EXIT_MS)
  },
  PATIENCE_MS,
)

/**
 * Two instances, and a load balancer that removes an instance from its rotation when that instance gets the signal to
 * stop.
 */
class Site {
  readonly exitMs: number[] = []
  goodbyes = 0
  readonly #folder: AppFolder
  readonly #database: TestDatabase
  readonly #instances: { port: number; process: KitProcess; streams: EventReader[]; isServing: boolean }[] = []
  #turn = 0

  constructor(folder: AppFolder, database: TestDatabase) {
    this.#folder = folder
    this.#database = database
  }

  async open(): Promise<void> {
    for (let index = 0; index < 2; index++) {
      const port = await freePort()
      this.#instances.push({
        port,
        process: await this.#start(port),
        streams: await openStreams(port),
        isServing: true,
      })
    }
  }

  /** Returns the port of the next instance in rotation. */
  get port(): number {
    const serving = this.#instances.filter(({ isServing }) => isServing)
    return serving[this.#turn++ % serving.length]?.port ?? 0
  }

  async restart(index: number): Promise<void> {
    const instance = this.#instances[index]
    if (!instance) return
    instance.isServing = false
    const toldAt = performance.now()
    expect(await instance.process.stop(), instance.process.output).toBe(0)
    this.exitMs.push(Math.round(performance.now() - toldAt))
    for (const stream of instance.streams) {
      await stream.ended
      if (stream.events.at(-1)?.name === "bye") this.goodbyes++
    }
    instance.process = await this.#start(instance.port)
    instance.streams = await openStreams(instance.port)
    instance.isServing = true
  }

  async close(): Promise<void> {
    for (const { process } of this.#instances) await process.stop()
  }

  async #start(port: number): Promise<KitProcess> {
    const secret = "a secret for tests only, of 32 characters"
    const env = { DATABASE_URL: this.#database.url, KIT_SECRET: secret, KIT_DRAIN_MS: "" }
    const process = new KitProcess(["start", "--port", String(port)], { cwd: this.#folder.path, env })
    onTestFinished(() => process.kill())
    await process.printed(/ready in/)
    return process
  }
}

function openStreams(port: number): Promise<EventReader[]> {
  const topics = [{ id: "orders", resourceType: "collection", resource: "orders", limit: 1 }]
  const open = async () => {
    const stream = await openEvents({ url: `http://127.0.0.1:${port}/api`, topics })
    await stream.next("snapshot")
    return stream
  }
  return Promise.all(Array.from({ length: STREAMS }, open))
}

/** Writers and uploaders, each with one pending request at any time. */
class Load {
  readonly orders = new Set<string>()
  readonly counts = { orders: 0, uploads: 0, dropped: [] as string[], refused: [] as string[] }
  readonly #site: Site
  readonly #agent = new Agent({ keepAlive: true })
  readonly #work: Promise<void>[]
  #isOver = false

  constructor(site: Site) {
    this.#site = site
    const writers = Array.from({ length: WRITERS }, (_, writer) => this.#write(writer))
    const uploaders = Array.from({ length: UPLOADERS }, () => this.#upload())
    this.#work = [...writers, ...uploaders]
  }

  /** Resolves when more writes and uploads have completed. */
  async progress(): Promise<void> {
    const { orders, uploads } = this.counts
    await vi.waitFor(() => {
      expect(this.counts.orders).toBeGreaterThan(orders + 50)
      expect(this.counts.uploads).toBeGreaterThan(uploads + 5)
    }, WAIT)
  }

  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#work)
    this.#agent.destroy()
  }

  async #write(writer: number): Promise<void> {
    for (let number = 0; !this.#isOver; number++) {
      const key = `order ${writer}.${number}`
      const headers = { "content-type": "application/json" }
      if (!(await this.#send("/api/orders", headers, [JSON.stringify({ key })]))) continue
      this.orders.add(key)
      this.counts.orders++
    }
  }

  async #upload(): Promise<void> {
    const head =
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n'
    const headers = { "content-type": "multipart/form-data; boundary=b" }
    while (!this.#isOver) {
      if (await this.#send("/api/scans/upload", headers, [head, PNG, "\r\n--b--\r\n"])) this.counts.uploads++
    }
  }

  async #send(path: string, headers: Record<string, string>, parts: (string | Buffer)[]): Promise<boolean> {
    const { port } = this.#site
    const status = await new Promise<number | string>((resolve) => {
      const sent = request({ port, host: "127.0.0.1", path, method: "POST", headers, agent: this.#agent })
      sent.once("error", (error) => resolve(String(error)))
      sent.once("response", (answer) =>
        buffer(answer).then(
          () => resolve(answer.statusCode ?? 0),
          () => resolve("cut off"),
        ),
      )
      for (const part of parts) sent.write(part)
      sent.end()
    })
    if (typeof status === "string") this.counts.dropped.push(`${path}: ${status}`)
    else if (status !== 201) this.counts.refused.push(`${path}: ${status}`)
    return status === 201
  }
}

/** Waits until every job has run. */
async function delivered(database: TestDatabase): Promise<void> {
  const missing = `select 1 from orders where key not in (select key from deliveries) limit 1`
  await vi.waitFor(async () => expect(await database.query(missing)).toEqual([]), WAIT)
}
