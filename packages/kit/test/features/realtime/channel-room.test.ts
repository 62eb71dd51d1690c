import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { ChannelRoom, type RoomSubscriber } from "../../../src/features/realtime/channels/channel-room.ts"
import type { ChannelEvent } from "../../../src/sql/internal/channel-events.ts"
import { fakeLiveEngine } from "./fake-live-engine.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A room with one subscriber, which collects the ids of the events that it receives. */
async function roomOf(stored: number[]) {
  const received: number[] = []
  const room = new ChannelRoom({
    engine: fakeLiveEngine({}),
    read: (position) => {
      const last = stored.at(-1) ?? 0
      const from = position ?? last
      return Promise.resolve({ from, last, hasGap: false, events: stored.filter((id) => id > from).map(eventOf) })
    },
  })
  const subscriber: RoomSubscriber = {
    hasRuleFunction: false,
    renew: () => Promise.resolve(),
    receive: (events) => received.push(...events.map(({ id }) => id)),
    fallBehind: () => {},
  }
  room.add(subscriber)
  const settle = () => vi.advanceTimersByTimeAsync(0)
  room.refresh()
  await settle()
  return { room, received, settle }
}

const eventOf = (id: number): ChannelEvent => ({ id, event: "message", data: `${id}`, extended: undefined })

test("an event is passed on when the feed has announced it, and not before, because it may follow a lost right", async () => {
  const stored: number[] = [1]
  const { room, received, settle } = await roomOf(stored)
  stored.push(2, 3)

  room.onAnnounced(2)
  await settle()
  const first = [...received]
  room.onAnnounced(3)
  await settle()

  expect(first).toEqual([2])
  expect(received).toEqual([2, 3])
})

test("events that are announced together are read at once", async () => {
  const stored: number[] = []
  const { room, received, settle } = await roomOf(stored)
  stored.push(1, 2, 3)

  for (const id of stored) room.onAnnounced(id)
  await settle()

  expect(received).toEqual([1, 2, 3])
})
