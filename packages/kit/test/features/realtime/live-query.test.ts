import { expect, test, vi } from "vitest"
import type { LiveRead } from "../../../src/engine/operations/reads/live.ts"
import { LiveQueries } from "../../../src/features/realtime/queries/live-queries.ts"
import type { LiveSubscriber } from "../../../src/features/realtime/queries/live-query.ts"
import { QueryTopic } from "../../../src/features/realtime/queries/query-topic.ts"
import type { Snapshot } from "../../../src/features/realtime/queries/snapshot.ts"
import type { CommittedChange } from "../../../src/sql/changes/read-changes.ts"
import { fakeLiveEngine } from "./fake-live-engine.ts"
import { CLIENT, fakeStream } from "./fake-stream.ts"

const WAIT = { timeout: 60_000 }

/** A database with one number, whose answers can be kept back. */
class OneNumber {
  value = 1
  reads = 0
  readonly #held: (() => void)[] = []
  #isHolding = false

  async read(): Promise<string> {
    const { value } = this
    this.reads++
    if (this.#isHolding) await new Promise<void>((resolve) => this.#held.push(resolve))
    return JSON.stringify(value)
  }

  hold(): void {
    this.#isHolding = true
  }

  letGo(): void {
    this.#isHolding = false
    for (const answer of this.#held.splice(0)) answer()
  }
}

function readOf(resource: string, database: OneNumber): LiveRead {
  return {
    key: resource,
    reads: new Set([`collection ${resource}`]),
    ruleDependencies: new Set(),
    hasRuleFunction: false,
    isAffectedBy: () => true,
    run: async () => ({ json: await database.read(), meta: () => undefined }),
  }
}

const ROOM = { perCaller: 1_000, perProcess: 10_000 }

function openQueries(cacheBudget = ROOM) {
  const database = new OneNumber()
  const queries = new LiveQueries(fakeLiveEngine(), { maxConcurrent: 5, cacheBudget })
  return {
    database,
    queries,
    join: (resource: string, subscriber: LiveSubscriber) => queries.join(readOf(resource, database), subscriber),
    follow: (resource: string) => queries.onChanges([{ resourceKind: "collection", resource } as CommittedChange]),
  }
}

/** Lets everything happen that waits for no timer. */
async function allImmediates(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

function numberIn({ data }: Snapshot): number {
  return Number.parseInt(String(data), 10)
}

function listener() {
  const told: number[] = []
  const subscriber: LiveSubscriber = {
    client: CLIENT,
    isReady: true,
    isAhead: false,
    receive: (snapshot) => void told.push(numberIn(snapshot)),
    isExpecting: false,
    onPublished: () => {},
    postpone: () => {},
    onDelayed: () => {},
    fail: (error) => {
      throw error
    },
    renew: () => Promise.resolve(),
  }
  return { told, subscriber }
}

test("whoever leaves during a read and comes back after a change is not told what was read before it", async () => {
  const { database, join, follow } = openQueries()
  const one = listener()
  const { leave } = join("a", one.subscriber)
  const stays = listener()
  join("a", stays.subscriber)
  await vi.waitFor(() => expect(stays.told).toEqual([1]), WAIT)
  database.value = 2
  database.hold()
  void follow("a")
  await vi.waitFor(() => expect(database.reads).toBe(2), WAIT)

  leave()
  database.value = 3
  void follow("a")
  join("a", one.subscriber)
  database.letGo()

  await vi.waitFor(() => expect(stays.told).toEqual([1, 2, 3]), WAIT)
  expect(one.told).toEqual([1, 3])
  expect(database.reads).toBe(3)
})

test("whoever comes during a read is told of it, unless something has changed since", async () => {
  const { database, join } = openQueries()
  database.hold()
  const first = listener()
  join("a", first.subscriber)
  await vi.waitFor(() => expect(database.reads).toBe(1), WAIT)

  const late = Array.from({ length: 100 }, listener)
  for (const { subscriber } of late) join("a", subscriber)
  database.letGo()

  await vi.waitFor(() => expect(late.map(({ told }) => told)).toEqual(late.map(() => [1])), WAIT)
  expect(database.reads).toBe(1)
})

test("a topic that is led to another query is not told what that one knew before", async () => {
  const { database, queries, join, follow } = openQueries()
  const shown: number[] = []
  let read = readOf("a", database)
  let judge = Promise.resolve()
  const stream = fakeStream({
    engine: fakeLiveEngine(),
    evaluate: async () => {
      await judge
      return read
    },
    onEvent: (_name, { data }) => void shown.push(Number(data)),
    onFailure: (error) => {
      throw error
    },
  })
  const request = { id: "t", kind: "collection", name: "a", options: {}, lastHash: undefined } as const
  const topic = new QueryTopic(request, { stream, queries })
  await topic.plan()
  const other = listener()
  join("b", other.subscriber)
  await vi.waitFor(() => expect([shown, other.told]).toEqual([[1], [1]]), WAIT)

  let decide = () => {}
  judge = new Promise((resolve) => {
    decide = resolve
  })
  read = readOf("b", database)
  const planned = topic.plan()
  // Its query is read again for a change before this one, and shows this one, of which the other has not heard.
  database.value = 2
  void follow("a")
  await vi.waitFor(() => expect(shown).toEqual([1, 2]), WAIT)
  decide()
  await planned
  database.value = 3
  void follow("b")
  await vi.waitFor(() => expect(other.told.at(-1)).toBe(3), WAIT)
  topic.end()

  expect(shown).toEqual([...shown].sort())
})

test("a query is run again at once after a cheap run, and after an expensive one when it has rested as long", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
  const { database, join, follow } = openQueries()
  const one = listener()
  join("a", one.subscriber)
  await allImmediates()
  database.value = 2
  await follow("a")
  await allImmediates()
  // No time has passed.
  expect(one.told).toEqual([1, 2])

  database.value = 3
  database.hold()
  await follow("a")
  vi.advanceTimersByTime(200)
  database.letGo()
  await allImmediates()
  await follow("a")
  vi.advanceTimersByTime(199)
  await allImmediates()
  const { reads } = database
  vi.advanceTimersByTime(1)
  await allImmediates()

  expect([reads, database.reads]).toEqual([3, 4])
  vi.useRealTimers()
})

test("a query whose bytes are not kept is run for each newcomer, and those who have its result are not told again", async () => {
  const { database, join } = openQueries({ perCaller: 0, perProcess: 0 })
  const first = listener()
  join("a", first.subscriber)
  await vi.waitFor(() => expect(first.told).toEqual([1]), WAIT)

  const second = listener()
  join("a", second.subscriber)
  await vi.waitFor(() => expect(second.told).toEqual([1]), WAIT)

  expect(first.told).toEqual([1])
  expect(database.reads).toBe(2)
})

test("a query is not run while nobody can take its result, and is run for whoever asks then", async () => {
  const { database, join, follow } = openQueries()
  const one = listener()
  let isReady = true
  let postponed = 0
  const subscriber = {
    ...one.subscriber,
    get isReady() {
      return isReady
    },
    postpone: () => void postponed++,
  }
  const { send } = join("a", subscriber)
  await vi.waitFor(() => expect(one.told).toEqual([1]), WAIT)

  isReady = false
  for (const value of [2, 3, 4]) {
    database.value = value
    await follow("a")
  }
  expect([database.reads, postponed]).toEqual([1, 3])
  isReady = true
  send()

  await vi.waitFor(() => expect(one.told).toEqual([1, 4]), WAIT)
  expect(database.reads).toBe(2)
})
