import type { LiveEngine } from "../../../src/features/realtime/live-engine.ts"
import type { StreamClient } from "../../../src/features/realtime/stream-client.ts"
import { OutgoingEvents } from "../../../src/features/realtime/topics/outgoing-events.ts"
import type { TopicStream } from "../../../src/features/realtime/topics/topic-stream.ts"

export const CLIENT: StreamClient = {
  session: null,
  headers: { get: () => null },
  caller: { key: "somebody", maxStreams: 1, maxQueries: 10 },
  locale: "en",
  isExtended: false,
}

interface FakeClient {
  readonly engine: LiveEngine
  /** Takes the place of the topic's rules, and returns what they would. */
  evaluate(): Promise<unknown>
  onEvent(name: string, data: Readonly<Record<string, unknown>>): void
  onFailure(error: unknown): void
  /** False if the client takes events more slowly than they come. */
  hasRoom?(): boolean
  requestSnapshot?(): void
}

/** A stream whose client is the test. */
export function fakeStream(client: FakeClient): TopicStream {
  const { engine, evaluate, onEvent, onFailure, hasRoom = () => true, requestSnapshot = () => {} } = client
  const write = (...parts: readonly (string | Uint8Array)[]) => {
    const [, name = "", data = ""] = /^event: (\w+)\ndata: (.*)\n\n$/.exec(parts.map(String).join("")) ?? []
    onEvent(name, JSON.parse(data))
    return hasRoom()
  }
  const outlet = { write, end: () => {}, destroy: () => {} }
  return {
    id: "one.1",
    engine,
    client: CLIENT,
    events: new OutgoingEvents({ outlet, requestSnapshot, hold: () => () => {} }),
    evaluateRules: <Result>() => evaluate() as Promise<Result>,
    catchUp: () => Promise.resolve(),
    removeFailed: (_topicId, error) => onFailure(error),
  }
}
