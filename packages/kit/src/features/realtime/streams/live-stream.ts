import { isDeepStrictEqual } from "node:util"
import type { OperationContext } from "../../../engine/context/operation-context.ts"
import type { Outlet } from "../../../ports/http.ts"
import type { Session } from "../../../ports/session-provider.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import { EVERY_TOPIC } from "../../../wire/realtime/live-events.ts"
import type { LiveEngine } from "../live-engine.ts"
import type { StreamClient } from "../stream-client.ts"
import { OutgoingEvents } from "../topics/outgoing-events.ts"
import type { Topic, TopicKind, TopicRequest } from "../topics/topic-kind.ts"
import type { TopicStream } from "../topics/topic-stream.ts"
import { writerOf } from "../writer.ts"
import { OwnWrites } from "./own-writes.ts"
import type { RuleEvaluations } from "./rule-evaluations.ts"
import { type StreamCredentials, timingSafeEqualText } from "./stream-tokens.ts"
import type { UnsentSnapshots } from "./unsent-snapshots.ts"

/** The dependencies that all streams of a process share. */
export interface StreamDependencies {
  readonly engine: LiveEngine
  readonly kinds: readonly TopicKind[]
  readonly evaluations: RuleEvaluations
  readonly unsent: UnsentSnapshots
  onClosed(stream: LiveStream): void
}

/** A stream that is about to begin. */
interface NewStream {
  readonly credentials: StreamCredentials
  readonly client: StreamClient
  readonly outlet: Outlet
}

const RETRY_MS = 1_000
const RECHECK_MS = 4_000

/** The topics of one client, and the open response on which the client gets their events. */
export class LiveStream implements TopicStream {
  readonly events: OutgoingEvents
  /** The writes of the stream's own client. */
  readonly ownWrites: OwnWrites
  readonly #credentials: StreamCredentials
  readonly #dependencies: StreamDependencies
  readonly #topics = new Map<string, Topic>()
  #client: StreamClient
  #writer: string | undefined
  #checking: Promise<void> | undefined
  #mustCheckAgain = false
  #check: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(dependencies: StreamDependencies, { credentials, client, outlet }: NewStream) {
    this.#credentials = credentials
    this.#dependencies = dependencies
    this.#client = client
    const caller = client.caller.key
    this.events = new OutgoingEvents({
      outlet,
      requestSnapshot: (topicId) => this.#requestSnapshot(topicId),
      hold: (data) => dependencies.unsent.hold({ caller, data, cut: () => this.cut() }),
    })
    this.ownWrites = new OwnWrites({ events: this.events, topics: () => this.#topics.values() })
    this.#writer = writerOf(client)
    this.events.send("session", { ...credentials, userId: this.userId ?? null })
    this.#watchExpiry()
  }

  get id(): string {
    return this.#credentials.sessionId
  }

  get engine(): LiveEngine {
    return this.#dependencies.engine
  }

  get client(): StreamClient {
    return this.#client
  }

  get userId(): string | undefined {
    return this.#client.session?.user.id
  }

  /** The key of the writes that the stream's own client makes; see `writerOf`. */
  get writer(): string | undefined {
    return this.#writer
  }

  /** True if this token and this user belong to the client that opened the stream. */
  isOpenedBy(token: string, userId: string | undefined): boolean {
    return userId === this.userId && timingSafeEqualText(token, this.#credentials.token)
  }

  /** Replaces the topics of the stream. Topics that the stream already has continue unchanged. */
  setTopics(requests: readonly TopicRequest[]): void {
    const wanted = new Set(requests.map((request) => this.#keyOf(request)))
    for (const [id, topic] of this.#topics) if (!wanted.has(this.#keyOf(topic.request))) this.#remove(id, topic)
    for (const request of requests) if (!this.#isClosed && !this.#topics.has(request.id)) this.#add(request)
  }

  evaluateRules<Result>(rules: (ctx: OperationContext) => Promise<Result>): Promise<Result> {
    return this.#dependencies.evaluations.evaluate(this.#client, rules)
  }

  catchUp(): Promise<void> {
    return this.#dependencies.evaluations.catchUp()
  }

  removeFailed(topicId: string, error: unknown): void {
    this.#topics.delete(topicId)
    this.events.forget(topicId)
    if (!(error instanceof ApiError)) this.engine.onError(error)
    const { code, message } = error instanceof ApiError ? error : new ApiError("INTERNAL_SERVER_ERROR")
    this.events.send("error", { topicId, code, message: withFields(error, message) })
  }

  /** Evaluates the rules of a topic again if they queried one of these changed resources. */
  reevaluateRules(resources: ReadonlySet<string>): void {
    for (const topic of this.#topics.values()) topic.onResourcesChanged(resources)
  }

  /** Pauses all topics and reads the session again, because the session may have changed or ended. */
  pauseAndCheckSession(): void {
    for (const topic of this.#topics.values()) topic.pause()
    this.checkSession()
  }

  /**
   * Reads the session again. If the session has changed, the rules of all topics are evaluated again. If the session
   * has ended, the stream ends too.
   */
  checkSession(): void {
    this.#mustCheckAgain = true
    this.#checking ??= this.#readUntilCurrent().finally(() => {
      this.#checking = undefined
    })
  }

  drained(): void {
    this.events.drained()
    for (const topic of this.#topics.values()) topic.onDrained()
    this.ownWrites.drained()
  }

  /** Sends the error to the client and ends the stream. */
  refuse(error: ApiError): void {
    this.events.send("error", { topicId: EVERY_TOPIC, code: error.code, message: error.message })
    this.close()
  }

  sendBye(retryMs: number): void {
    this.events.send("bye", { retryMs })
    this.close()
  }

  /** Ends the stream immediately, and drops the data that has not been sent yet. */
  cut(): void {
    this.events.destroy()
    this.close()
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#check)
    this.ownWrites.close()
    for (const [id, topic] of this.#topics) this.#remove(id, topic)
    this.events.end()
    this.#dependencies.onClosed(this)
  }

  #kindOf(request: TopicRequest): TopicKind | undefined {
    return this.#dependencies.kinds.find((kind) => kind.owns(request))
  }

  #keyOf(request: TopicRequest): string | undefined {
    return this.#kindOf(request)?.keyOf(request)
  }

  #add(request: TopicRequest): void {
    const topic = this.#kindOf(request)?.open(request, this)
    if (!topic) {
      this.removeFailed(request.id, unknownKind(request))
      return
    }
    this.#topics.set(request.id, topic)
    // While the session is being read, the new topic waits for the result.
    if (this.#checking) topic.pause()
    else void topic.plan()
  }

  #requestSnapshot(topicId: string): void {
    const topic = this.#topics.get(topicId)
    if (topic) topic.sendPostponed()
    else this.events.settle(topicId)
  }

  #remove(id: string, topic: Topic): void {
    topic.end()
    this.events.forget(id)
    this.#topics.delete(id)
  }

  async #readUntilCurrent(): Promise<void> {
    while (this.#mustCheckAgain && !this.#isClosed) {
      this.#mustCheckAgain = false
      await this.#readSession()
    }
  }

  async #readSession(): Promise<void> {
    try {
      const session = await this.#dependencies.evaluations.readSession(this.#client)
      // The session may have changed again during the read. Then this result is dropped, and the session is read once
      // more.
      if (!this.#mustCheckAgain) this.#applySession(session)
    } catch (error) {
      this.engine.onError(error)
      this.#checkLater(RETRY_MS)
    }
  }

  #applySession(session: Session | null): void {
    if (this.#isClosed) return
    const hadUser = this.userId
    if (hadUser !== undefined && session?.user.id !== hadUser) {
      this.refuse(new ApiError("UNAUTHORIZED", { message: "The session has ended. Sign in again." }))
      return
    }
    const isSame = isDeepStrictEqual(session, this.#client.session)
    this.#client = { ...this.#client, session }
    this.#writer = writerOf(this.#client)
    this.#watchExpiry()
    for (const topic of this.#topics.values()) if (!isSame || topic.isPaused) void topic.reevaluateRules()
  }

  // Schedules the next read of the session. A session may be renewed before it expires, so it is read again when it
  // expires. A session without an expiry, or whose changes the feed does not report, is polled.
  #watchExpiry(): void {
    const { session } = this.#client
    if (session === null) return
    const { expiresAt } = session.session ?? {}
    const leftMs = expiresAt ? Math.max(0, expiresAt.getTime() - Date.now()) + 1 : RECHECK_MS
    this.#checkLater(this.engine.reportsSessionChanges ? leftMs : Math.min(leftMs, RECHECK_MS))
  }

  #checkLater(delayMs: number): void {
    clearTimeout(this.#check)
    this.#check = setTimeout(() => this.checkSession(), Math.min(delayMs, MAX_TIMER_MS)).unref()
  }
}

const MAX_TIMER_MS = 2 ** 31 - 1

// Returns the message for an error event. The event has a single message, but the problems of a filter are reported by
// field, so the problem of the first field becomes the message.
function withFields(error: unknown, message: string): string {
  const [first] = error instanceof ApiError ? (error.fieldErrors ?? []) : []
  return first ? `${first.path}: ${first.message}` : message
}

// Creates the error for a topic that was relayed by a process whose version of kit has more kinds of topics.
function unknownKind({ kind }: TopicRequest): ApiError {
  return new ApiError("NOT_FOUND", { message: `There is no kind of topic "${kind}".` })
}
