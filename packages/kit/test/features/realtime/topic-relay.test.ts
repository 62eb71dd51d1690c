import { expect, test } from "vitest"
import type { LiveStreams } from "../../../src/features/realtime/streams/live-streams.ts"
import { TopicRelay } from "../../../src/features/realtime/streams/topic-relay.ts"
import type { Connection, Statement } from "../../../src/ports/database.ts"
import type { MessageBus, Subscriber } from "../../../src/ports/message-bus.ts"
import { fakeLiveEngine } from "./fake-live-engine.ts"

const ASKED = { sessionId: "other.1", token: "t", userId: undefined, topics: [] }

/** A relay between a fake database that records its statements and a bus that listens on command. */
function openRelay() {
  const asked: Statement[] = []
  const subscribers: Subscriber[] = []
  const bus = {
    publish: () => {},
    subscribe: (_channel: string, subscriber: Subscriber) => {
      subscribers.push(subscriber)
      return () => {}
    },
  } as Partial<MessageBus> as MessageBus
  const connection = {
    query: (statement: Statement) => {
      asked.push(statement)
      // The other process answers immediately.
      for (const { onMessage } of isListening ? subscribers : []) onMessage(`${statement.values[1]} true`)
      return Promise.resolve({ rows: [] })
    },
  } as unknown as Connection
  let isListening = false
  const listen = () => {
    isListening = true
    for (const subscriber of subscribers) subscriber.onListening()
  }
  const streams = { find: () => undefined } as unknown as LiveStreams
  const relay = new TopicRelay(fakeLiveEngine({ instance: "this", connection, bus }), streams)
  return { relay, listen, asked }
}

test("nothing is handed to another process before its answer can be heard", async () => {
  const { relay, listen, asked } = openRelay()

  const first = relay.send(ASKED)
  await Promise.resolve()
  expect(asked).toEqual([])
  listen()

  expect(await first).toBe(true)
  expect(await relay.send(ASKED)).toBe(true)
  expect(asked).toHaveLength(2)
})

test("a bus that does not listen is not waited for longer than an answer", async () => {
  const { relay, asked } = openRelay()

  const sent = relay.send(ASKED)
  relay.close()

  expect(await sent).toBe(false)
  expect(asked).toEqual([])
})
