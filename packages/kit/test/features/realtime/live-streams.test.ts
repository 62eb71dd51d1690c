import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { LiveStreams } from "../../../src/features/realtime/streams/live-streams.ts"
import type { TopicRequest } from "../../../src/features/realtime/topics/topic-kind.ts"
import type { Outlet } from "../../../src/ports/http.ts"
import { fakeLiveEngine } from "./fake-live-engine.ts"
import { CLIENT } from "./fake-stream.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Streams of an app whose database never answers. */
function openStreams() {
  const streams = new LiveStreams(fakeLiveEngine(), {
    kinds: [],
    unsentBytes: { perCaller: 1_000, perProcess: 10_000 },
    onChanges: () => {},
    onOpened: () => {},
  })
  let opened = 0
  const open = (outlet: Outlet, topics: readonly TopicRequest[] = []) => {
    const credentials = { sessionId: `one.${++opened}`, token: "t" }
    return streams.open({ client: CLIENT, topics, credentials }).open(outlet)
  }
  return { streams, open }
}

function outlet(hasRoom: boolean) {
  const calls: string[] = []
  return {
    calls,
    write: (...parts: readonly (string | Uint8Array)[]) => {
      calls.push(/event: (\w+)/.exec(String(parts[0]))?.[1] ?? "")
      return hasRoom
    },
    end: () => void calls.push("end"),
    destroy: () => void calls.push("destroy"),
  }
}

test("a client that takes nothing for a minute is cut off, and another may come in its place", () => {
  const { open } = openStreams()
  const slow = outlet(false)
  open(slow)
  expect(() => open(outlet(true))).toThrow("At most 1 streams")

  vi.advanceTimersByTime(59_000)
  expect(slow.calls).toEqual(["session"])
  vi.advanceTimersByTime(12_000)

  expect(slow.calls).toContain("destroy")
  expect(open(outlet(true))).toBeDefined()
})

test("a client that takes what it is sent is kept, and told that the stream lives", () => {
  const { open } = openStreams()
  const quick = outlet(true)
  open(quick)

  vi.advanceTimersByTime(120_000)

  expect(new Set(quick.calls)).toEqual(new Set(["session", "ping"]))
})

test("a stream that has ended is cut off if its client does not take the last of it", () => {
  const { streams, open } = openStreams()
  const slow = outlet(false)
  open(slow)

  streams.stop()
  expect(slow.calls).toEqual(["session", "bye", "end"])
  vi.advanceTimersByTime(5_000)

  expect(slow.calls).toEqual(["session", "bye", "end", "destroy"])
})

test("a topic of a kind that only a newer version knows ends with an error, and the stream goes on", () => {
  const { streams, open } = openStreams()
  const quick = outlet(true)

  open(quick, [{ id: "t", kind: "later" }])

  expect(quick.calls).toEqual(["session", "error"])
  expect(streams.find("one.1")).toBeDefined()
})
