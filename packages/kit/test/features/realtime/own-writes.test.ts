import { expect, test } from "vitest"
import { OwnWrites } from "../../../src/features/realtime/streams/own-writes.ts"
import { OutgoingEvents } from "../../../src/features/realtime/topics/outgoing-events.ts"
import type { Topic } from "../../../src/features/realtime/topics/topic-kind.ts"

/** A stream with one topic, which catches up when the test says so, and a client that may be slow. */
function openStream() {
  const written: string[] = []
  const waits: (() => void)[] = []
  let hasRoom = true
  const outlet = {
    write: (...parts: readonly (string | Uint8Array)[]) => {
      written.push(parts.join(""))
      return hasRoom
    },
    end: () => {},
    destroy: () => {},
  }
  const events = new OutgoingEvents({ outlet, requestSnapshot: () => {}, hold: () => () => {} })
  // The cast is safe: own writes use nothing else of a topic.
  const topic = { whenCaughtUp: (done: () => void) => void waits.push(done) } as unknown as Topic
  const ownWrites = new OwnWrites({ events, topics: () => [topic] })
  return {
    ownWrites,
    waits,
    catchUp: async () => {
      for (const done of waits.splice(0)) done()
      await Promise.resolve()
    },
    slowDown: () => {
      hasRoom = false
      events.sendText("")
      hasRoom = true
    },
    drain: async () => {
      events.drained()
      ownWrites.drained()
      await Promise.resolve()
    },
    applied: () =>
      written
        .filter((text) => text.startsWith("event: applied"))
        .map((text): string[] => JSON.parse(text.slice(text.indexOf("{"))).writes),
  }
}

test("writes that are shown at the same time share one event", async () => {
  const { ownWrites, catchUp, applied } = openStream()

  ownWrites.announce(["a"])
  ownWrites.announce(["b", "c"])
  expect(applied()).toEqual([])
  await catchUp()

  expect(applied()).toEqual([["a", "b", "c"]])
})

test("however many writes come while a topic is behind, few groups of them wait for it", async () => {
  const { ownWrites, waits, catchUp, applied } = openStream()
  const ids = Array.from({ length: 100 }, (_, number) => `${number}`)

  for (const id of ids) ownWrites.announce([id])
  const groups = waits.length
  await catchUp()
  await catchUp()

  expect(groups).toBeLessThan(10)
  expect(applied().flat()).toEqual(ids)
})

test("a client that does not read gets them together when it reads again", async () => {
  const { ownWrites, catchUp, slowDown, drain, applied } = openStream()

  slowDown()
  ownWrites.announce(["a"])
  await catchUp()
  ownWrites.announce(["b"])
  await catchUp()
  expect(applied()).toEqual([])
  await drain()

  expect(applied()).toEqual([["a", "b"]])
})

test("of very many writes the newest are kept", async () => {
  const { ownWrites, catchUp, slowDown, drain, applied } = openStream()
  const ids = Array.from({ length: 3_000 }, (_, number) => `${number}`)

  slowDown()
  for (const id of ids) ownWrites.announce([id])
  await catchUp()
  await catchUp()
  await drain()

  expect(applied().flat()).toEqual(ids.slice(-1_000))
})

test("a stream that has ended announces nothing", async () => {
  const { ownWrites, catchUp, applied } = openStream()

  ownWrites.announce(["a"])
  ownWrites.close()
  await catchUp()

  expect(applied()).toEqual([])
})
