import { authoredAnswer } from "../../../engine/read/answer.ts"
import { answerHash, onOneLine } from "../../../engine/read/answer-hash.ts"
import { answerText } from "../../../engine/read/answer-text.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import type { TopicSnapshot } from "../topics/outgoing-events.ts"
import type { Topic, TopicRequest } from "../topics/topic-kind.ts"
import type { TopicStream } from "../topics/topic-stream.ts"

/** The session of the stream's client, as the client requests it. */
export interface SessionRequest extends TopicRequest {
  readonly kind: "session"
  /** The hash of the newest snapshot that the client already has. */
  readonly lastHash: string | undefined
}

interface SessionTopicDependencies {
  readonly stream: TopicStream
  /** False if the app has a session provider of its own. What such a session contains is for the server alone. */
  readonly hasIdentity: boolean
}

/** The session of the stream's own client, sent as `GET /auth/get-session` returns it, and again when it changes. */
export class SessionTopic implements Topic {
  readonly request: SessionRequest
  readonly #stream: TopicStream
  readonly #hasIdentity: boolean
  #lastHash: string | undefined
  #seq = 0
  #isPaused = false
  /** The callers of `whenCaughtUp` that wait until the client has been sent its session. */
  #waiting: (() => void)[] = []

  constructor(request: SessionRequest, { stream, hasIdentity }: SessionTopicDependencies) {
    this.request = request
    this.#stream = stream
    this.#hasIdentity = hasIdentity
    this.#lastHash = request.lastHash
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  plan(): Promise<void> {
    this.#isPaused = false
    if (this.#hasIdentity) this.#send()
    else this.#refuse()
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

  /** Does nothing, because the session of a slow client is postponed. */
  onDrained(): void {}

  sendPostponed(): void {
    if (this.#isPaused) this.#stream.events.settle(this.request.id)
    else this.#send()
  }

  whenCaughtUp(done: () => void): void {
    if (this.#isPaused || this.#stream.events.isPostponed(this.request.id)) this.#waiting.push(done)
    else done()
  }

  end(): void {
    this.#isPaused = true
    this.#endWaits()
  }

  #refuse(): void {
    this.#stream.removeFailed(this.request.id, noSessions())
    this.end()
  }

  #endWaits(): void {
    for (const done of this.#waiting.splice(0)) done()
  }

  // A session contains fields of the author, which may be long, so it waits like a snapshot for a slow client.
  #send(): void {
    const { events } = this.#stream
    const { id } = this.request
    if (!events.isReadyFor(id)) {
      events.postpone(id)
      return
    }
    this.#sendNow()
    events.settle(id)
    this.#endWaits()
  }

  #sendNow(): void {
    const { events, client } = this.#stream
    const data = onOneLine(answerText(authoredAnswer(client.session), client.isExtended))
    const hash = answerHash(data)
    const isFirst = this.#seq === 0
    const isKnown = hash === this.#lastHash
    if (isKnown && !isFirst) return
    const position = { topicId: this.request.id, seq: ++this.#seq }
    this.#lastHash = hash
    if (isKnown) events.send("current", position)
    else events.sendSnapshot(snapshotOf({ ...position, hash }, data))
  }
}

// Returns the event that sends the session, whose JSON is `data`.
function snapshotOf(position: { topicId: string; seq: number; hash: string }, data: string): TopicSnapshot {
  const event = Buffer.from(`event: snapshot\ndata: ${JSON.stringify(position).slice(0, -1)},"data":${data}}\n\n`)
  return { topicId: position.topicId, parts: [event], data: event }
}

function noSessions(): ApiError {
  return new ApiError("NOT_FOUND", {
    message: "The app has a session provider of its own, whose sessions are not sent to clients.",
  })
}
