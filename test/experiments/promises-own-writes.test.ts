// @module-tag experiment
// @module-tag full-count

import { createClient } from "kit/client"
import type { UntypedApp } from "kit/generated"
import { expect, onTestFinished, test, vi } from "vitest"
import { CLIENT_PARTS, type ClientParts } from "../../packages/kit/src/client/client-parts.ts"
import { buildCollectionTopic } from "../../packages/kit/src/client/live/topic-options.ts"
import { WRITE_HEADER } from "../../packages/kit/src/wire/options/client-headers.ts"
import { count } from "../support/count.ts"
import { freePort } from "../support/processes/free-port.ts"
import { type AppFolder, appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { type SeededRandom, seededRandom } from "../support/seeded-random.ts"
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts"

const KILLS = count({ short: 4, long: 60 })
const CLIENTS = 4
const WRITES_PER_KILL = 60
const PATIENCE_MS = count({ short: 300_000, long: 1_800_000 })
// The time that the hooks wait for an announcement.
const FALLBACK_MS = 5_000
const WAIT = { timeout: 60_000, interval: 20 }

const FILES = {
  "src/collections/counters.ts": `
    import { collection } from "kit"
    export default collection("counters")
      .fields(({ f }) => ({ number: f.number().integer(), value: f.number().integer() }))
      .access({ read: true, create: true, update: true })`,
}

test(
  "P14: what a client was told to be applied is shown by all of its live queries, whichever instance is killed",
  async () => {
    const random = seededRandom()
    const database = await createTestDatabase()
    const folder = await appFolder(FILES)
    onTestFinished(async () => {
      await folder[Symbol.asyncDispose]()
      await database.drop()
    })
    const site = new Site({ folder, database, random })
    await site.open()
    const pages = await openPages(site)

    for (let kill = 0; kill < KILLS; kill++) {
      await progress(pages)
      await site.kill(random.below(2))
    }
    await progress(pages)
    for (const page of pages) await page.end()
    await site.close()

    const figures = figuresOf(pages)
    const note = JSON.stringify({ seed: random.seed, ...figures }, null, 1)
    console.log(note)
    expect(figures.faults, note).toEqual([])
    expect(figures.announced, note).toBeGreaterThan(WRITES_PER_KILL * KILLS)
    expect(figures.shownByNewStream, note).toBeGreaterThan(0)
    // An announcement can be missed if the stream is opened while the write is answered.
    expect(figures.leftToTheFallback, note).toBeLessThan(figures.announced / 20)
  },
  PATIENCE_MS,
)

/** Two instances of the app; a request goes to a random one of those that serve. */
class Site {
  readonly #parts: { readonly folder: AppFolder; readonly database: TestDatabase; readonly random: SeededRandom }
  readonly #instances: { port: number; process: KitProcess; isServing: boolean }[] = []

  constructor(parts: { folder: AppFolder; database: TestDatabase; random: SeededRandom }) {
    this.#parts = parts
  }

  async open(): Promise<void> {
    for (let index = 0; index < 2; index++) {
      const port = await freePort()
      this.#instances.push({ port, process: await this.#start(port), isServing: true })
    }
  }

  readonly fetch = (url: string, init: RequestInit): Promise<Response> => {
    const serving = this.#instances.filter(({ isServing }) => isServing)
    const { port } = serving[this.#parts.random.below(serving.length)] ?? { port: 0 }
    return fetch(url.replace("//site", `//127.0.0.1:${port}`), init)
  }

  async kill(index: number): Promise<void> {
    const instance = this.#instances[index]
    if (!instance) return
    await instance.process.kill()
    instance.isServing = false
    instance.process = await this.#start(instance.port)
    instance.isServing = true
  }

  async close(): Promise<void> {
    for (const { process } of this.#instances) await process.stop()
  }

  async #start(port: number): Promise<KitProcess> {
    const { folder, database } = this.#parts
    const env = { DATABASE_URL: database.url, KIT_SECRET: "a secret for tests only, of 32 characters" }
    const process = new KitProcess(["start", "--port", String(port)], { cwd: folder.path, env })
    onTestFinished(() => process.kill())
    await process.printed(/ready in/)
    return process
  }
}

/** A write that a topic does not show yet, as far as the page knows. */
interface Layer {
  readonly value: number
  /** The time at which the write succeeded; undefined while it is under way. */
  settledAt?: number
  /** True if the topic was requested on a new stream after the write had succeeded. */
  isOnNewStream?: boolean
}

/** A live query of a page, with the layers that the page would lay over its snapshots. */
class Topic {
  readonly layers = new Map<string, Layer>()
  readonly faults: string[] = []
  announced = 0
  shownByNewStream = 0
  hasData = false
  readonly #counter: number
  #value = -1

  constructor({ follow }: ClientParts, counter: number, options: object) {
    this.#counter = counter
    follow({
      topic: JSON.stringify(buildCollectionTopic("counters", options)),
      onSnapshot: (data) => this.#show(data),
      onCurrent: () => this.#liftNewStream(),
      onRequest: () => {
        for (const layer of this.layers.values()) if (layer.settledAt !== undefined) layer.isOnNewStream = true
      },
      onApplied: (writes) => {
        for (const id of writes) if (this.#lift(id, "announced")) this.announced++
      },
    })
  }

  #show(data: unknown): void {
    const { docs } = data as { docs: { number: number; value: number }[] }
    this.#value = docs.find(({ number }) => number === this.#counter)?.value ?? -1
    this.hasData = true
    this.#liftNewStream()
  }

  #liftNewStream(): void {
    for (const [id, { isOnNewStream }] of [...this.layers]) {
      if (isOnNewStream && this.#lift(id, "sent on a new stream")) this.shownByNewStream++
    }
  }

  #lift(id: string, reason: string): boolean {
    const layer = this.layers.get(id)
    if (!layer) return false
    this.layers.delete(id)
    if (this.#value < layer.value) this.faults.push(`${layer.value} was ${reason}, and ${this.#value} is shown`)
    return true
  }
}

/** A client that counts its own counter, and follows it by two live queries. */
class Page {
  readonly topics: readonly Topic[]
  writes = 0
  readonly #client: ReturnType<typeof clientOf>
  readonly #id: string
  #isOver = false
  readonly #work: Promise<void>

  constructor({ fetch }: Site, { id, number }: { id: string; number: number }) {
    this.#client = clientOf(fetch)
    this.#id = id
    // The cast is safe: every client has its parts under this key.
    const parts = (this.#client as unknown as { [CLIENT_PARTS]: ClientParts })[CLIENT_PARTS]
    this.topics = [{ limit: 10 }, { where: { number } }].map((options) => new Topic(parts, number, options))
    this.#work = this.#write()
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#work
    const waits = () => this.topics.some(({ layers }) => layers.size > leftOver(layers))
    await vi.waitFor(() => expect(waits()).toBe(false), WAIT)
    this.#client.realtime.destroy()
  }

  async #write(): Promise<void> {
    for (let value = 1; !this.#isOver; value++) {
      const id = crypto.randomUUID()
      for (const { layers, hasData } of this.topics) if (hasData) layers.set(id, { value })
      const hasSucceeded = await this.#send(id, value)
      for (const { layers } of this.topics) {
        const layer = layers.get(id)
        if (layer && hasSucceeded) layer.settledAt = performance.now()
        else layers.delete(id)
      }
      if (hasSucceeded) this.writes++
    }
  }

  #send(id: string, value: number): Promise<boolean> {
    const update = this.#client.collections["counters"]?.updateById(
      { id: this.#id, data: { value } },
      { headers: { [WRITE_HEADER]: id } },
    )
    return Promise.resolve(update).then(
      () => true,
      () => false,
    )
  }
}

function clientOf(fetch: Site["fetch"]) {
  return createClient<UntypedApp>({ baseURL: "http://site", basePath: "/api", fetch })
}

async function openPages(site: Site): Promise<readonly Page[]> {
  const { collections } = clientOf(site.fetch)
  const numbers = Array.from({ length: CLIENTS }, (_, number) => number)
  const records = await Promise.all(numbers.map((number) => collections["counters"]?.create({ number, value: 0 })))
  return records.map((record, number) => new Page(site, { id: String(record?.["id"]), number }))
}

/** Waits until every page has written some more, and its queries have seen it. */
async function progress(pages: readonly Page[]): Promise<void> {
  const before = pages.map(({ writes, topics }) => ({ writes, announced: topics.map((topic) => topic.announced) }))
  await vi.waitFor(() => {
    for (const [index, { writes, topics }] of pages.entries()) {
      expect(writes).toBeGreaterThan((before[index]?.writes ?? 0) + WRITES_PER_KILL / CLIENTS)
      for (const [at, { announced }] of topics.entries()) {
        expect(announced).toBeGreaterThan((before[index]?.announced[at] ?? 0) + WRITES_PER_KILL / CLIENTS)
      }
    }
  }, WAIT)
}

/** Returns the number of layers that only the time lifts. */
function leftOver(layers: ReadonlyMap<string, Layer>): number {
  const old = performance.now() - FALLBACK_MS
  return [...layers.values()].filter(({ settledAt }) => settledAt !== undefined && settledAt < old).length
}

function figuresOf(pages: readonly Page[]) {
  const topics = pages.flatMap((page) => page.topics)
  const sum = (amountOf: (topic: Topic) => number) => topics.reduce((total, topic) => total + amountOf(topic), 0)
  return {
    writes: pages.reduce((total, { writes }) => total + writes, 0),
    announced: sum(({ announced }) => announced),
    shownByNewStream: sum(({ shownByNewStream }) => shownByNewStream),
    leftToTheFallback: sum(({ layers }) => leftOver(layers)),
    faults: topics.flatMap(({ faults }) => faults),
  }
}
