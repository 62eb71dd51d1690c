import type { OperationContext } from "../../../engine/context/operation-context.ts"
import type { LiveEngine } from "../live-engine.ts"
import type { StreamClient } from "../stream-client.ts"
import type { OutgoingEvents } from "./outgoing-events.ts"

/** A stream, as its topics see it. */
export interface TopicStream {
  readonly id: string
  readonly engine: LiveEngine
  /** The client, with its current session. */
  readonly client: StreamClient
  /** Sends events to the client. */
  readonly events: OutgoingEvents
  /** Evaluates the rules of a topic with the client's current session. */
  evaluateRules<Result>(rules: (ctx: OperationContext) => Promise<Result>): Promise<Result>
  /** Resolves when the topics know all changes that were committed before this call. */
  catchUp(): Promise<void>
  /** Removes a topic that has ended, and sends the client the error that ended it. */
  removeFailed(topicId: string, error: unknown): void
}
