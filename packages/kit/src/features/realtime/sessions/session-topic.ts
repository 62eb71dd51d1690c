import { authoredAnswer } from "../../../engine/read/answer.ts"
import { answerHash, onOneLine } from "../../../engine/read/answer-hash.ts"
import { answerText } from "../../../engine/read/answer-text.ts"
import type { Topic, TopicRequest } from "../topics/topic-kind.ts"
import type { TopicStream } from "../topics/topic-stream.ts"

/** The session of the stream's client, as the client requests it. */
export interface SessionRequest extends TopicRequest {
  readonly kind: "session"
  /** The hash of the newest snapshot that the client already has. */
  readonly lastHash: string | undefined
}

/** The session of the stream's own client, sent as `GET /auth/get-session` returns it, and again when it changes. */
export class SessionTopic implements Topic {
  readonly request: SessionRequest
  readonly #stream: TopicStream
  #lastHash: string | undefined
  #seq = 0
  #isPaused = false
  /** The callers of `whenCaughtUp` that wait until the stream has read its session again. */
  #waiting: (() => void)[] = []

  constructor(request: SessionRequest, stream: TopicStream) {
    this.request = request
    this.#stream = stream
    this.#lastHash = request.lastHash
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  plan(): Promise<void> {
    this.#isPaused = false
    this.#send()
    this.#endWaits()
    return Promise.resolve()
  }

  pause(): void {
    this.#isPaused = true
  }

  /** Called when the stream has read its session again. */
  reevaluateRules(): Promise<void> {
    return this.plan()
  }

  /** Does nothing, because everyone may see their own session. */
  onResourcesChanged(): void {}

  /** Does nothing, because a session is short enough to be sent to a slow client. */
  onDrained(): void {}

  /** Does nothing, because no snapshot is postponed. */
  sendPostponed(): void {}

  whenCaughtUp(done: () => void): void {
    if (this.#isPaused) this.#waiting.push(done)
    else done()
  }

  end(): void {
    this.#isPaused = true
    this.#endWaits()
  }

  #endWaits(): void {
    for (const done of this.#waiting.splice(0)) done()
  }

  #send(): void {
    const { session, isExtended } = this.#stream.client
    const data = answerText(authoredAnswer(session), isExtended)
    const hash = answerHash(onOneLine(data))
    const isFirst = this.#seq === 0
    const isKnown = hash === this.#lastHash
    if (isKnown && !isFirst) return
    const position = { topicId: this.request.id, seq: ++this.#seq }
    this.#lastHash = hash
    if (isKnown) this.#stream.events.send("current", position)
    else this.#stream.events.send("snapshot", { ...position, hash, data: JSON.parse(data) })
  }
}
