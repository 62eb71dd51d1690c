import { isDeepStrictEqual } from "node:util"
import type { LiveRead } from "../../../engine/operations/live.ts"
import type { Outlet } from "../../../ports/http.ts"
import type { HeaderReader, Session } from "../../../ports/session-provider.ts"
import type { ChannelEvent, ChannelPage } from "../../../sql/internal/channel-events.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import { EVERY_TOPIC } from "../../../wire/realtime/live-events.ts"
import type { RoomSubscriber } from "../channels/channel-room.ts"
import { type ChannelPermission, ChannelTopic } from "../channels/channel-topic.ts"
import { eventText } from "../channels/event-text.ts"
import type { ChannelMembers, Membership } from "../presence/channel-members.ts"
import type { MembersWatcher } from "../presence/members-view.ts"
import type { Subscription } from "../queries/live-queries.ts"
import type { LiveSubscriber } from "../queries/live-query.ts"
import { LiveTopic } from "../queries/live-topic.ts"
import type { Snapshot } from "../queries/snapshot.ts"
import type { ChannelTopicRequest, LiveTopicRequest, TopicRequest } from "../topics/read-topics.ts"
import { OutgoingEvents } from "./outgoing-events.ts"
import { type StreamCredentials, timingSafeEqualText } from "./stream-tokens.ts"

/**
 * The user or the IP address that opened a stream. Streams and live queries are counted by caller, up to these limits.
 */
export interface Caller {
  readonly key: string
  readonly maxStreams: number
  /** The maximum number of different live queries that the caller may follow. */
  readonly maxQueries: number
}

/** The client that opened a stream: its session, its limits and the format of its events. */
export interface StreamClient {
  readonly session: Session | null
  readonly headers: HeaderReader
  readonly caller: Caller
  /** The locale of the topics that do not name a locale. */
  readonly locale: string
  readonly isExtended: boolean
}

/** The functions and settings that a stream needs from the process. */
export interface StreamDependencies {
  plan(listener: StreamClient, topic: LiveTopicRequest): Promise<LiveRead>
  join(listener: StreamClient, read: LiveRead, subscriber: LiveSubscriber): Subscription
  /** Counts a snapshot as unread by the stream's client; returns a function that ends the counting. */
  hold(stream: LiveStream, snapshot: Snapshot): () => void
  planChannel(listener: StreamClient, channel: ChannelTopicRequest): Promise<ChannelPermission>
  joinRoom(read: ChannelPermission, listener: RoomSubscriber): () => void
  becomeMember(presence: Parameters<ChannelMembers["enter"]>[0]): Membership
  watchMembers(read: ChannelPermission, watcher: MembersWatcher): () => void
  readChannel(read: ChannelPermission, position: number | undefined): Promise<ChannelPage>
  /** True if the change feed reports changes to sessions. Otherwise the stream has to poll its session. */
  readonly reportsSessionChanges: boolean
  /** Reads the client's current session. */
  readSession(listener: StreamClient): Promise<Session | null>
  isTemporary(error: unknown): boolean
  onClosed(stream: LiveStream): void
  onError(error: unknown): void
}

interface StreamOptions {
  readonly dependencies: StreamDependencies
  readonly client: StreamClient
  readonly outlet: Outlet
}

const RETRY_MS = 1_000
const RECHECK_MS = 4_000

/** The topics of one client, and the open response on which the client gets their events. */
export class LiveStream {
  readonly #credentials: StreamCredentials
  readonly #dependencies: StreamDependencies
  readonly #topics = new Map<string, LiveTopic | ChannelTopic>()
  readonly #events: OutgoingEvents
  #client: StreamClient
  #checking: Promise<void> | undefined
  #mustCheckAgain = false
  #check: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(names: StreamCredentials, { dependencies, client, outlet }: StreamOptions) {
    this.#credentials = names
    this.#dependencies = dependencies
    this.#client = client
    this.#events = new OutgoingEvents({
      outlet,
      sendNewest: (topicId) => this.#sendNewest(topicId),
      hold: (snapshot) => dependencies.hold(this, snapshot),
    })
    this.#events.send("session", names)
    this.#watchExpiry()
  }

  get id(): string {
    return this.#credentials.sessionId
  }

  get userId(): string | undefined {
    return this.#client.session?.user.id
  }

  get blockedAt(): number | undefined {
    return this.#events.blockedAt
  }

  get caller(): string {
    return this.#client.caller.key
  }

  /** True if this token and this user belong to the client that opened the stream. */
  isOpenedBy(token: string, userId: string | undefined): boolean {
    return userId === this.userId && timingSafeEqualText(token, this.#credentials.token)
  }

  /** Replaces the topics of the stream. Topics that the stream already has continue unchanged. */
  setTopics(asked: readonly TopicRequest[]): void {
    const wanted = new Set(asked.map(keyOfTopic))
    for (const [id, topic] of this.#topics) if (!wanted.has(keyOfTopic(topic.request))) this.#remove(id, topic)
    for (const topic of asked) if (!this.#isClosed && !this.#topics.has(topic.id)) this.#add(topic)
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

  ping(text: string): void {
    this.#events.ping(text)
  }

  drained(): void {
    this.#events.drained()
    for (const topic of this.#topics.values()) topic.drained()
  }

  /** Sends the error to the client and ends the stream. */
  refuse(error: ApiError): void {
    this.#events.send("error", { topicId: EVERY_TOPIC, code: error.code, message: error.message })
    this.close()
  }

  sendBye(retryMs: number): void {
    this.#events.send("bye", { retryMs })
    this.close()
  }

  /** Ends the stream immediately, and drops the data that has not been sent yet. */
  cut(): void {
    this.#events.destroy()
    this.close()
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#check)
    for (const [id, topic] of this.#topics) this.#remove(id, topic)
    this.#events.end()
    this.#dependencies.onClosed(this)
  }

  #add(asked: TopicRequest): void {
    const topic = asked.kind === "channel" ? this.#channelOf(asked) : this.#queryOf(asked)
    this.#topics.set(asked.id, topic)
    // While the session is being read, the new topic waits for the result.
    if (this.#checking) topic.pause()
    else void topic.plan()
  }

  #queryOf(asked: LiveTopicRequest): LiveTopic {
    const place = this.#dependencies
    const topicId = asked.id
    return new LiveTopic(asked, {
      plan: (planned) => place.plan(this.#client, planned),
      caller: this.caller,
      join: (read, subscriber) => place.join(this.#client, read, subscriber),
      isReady: () => this.#events.isReadyFor(topicId),
      postpone: () => this.#events.postpone(topicId),
      settle: () => this.#events.settle(topicId),
      sendSnapshot: (seq, snapshot) => this.#events.sendSnapshot({ topicId, seq, snapshot }),
      sendCurrent: (seq) => {
        this.#events.send("current", { topicId, seq })
        this.#events.settle(topicId)
      },
      fail: (error) => this.#endTopic(topicId, error),
      isTemporary: (error) => place.isTemporary(error),
    })
  }

  #sendNewest(topicId: string): void {
    const topic = this.#topics.get(topicId)
    if (topic instanceof LiveTopic) topic.send()
    else this.#events.settle(topicId)
  }

  #channelOf(asked: ChannelTopicRequest): ChannelTopic {
    const place = this.#dependencies
    const channelId = asked.id
    const { isExtended } = this.#client
    const watcher: MembersWatcher = {
      showMembers: ({ plain, extended }) => this.#events.queueMembers(channelId, isExtended ? extended : plain),
    }
    const topic = new ChannelTopic(asked, {
      plan: (planned) => place.planChannel(this.#client, planned),
      join: (read, listener) => place.joinRoom(read, listener),
      // A client that is not signed in has no user id, so it is a different room member with each stream.
      becomeMember: ({ key }, shown) =>
        place.becomeMember({
          ...shown,
          room: key,
          member: this.userId ?? this.id,
          onRefused: (error) => topic.fail(error),
        }),
      watch: (read) => place.watchMembers(read, watcher),
      read: (read, position) => place.readChannel(read, position),
      sendSubscribed: (eventId) => this.#events.send("subscribed", { channelId, eventId: String(eventId) }),
      sendGap: (eventId) => this.#events.send("gap", { channelId, eventId: String(eventId) }),
      send: (event: ChannelEvent) => this.#events.sendChannelEvent(channelId, eventText(event, isExtended)),
      fail: (error) => this.#endTopic(channelId, error),
      isTemporary: (error) => place.isTemporary(error),
      isBlocked: () => this.#events.isBlocked,
    })
    return topic
  }

  #remove(id: string, topic: LiveTopic | ChannelTopic): void {
    topic.end()
    this.#events.forget(id)
    this.#topics.delete(id)
  }

  #endTopic(topicId: string, error: unknown): void {
    this.#topics.delete(topicId)
    this.#events.forget(topicId)
    if (!(error instanceof ApiError)) this.#dependencies.onError(error)
    const { code, message } = error instanceof ApiError ? error : new ApiError("INTERNAL_SERVER_ERROR")
    this.#events.send("error", { topicId, code, message: withFields(error, message) })
  }

  async #readUntilCurrent(): Promise<void> {
    while (this.#mustCheckAgain && !this.#isClosed) {
      this.#mustCheckAgain = false
      await this.#readSession()
    }
  }

  async #readSession(): Promise<void> {
    try {
      const session = await this.#dependencies.readSession(this.#client)
      // The session may have changed again during the read. Then this result is dropped, and the session is read once
      // more.
      if (!this.#mustCheckAgain) this.#applySession(session)
    } catch (error) {
      this.#dependencies.onError(error)
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
    this.#checkLater(this.#dependencies.reportsSessionChanges ? leftMs : Math.min(leftMs, RECHECK_MS))
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

// Returns a key that is equal for equal requests. It covers the whole request, because a topic with the same id may
// request something else. `lastHash` and `lastEventId` are left out: the stream itself knows what it has sent.
function keyOfTopic(asked: TopicRequest): string {
  return JSON.stringify({ ...asked, lastHash: undefined, lastEventId: undefined })
}
