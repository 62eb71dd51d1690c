import { collection } from "kit"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type EventReader, openEvents } from "../support/oracles/live-events.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const everyone = { read: true, create: true, update: true } as const
const topicOf = (resource: string) => ({ id: resource, resourceType: "collection", resource })

/** Delays a read of the counters after it has its rows. */
let gate: { reached(): void; readonly opened: Promise<void> } | undefined
let reads = 0

function counters(isHeldUp: boolean) {
  const plain = collection("counters")
    .fields(({ f }) => ({ value: f.number().integer().required() }))
    .access(everyone)
  if (!isHeldUp) return plain
  return plain.hooks({
    afterRead: async ({ row }) => {
      reads++
      const held = gate
      gate = undefined
      held?.reached()
      await held?.opened
      return row
    },
  })
}

const others = collection("others")
  .fields(({ f }) => ({ name: f.text() }))
  .access(everyone)

describe("a client that comes back to another process", () => {
  let quick: TestApp
  let slow: TestApp
  let id: string

  beforeAll(async () => {
    quick = await testApp({ resources: [counters(false), others] })
    slow = await testApp({ resources: [counters(true), others], config: { db: { url: quick.database.url } } })
  })

  afterAll(async () => {
    await slow[Symbol.asyncDispose]()
    await quick[Symbol.asyncDispose]()
  })

  beforeEach(async () => {
    await quick.database.query("truncate counters")
    id = String((await quick.app.system.collections["counters"]?.create({ value: 47 }))?.["id"])
  })

  const count = (value: number) => quick.app.system.collections["counters"]?.updateById({ id, data: { value } })
  const listen = ({ url }: TestApp) => openEvents({ url, topics: [topicOf("counters"), topicOf("others")] })

  /** Makes the slow process read the counter. Resolves when it has the value but has not sent it. */
  async function holdUp(value: number): Promise<() => void> {
    let open = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    const isReached = new Promise<void>((resolve) => {
      gate = { reached: resolve, opened }
    })
    await count(value)
    await isReached
    return open
  }

  test("is told nothing older than what it knows, though that process is still about to tell it", async () => {
    await using stays = await listen(slow)
    await nextValue(stays, 47)
    await using moves = await listen(quick)
    await nextValue(moves, 47)
    const open = await holdUp(48)
    await count(49)
    await nextValue(moves, 49)
    moves.close()

    await using back = await listen(slow)
    // The other topic was requested later, so the counter is waiting for its answer by now.
    await back.next("snapshot", ({ topicId }) => topicId === "others")
    open()

    await nextValue(stays, 49)
    await nextValue(back, 49)
    expect(valuesOf(stays)).toEqual([47, 48, 49])
    expect(valuesOf(back)).toEqual([49])
  })

  test("is told what is being read, if nothing was written since, and shares a read with all who come when something was", async () => {
    await using stays = await listen(slow)
    await nextValue(stays, 47)
    const open = await holdUp(48)
    reads = 0
    await using soon = await listen(slow)
    await soon.next("snapshot", ({ topicId }) => topicId === "others")
    open()
    await nextValue(soon, 48)
    expect(reads).toBe(0)

    const openAgain = await holdUp(49)
    await count(50)
    reads = 0
    const many = await Promise.all(Array.from({ length: 20 }, () => listen(slow)))
    for (const each of many) await each.next("snapshot", ({ topicId }) => topicId === "others")
    openAgain()
    for (const each of many) await nextValue(each, 50)

    expect(many.map(valuesOf)).toEqual(many.map(() => [50]))
    expect(reads).toBe(1)
    for (const each of many) await each[Symbol.asyncDispose]()
  })
})

interface Counted {
  readonly topicId: string
  readonly data: unknown
}

function shownIn({ data }: Counted): number | undefined {
  return (data as { docs: { value: number }[] }).docs[0]?.value
}

function nextValue(stream: EventReader, value: number): Promise<Counted> {
  return stream.next("snapshot", (event) => event.topicId === "counters" && shownIn(event) === value)
}

function valuesOf({ events }: EventReader): (number | undefined)[] {
  const snapshots = events.flatMap(({ name, data }) => (name === "snapshot" ? [data] : []))
  return snapshots.filter(({ topicId }) => topicId === "counters").map(shownIn)
}
