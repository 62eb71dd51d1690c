import { afterEach, beforeEach, expect, test, vi } from "vitest"
import type { ChannelPermission } from "../../../src/features/realtime/channels/channel-rights.ts"
import type { ChannelRooms } from "../../../src/features/realtime/channels/channel-rooms.ts"
import { ChannelTopic } from "../../../src/features/realtime/channels/channel-topic.ts"
import { ChannelMembers } from "../../../src/features/realtime/presence/channel-members.ts"
import { MembersViews } from "../../../src/features/realtime/presence/members-view.ts"
import type { ChannelEvent, ChannelPage } from "../../../src/sql/internal/channel-events.ts"
import { fakeLiveEngine } from "./fake-live-engine.ts"
import { fakeStream } from "./fake-stream.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const READ: ChannelPermission = {
  key: "room",
  ruleDependencies: new Set(["collection members"]),
  hasRuleFunction: false,
  presence: undefined,
}
const eventOf = (id: number): ChannelEvent => ({ id, event: "message", data: `${id}`, extended: undefined })

/** Subscribes to a channel with these stored events, and collects everything that its client receives. */
function follow(stored: number[], { lastEventId }: { lastEventId?: number } = {}) {
  const told: string[] = []
  const state = { isSlow: false, isAway: false, isDenied: false, isOpen: Promise.resolve() }
  const read = async (_room: string, position: number | undefined): Promise<ChannelPage> => {
    await state.isOpen
    if (state.isAway) throw new Error("away")
    const last = stored.at(-1) ?? 0
    const from = position ?? last
    return { from, last, hasGap: false, events: stored.filter((id) => id > from).map(eventOf) }
  }
  const engine = fakeLiveEngine({ isTemporary: (error) => String(error) === "Error: away" })
  const stream = fakeStream({
    engine,
    evaluate: () => (state.isDenied ? Promise.reject(new Error("denied")) : Promise.resolve(READ)),
    onEvent: (name, { eventId }) => told.push(name === "channel" ? `${eventId}` : `${name} ${eventId}`),
    onFailure: (error) => told.push(String(error)),
    hasRoom: () => !state.isSlow,
  })
  const topic = new ChannelTopic(
    { id: "it", kind: "channel", name: "room", params: {}, lastEventId },
    {
      stream,
      channels: new Map(),
      rooms: { join: () => () => {}, read } as unknown as ChannelRooms,
      members: new ChannelMembers(engine, { maxConnections: 1_000, message: "Full." }),
      views: new MembersViews(engine),
    },
  )
  const settle = () => vi.advanceTimersByTimeAsync(0)
  return {
    topic,
    stream,
    told,
    state,
    settle,
    publish: (id: number) => stored.push(id) && topic.receive([eventOf(id)]),
  }
}

test("what is handed over twice, or was read already, is told once", async () => {
  const { topic, told, settle, publish } = follow([1, 2], { lastEventId: 1 })
  await topic.plan()
  await settle()

  topic.receive([eventOf(1), eventOf(2)])
  publish(3)
  topic.receive([eventOf(3)])

  expect(told).toEqual(["subscribed 1", "2", "3"])
})

test("a client that is slow is told later, in order, and nothing is kept for it", async () => {
  const { topic, stream, told, state, settle, publish } = follow([])
  await topic.plan()
  await settle()

  state.isSlow = true
  publish(1)
  publish(2)
  publish(3)
  await settle()
  const whileBlocked = [...told]
  state.isSlow = false
  stream.events.drained()
  topic.onDrained()
  await settle()
  publish(4)

  expect(whileBlocked).toEqual(["subscribed 0", "1"])
  expect(told).toEqual(["subscribed 0", "1", "2", "3", "4"])
})

test("while rights are in doubt nothing is told, and after that nothing is missing", async () => {
  const { topic, told, settle, publish } = follow([])
  await topic.plan()
  await settle()

  topic.pause()
  publish(1)
  await settle()
  const inDoubt = [...told]
  await topic.plan()
  await settle()

  expect(inDoubt).toEqual(["subscribed 0"])
  expect(told).toEqual(["subscribed 0", "1"])
})

test("a right that is lost while events are read ends it before they are told", async () => {
  const { topic, told, state, settle } = follow([1], { lastEventId: 0 })
  let open = () => {}
  state.isOpen = new Promise((resolve) => {
    open = resolve
  })
  await topic.plan()
  state.isDenied = true

  topic.onResourcesChanged(new Set(["collection members"]))
  open()
  await settle()

  expect(told).toEqual(["Error: denied"])
})

test("a right that was lost before an event ends it, although the topic does not know of the change when it reads", async () => {
  const { topic, stream, told, state, settle } = follow([1], { lastEventId: 0 })
  vi.spyOn(stream, "catchUp").mockImplementation(() => {
    state.isDenied = true
    topic.onResourcesChanged(new Set(["collection members"]))
    return Promise.resolve()
  })

  await topic.plan()
  await settle()
  await settle()

  expect(told).toEqual(["Error: denied"])
})

test("a database that is away for a moment delays, and loses nothing", async () => {
  const { topic, told, state, settle, publish } = follow([])
  await topic.plan()
  await settle()

  state.isAway = true
  topic.fallBehind()
  publish(1)
  await settle()
  state.isAway = false
  await vi.advanceTimersByTimeAsync(1_000)

  expect(told).toEqual(["subscribed 0", "1"])
})
