import { LiveTopic } from "./live-topic.ts"

/** The session of the client itself. It is followed like a live query, but has no options. */
export class SessionTopic extends LiveTopic {
  override readonly member = "sessions"
}
