import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { type ChannelPermission, ChannelTopic } from "../../../src/features/realtime/channels/channel-topic.ts"
import type { ChannelEvent, ChannelPage } from "../../../src/sql/internal/channel-events.ts"

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
  const state = { isBlocked: false, isAway: false, isDenied: false, isOpen: Promise.resolve() }
  const read = async (position: number | undefined): Promise<ChannelPage> => {
    await state.isOpen
    if (state.isAway) throw new Error("away")
    const last = stored.at(-1) ?? 0
    const from = position ?? last
    return { from, last, hasGap: false, events: stored.filter((id) => id > from).map(eventOf) }
  }
  const topic = new ChannelTopic(
    { id: "it", kind: "channel", name: "room", params: {}, lastEventId },
    {
      plan: () => (state.isDenied ? Promise.reject(new Error("denied")) : Promise.resolve(READ)),
      join: () => () => {},
      becomeMember: () => ({ change: () => {}, leave: () => {} }),
      watch: () => () => {},
      read: (_read, position) => read(position),
      sendSubscribed: (id) => told.push(`begin ${id}`),
      sendGap: (id) => told.push(`gap ${id}`),
      send: ({ id }) => told.push(`${id}`),
      fail: (error) => told.push(String(error)),
      isTemporary: (error) => String(error) === "Error: away",
      isBlocked: () => state.isBlocked,
    },
  )
  const settle = () => vi.advanceTimersByTimeAsync(0)
  return { topic, told, state, settle, publish: (id: number) => stored.push(id) && topic.receive([eventOf(id)]) }
}

test("what is handed over twice, or was read already, is told once", async () => {
  const { topic, told, settle, publish } = follow([1, 2], { lastEventId: 1 })
  await topic.plan()
  await settle()

  topic.receive([eventOf(1), eventOf(2)])
  publish(3)
  topic.receive([eventOf(3)])

  expect(told).toEqual(["begin 1", "2", "3"])
})

test("a client that is slow is told later, in order, and nothing is kept for it", async () => {
  const { topic, told, state, settle, publish } = follow([])
  await topic.plan()
  await settle()

  publish(1)
  state.isBlocked = true
  publish(2)
  publish(3)
  await settle()
  const whileBlocked = [...told]
  state.isBlocked = false
  topic.drained()
  await settle()
  publish(4)

  expect(whileBlocked).toEqual(["begin 0", "1"])
  expect(told).toEqual(["begin 0", "1", "2", "3", "4"])
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

  expect(inDoubt).toEqual(["begin 0"])
  expect(told).toEqual(["begin 0", "1"])
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

  expect(told).toEqual(["begin 0", "1"])
})
