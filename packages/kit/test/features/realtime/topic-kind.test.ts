import { expect, test } from "vitest"
import { LiveStreams } from "../../../src/features/realtime/streams/live-streams.ts"
import { readTopics } from "../../../src/features/realtime/streams/read-topics.ts"
import { checkTopicId, isJsonObject } from "../../../src/features/realtime/topics/request-shape.ts"
import type { Topic, TopicKind, TopicRequest } from "../../../src/features/realtime/topics/topic-kind.ts"
import { fakeLiveEngine } from "./fake-live-engine.ts"
import { CLIENT } from "./fake-stream.ts"

interface ClockRequest extends TopicRequest {
  readonly kind: "clock"
  readonly zone: unknown
  readonly since?: number
}

/** A kind of topic that the framework does not have, and a log of everything that a stream does with it. */
function clocks() {
  const log: string[] = []
  const topicOf = (request: TopicRequest): Topic => ({
    request,
    isPaused: false,
    plan: async () => void log.push(`plan ${request.id}`),
    pause: () => {},
    reevaluateRules: async () => {},
    onResourcesChanged: () => {},
    onDrained: () => void log.push(`drained ${request.id}`),
    sendPostponed: () => {},
    whenCaughtUp: (done) => done(),
    end: () => void log.push(`end ${request.id}`),
  })
  const kind: TopicKind<ClockRequest> = {
    member: "clocks",
    read: (topic, path) => {
      const { id, zone } = isJsonObject(topic) ? topic : {}
      checkTopicId(id, path)
      return { id, kind: "clock", zone }
    },
    owns: (request): request is ClockRequest => request.kind === "clock",
    keyOf: (request) => JSON.stringify({ ...request, since: undefined }),
    open: topicOf,
    onChanges: () => Promise.resolve(),
    onGap: () => {},
    close: async () => void log.push("close"),
  }
  return { kind, log }
}

test("a request lists the topics of each kind in a member of its own", () => {
  const { kind } = clocks()
  const read = (body: unknown) => readTopics([kind], body, 2)

  expect(read({ clocks: [{ id: "one", zone: "UTC" }] })).toEqual({
    topics: [{ id: "one", kind: "clock", zone: "UTC" }],
    stream: undefined,
  })
  expect(() => read({ channels: [] })).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR" }))
  expect(() => read({ clocks: [{ id: "*" }] })).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR" }))
})

test("a stream opens topics of any kind, keeps those that are equal, and ends the others", async () => {
  const { kind, log } = clocks()
  const streams = new LiveStreams(fakeLiveEngine(), {
    kinds: [kind],
    unsentBytes: { perCaller: 1_000, perProcess: 10_000 },
    onChanges: () => {},
    onOpened: () => {},
  })
  const clock = (id: string, since: number) => ({ id, kind: "clock", zone: "UTC", since })
  const credentials = { sessionId: "one.1", token: "t" }
  const body = streams.open({ client: CLIENT, topics: [clock("a", 1), clock("b", 1)], credentials })
  const outlet = { write: () => true, end: () => {}, destroy: () => {} }

  const { onDrained } = body.open(outlet)
  streams.find("one.1")?.setTopics([clock("b", 2), clock("c", 2)])
  onDrained()
  streams.stop()
  await streams.close()

  expect(log).toEqual(["plan a", "plan b", "end a", "plan c", "drained b", "drained c", "end b", "end c", "close"])
})
