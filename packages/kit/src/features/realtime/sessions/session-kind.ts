import { readMembers } from "../../../engine/context/read-members.ts"
import { invalid } from "../../../wire/errors/api-error.ts"
import { checkTopicId } from "../topics/request-shape.ts"
import type { Topic, TopicKind, TopicRequest } from "../topics/topic-kind.ts"
import type { TopicStream } from "../topics/topic-stream.ts"
import { type SessionRequest, SessionTopic } from "./session-topic.ts"

/** The kind of topic that is the session of the stream's own client. */
export class SessionKind implements TopicKind<SessionRequest> {
  readonly member = "sessions"
  readonly #hasIdentity: boolean

  /** `hasIdentity` is false if the app has a session provider of its own. */
  constructor(hasIdentity: boolean) {
    this.#hasIdentity = hasIdentity
  }

  read(topic: unknown, path: string): SessionRequest {
    const { id, lastHash } = readMembers(topic, ["id", "lastHash"], path)
    checkTopicId(id, path)
    if (lastHash !== undefined && typeof lastHash !== "string") throw invalid(`${path}.lastHash`, "Expected a text.")
    return { id, kind: "session", lastHash }
  }

  owns(request: TopicRequest): request is SessionRequest {
    return request.kind === "session"
  }

  keyOf({ id }: SessionRequest): string {
    return JSON.stringify(["session", id])
  }

  open(request: SessionRequest, stream: TopicStream): Topic {
    return new SessionTopic(request, { stream, hasIdentity: this.#hasIdentity })
  }

  /** Does nothing, because the stream itself reads its session again when its user has changed. */
  onChanges(): Promise<void> {
    return Promise.resolve()
  }

  /** Does nothing, because the stream itself reads its session again. */
  onGap(): void {}

  close(): Promise<void> {
    return Promise.resolve()
  }
}
