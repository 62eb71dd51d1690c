import type { CommittedChange } from "../../../sql/changes/read-changes.ts"
import type { TopicStream } from "./topic-stream.ts"

/** A topic that a client requests. The rest of the request is known to the topic's kind only. */
export interface TopicRequest {
  /** The client's name for the topic, unique on its stream. */
  readonly id: string
  readonly kind: string
}

/** One kind of topic, such as live queries or channels. Streams know their topics only by this interface. */
export interface TopicKind<Request extends TopicRequest = TopicRequest> {
  /** The member of a request's body that lists the topics of this kind. */
  readonly member: string
  /**
   * Parses one entry of that list, which is at this path of the body. Throws if its shape is invalid. The names in it
   * are checked later, when the topic's rules are evaluated.
   */
  read(topic: unknown, path: string): Request
  /** True if the topic is of this kind. */
  owns(request: TopicRequest): request is Request
  /**
   * Returns a key that is equal for equal topics. It covers the id and all that the client requests, but not the
   * position from which the client continues: an open topic itself knows what it has sent.
   */
  keyOf(request: Request): string
  /** Creates the topic on the stream. It sends nothing before its rules have been evaluated. */
  open(request: Request, stream: TopicStream): Topic
  /**
   * Called with committed changes, after the topics whose rules depend on them have been paused. The next changes come
   * after the returned promise has resolved.
   */
  onChanges(changes: readonly CommittedChange[]): Promise<void>
  /** Called when changes may have been missed. Everything that was read earlier may be out of date. */
  onGap(): void
  /** Called when all streams have ended and the process is about to stop. */
  close(): Promise<void>
}

/** One topic of one stream. */
export interface Topic {
  readonly request: TopicRequest
  /** True while the topic sends nothing because its rules must be evaluated again. */
  readonly isPaused: boolean
  /** Evaluates the topic's rules, and subscribes to the data that they allow. */
  plan(): Promise<void>
  /** Unsubscribes the topic, so that it sends nothing until its rules have been evaluated again. */
  pause(): void
  /** Pauses the topic and evaluates its rules again, because the client's rights may have changed. */
  reevaluateRules(): Promise<void>
  /** Evaluates the topic's rules again if their last or running evaluation queried one of these changed resources. */
  onResourcesChanged(resources: ReadonlySet<string>): void
  /** Called when the client has read everything that was sent to it. */
  onDrained(): void
  /**
   * Calls back, once, when the client has been sent everything that follows from the changes reported so far, or when
   * the topic has ended. If that is the case already, it calls back immediately. Later changes do not delay it.
   */
  whenCaughtUp(done: () => void): void
  /** Called when the client can take the snapshot that the topic has postponed. */
  sendPostponed(): void
  end(): void
}
