import { afterEach, beforeEach, expect, test, vi } from "vitest"
import {
  AwarenessExchange,
  type AwarenessRoom,
} from "../../../../src/features/realtime/documents/awareness/awareness-exchange.ts"
import {
  AwarenessStates,
  type StateOwner,
} from "../../../../src/features/realtime/documents/awareness/awareness-states.ts"
import type { MessageBus, Subscriber } from "../../../../src/ports/message-bus.ts"
import { fakeLiveEngine } from "../fake-live-engine.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const DOCUMENT = "d1"
const entry = (clientId: number, clock: number, state = "{}") => ({ clientId, clock, state })

/** Processes on one message bus, which counts the messages. */
function processes() {
  const subscribers = new Set<Subscriber>()
  const sent: string[] = []
  const bus = {
    publish: (_channel: string, text: string) => {
      sent.push(text)
      for (const subscriber of [...subscribers]) subscriber.onMessage(text)
    },
    subscribe: (_channel: string, subscriber: Subscriber) => {
      subscribers.add(subscriber)
      return () => subscribers.delete(subscriber)
    },
  } as Partial<MessageBus> as MessageBus
  const start = (instance: string) => new AwarenessExchange(fakeLiveEngine({ instance, bus }))
  return { start, sent, subscribers }
}

/** A room that is followed by some streams, and that collects what its subscribers are shown. */
function roomOf(...streams: readonly string[]) {
  const shown: string[] = []
  const room: AwarenessRoom = {
    states: new AwarenessStates(),
    isFollowedBy: ({ stream }) => streams.includes(stream),
    showAwareness: (entries) => {
      for (const { clientId, state } of entries) shown.push(`${clientId} ${state}`)
    },
  }
  return { room, shown }
}

const owner = (stream: string): StateOwner => ({ stream, userId: null })

test("states go to the processes that have the document open, and to no others", async () => {
  const { start, sent } = processes()
  const [one, two, three] = [start("one"), start("two"), start("three")]
  const [here, there, elsewhere] = [roomOf("one.1"), roomOf("two.1"), roomOf("three.1")]
  one.open(DOCUMENT, here.room)
  await vi.advanceTimersByTimeAsync(100)
  const alone = sent.length
  one.offer(DOCUMENT, { owner: owner("one.1"), entries: [entry(1, 1)] })
  await vi.advanceTimersByTimeAsync(100)
  const stillAlone = sent.length

  two.open(DOCUMENT, there.room)
  three.open("another", elsewhere.room)
  await vi.advanceTimersByTimeAsync(100)
  one.offer(DOCUMENT, { owner: owner("one.1"), entries: [entry(1, 2, '{"cursor":2}')] })
  await vi.advanceTimersByTimeAsync(100)
  one.removeStream(DOCUMENT, owner("one.1"))
  await vi.advanceTimersByTimeAsync(100)

  expect(stillAlone).toBe(alone)
  expect(there.shown).toEqual(["1 {}", '1 {"cursor":2}', "1 null"])
  expect(here.shown).toEqual(there.shown)
  expect(elsewhere.shown).toEqual([])
})

test("a state that comes to another process is passed to the one that holds its stream, which checks it", async () => {
  const { start } = processes()
  const [one, two] = [start("one"), start("two")]
  const { room, shown } = roomOf("one.1")
  one.open(DOCUMENT, room)

  two.offer(DOCUMENT, { owner: owner("one.1"), entries: [entry(1, 1)] })
  two.offer(DOCUMENT, { owner: owner("one.invented"), entries: [entry(2, 1)] })
  await vi.advanceTimersByTimeAsync(100)

  expect(shown).toEqual(["1 {}"])
})

test("the states of a process that crashed expire", async () => {
  const { start, subscribers } = processes()
  const [one, two] = [start("one"), start("two")]
  const { room, shown } = roomOf("one.1")
  one.open(DOCUMENT, room)
  const [mine] = subscribers
  two.open(DOCUMENT, roomOf("two.1").room)
  await vi.advanceTimersByTimeAsync(100)
  two.offer(DOCUMENT, { owner: owner("two.1"), entries: [entry(7, 1)] })
  await vi.advanceTimersByTimeAsync(100)

  for (const subscriber of subscribers) if (subscriber !== mine) subscribers.delete(subscriber)
  await vi.advanceTimersByTimeAsync(45_000)

  expect(shown).toEqual(["7 {}", "7 null"])
})

test("timers and subscriptions exist only while a document is open", async () => {
  const { start, subscribers } = processes()
  const one = start("one")

  const closings = [one.open("a", roomOf().room), one.open("b", roomOf().room)]
  await vi.advanceTimersByTimeAsync(100)
  const whileOpen = [vi.getTimerCount(), subscribers.size]
  for (const close of closings) close()

  expect(whileOpen).toEqual([1, 1])
  expect([vi.getTimerCount(), subscribers.size]).toEqual([0, 0])
})
