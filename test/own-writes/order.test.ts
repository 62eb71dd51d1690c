// @module-tag full-count

import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { collection, route, type Session } from "kit"
import { expect, test } from "vitest"
import type { LiveEvents } from "../../packages/kit/src/wire/realtime/live-events.ts"
import { count } from "../support/count.ts"
import { type SeededRandom, seededRandom } from "../support/seeded-random.ts"
import { sessions, type TestApp, testApp } from "../support/worlds/test-app.ts"

const STEPS = count({ short: 60, long: 120 })
const STREAMS = 6
const COUNTERS = 4
const LADDER = 60
const FILLER = "x".repeat(100_000)
const everyone = { read: true, create: true, update: true } as const
const ann: Session = { user: { id: "ann" }, session: { id: "ann 1" } }

const counters = collection("counters")
  .fields(({ f }) => ({ number: f.number().integer(), value: f.number().integer(), filler: f.textarea() }))
  .access(everyone)
const levels = collection("levels")
  .fields(({ f }) => ({ height: f.number().integer() }))
  .access(everyone)
/** Steps that can be seen up to the height of the level, by a rule that reads it. */
const steps = collection("steps")
  .fields(({ f }) => ({ height: f.number().integer() }))
  .access({
    read: async ({ asSystem }) => {
      const [level] = (await asSystem().collections["levels"]?.find({}))?.docs ?? []
      return { height: { lte: Number(level?.["height"]) } }
    },
  })
const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text(5) }))
  .access(everyone)
/** Counts a counter twice, in two transactions. */
const twice = route().handler(async ({ input, collections }) => {
  const { id, value } = input as { id: string; value: number }
  await collections["counters"]?.updateById({ id, data: { value: value - 1 } })
  await collections["counters"]?.updateById({ id, data: { value } })
})

const TOPICS = [
  { id: "all", resourceType: "collection", resource: "counters", orderBy: { number: "asc" } },
  { id: "even", resourceType: "collection", resource: "counters", where: { number: { in: [0, 2] } } },
  { id: "short", resourceType: "collection", resource: "counters", read: { columns: { number: true, value: true } } },
  { id: "steps", resourceType: "collection", resource: "steps", limit: LADDER },
  { id: "notes", resourceType: "collection", resource: "notes" },
]

type Topic = (typeof TOPICS)[number]

type Event = { [Name in keyof LiveEvents]: { name: Name; data: LiveEvents[Name] } }[keyof LiveEvents]

/** The result of a write that topics show: this value of a counter, or the steps up to this height. */
type Effect = { readonly counter: number; readonly value: number } | { readonly height: number } | undefined

/** A stream whose client can stop reading. */
class PausedStream {
  readonly events: Event[] = []
  readonly #response: IncomingMessage
  /** The writes that began when the stream was open. */
  readonly due = new Set<string>()
  /** The number of events that the client had read when it asked for the end of a topic, by the topic's id. */
  readonly endedAt = new Map<string, number>()
  readonly #topics: readonly Topic[]
  #extra: Topic | undefined
  #text = ""
  #onEvent = () => {}

  constructor(response: IncomingMessage, topics: readonly Topic[]) {
    this.#topics = topics
    this.#response = response.setEncoding("utf8")
    response.on("data", (text: string) => this.#read(text))
  }

  static async open({ url }: TestApp, topics: readonly Topic[]): Promise<PausedStream> {
    const headers = { "content-type": "application/json", cookie: sessions.sign(ann) }
    const sent = request(`${url}/realtime`, { method: "POST", headers, agent: false })
    sent.end(JSON.stringify({ topics }))
    const [response] = await once(sent, "response")
    const stream = new PausedStream(response, topics)
    await stream.until(() => stream.events.length > topics.length)
    return stream
  }

  toggle(): void {
    if (this.#response.isPaused()) this.#response.resume()
    else this.#response.pause()
  }

  resume(): void {
    this.#response.resume()
  }

  close(): void {
    this.#response.destroy()
  }

  /** Adds a topic to the stream, and ends the one that was added before. */
  async change({ fetch }: TestApp, topic: Topic): Promise<void> {
    if (this.#extra) this.endedAt.set(this.#extra.id, this.events.length)
    this.#extra = { ...topic, id: `${topic.id} ${crypto.randomUUID()}` }
    const session = this.events.find(({ name }) => name === "session")?.data
    const body = JSON.stringify({ ...session, topics: [...this.#topics, this.#extra] })
    // A process that is busy may not answer the other one in time. Then the topics stay as they are.
    await fetch("/realtime", { method: "POST", body, session: ann })
  }

  get applied(): readonly string[] {
    return this.events.flatMap(({ name, data }) => (name === "applied" ? data.writes : []))
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        this.#onEvent = resolve
      })
    }
  }

  #read(text: string): void {
    const blocks = (this.#text + text).split("\n\n")
    this.#text = blocks.pop() ?? ""
    for (const block of blocks) {
      const [name = "", data = ""] = block.replace(/^event: /, "").split("\ndata: ")
      this.events.push({ name, data: JSON.parse(data) } as Event)
    }
    this.#onEvent()
  }
}

test("no own write is announced before every topic of the stream shows it, and each one is announced", async () => {
  const resources = [counters, levels, steps, notes]
  const config = { limits: { rate: false as const } }
  await using one = await testApp({ resources, routes: { twice }, config })
  const db = { url: one.database.url }
  await using two = await testApp({ resources, routes: { twice }, config: { ...config, db } })
  const random = seededRandom()
  const world = await createWorld(one)
  const writers = new Writers([one, two], random, world)
  const streams = await Promise.all(
    Array.from({ length: STREAMS }, (_, index) => PausedStream.open(index % 2 ? one : two, someTopics(random))),
  )

  for (let step = 0; step < STEPS; step++) {
    const stream = streams[random.below(STREAMS)] as PausedStream
    const choice = random.below(10)
    if (choice === 0) stream.toggle()
    else if (choice === 1) await stream.change(one, TOPICS[random.below(TOPICS.length)] as Topic)
    else if (choice === 2) await writers.rest()
    else writers.write(streams)
  }
  for (const stream of streams) stream.resume()
  await writers.rest()
  for (const stream of streams) await stream.until(() => [...stream.due].every((id) => stream.applied.includes(id)))
  for (const stream of streams) stream.close()

  const note = `KIT_SEED=${random.seed}`
  expect(
    streams.flatMap((stream) => faultsIn(stream, writers.effects)),
    note,
  ).toEqual([])
  for (const stream of streams) expect([...stream.applied].sort(), note).toEqual([...stream.due].sort())
  expect(writers.effects.size, note).toBeGreaterThan(STEPS / 4)
})

interface World {
  readonly counterIds: readonly string[]
  readonly levelId: string
}

async function createWorld({ app }: TestApp): Promise<World> {
  const { collections } = app.system
  const counterIds: string[] = []
  for (let number = 0; number < COUNTERS; number++) {
    const made = await collections["counters"]?.create({ number, value: 0, filler: FILLER })
    counterIds.push(String(made?.["id"]))
  }
  for (let height = 1; height <= LADDER; height++) await collections["steps"]?.create({ height })
  const level = await collections["levels"]?.create({ height: 0 })
  return { counterIds, levelId: String(level?.["id"]) }
}

/** Clients of one session that write at random. Writes of the same record follow each other, so that values only grow. */
class Writers {
  /** The effects of the successful writes, by the id of the write. */
  readonly effects = new Map<string, Effect>()
  readonly #apps: readonly TestApp[]
  readonly #random: SeededRandom
  readonly #world: World
  readonly #last = new Map<string, Promise<unknown>>()
  #value = 0
  #height = 0

  constructor(apps: readonly TestApp[], random: SeededRandom, world: World) {
    this.#apps = apps
    this.#random = random
    this.#world = world
  }

  async rest(): Promise<void> {
    await Promise.all(this.#last.values())
  }

  write(streams: readonly PausedStream[]): void {
    const app = this.#apps[this.#random.below(this.#apps.length)] as TestApp
    const id = crypto.randomUUID()
    const { key, method, path, body, effect, fails } = this.#chosen()
    for (const stream of streams) if (!fails) stream.due.add(id)
    const send = async () => {
      const headers = { "x-kit-write": id }
      const { status } = await app.fetch(path, { method, headers, body: JSON.stringify(body), session: ann })
      if (status >= 300 !== fails) throw new Error(`${method} ${path} was answered with ${status}.`)
      if (!fails) this.effects.set(id, effect)
    }
    this.#last.set(key, (this.#last.get(key) ?? Promise.resolve()).then(send))
  }

  // Values are even, because a route also stores the value before its own.
  #nextValue(): number {
    this.#value += 2
    return this.#value
  }

  #chosen() {
    const choice = this.#random.below(10)
    const counter = this.#random.below(COUNTERS)
    const counterId = this.#world.counterIds[counter] as string
    const key = `counter ${counter}`
    if (choice < 5) {
      const value = this.#nextValue()
      const effect = { counter, value }
      return { key, method: "PATCH", path: `/counters/${counterId}`, body: { value }, effect, fails: false }
    }
    if (choice < 6) {
      const value = this.#nextValue()
      const body = { id: counterId, value }
      return { key, method: "POST", path: "/twice", body, effect: { counter, value }, fails: false }
    }
    if (choice < 8) {
      const height = ++this.#height
      const path = `/levels/${this.#world.levelId}`
      return { key: "level", method: "PATCH", path, body: { height }, effect: { height }, fails: false }
    }
    const fails = choice === 8
    const body = { text: fails ? "too long" : "short" }
    return { key: "notes", method: "POST", path: "/notes", body, effect: undefined, fails }
  }
}

function someTopics(random: SeededRandom): readonly Topic[] {
  const chosen = TOPICS.filter(() => random.below(3) > 0)
  return chosen.length > 0 ? chosen : TOPICS.slice(0, 1)
}

/** Returns every announcement of a write that a topic of the stream did not show at that moment. */
function faultsIn({ events, endedAt }: PausedStream, effects: ReadonlyMap<string, Effect>): string[] {
  const shown = new Map<string, LiveEvents["snapshot"]>()
  const faults: string[] = []
  for (const [index, { name, data }] of events.entries()) {
    if (name === "snapshot") shown.set(data.topicId, data)
    for (const [id, count] of endedAt) if (index >= count) shown.delete(id)
    if (name !== "applied") continue
    for (const id of data.writes) {
      const effect = effects.get(id)
      const late = [...shown.values()].filter((snapshot) => effect && !isShown(effect, snapshot))
      faults.push(...late.map(({ topicId }) => `${topicId} did not show ${JSON.stringify(effect)}`))
    }
  }
  return faults
}

function isShown(effect: NonNullable<Effect>, { topicId, data }: LiveEvents["snapshot"]): boolean {
  const { docs } = data as { docs: { number: number; value: number; height: number }[] }
  if ("height" in effect) return !topicId.startsWith("steps") || docs.length >= effect.height
  return docs.every(({ number, value }) => number !== effect.counter || value >= effect.value)
}
