import { isDeepStrictEqual } from "node:util"
import type { LiveRead } from "../../../engine/operations/live.ts"
import type { Outlet } from "../../../ports/http.ts"
import type { HeaderReader, Session } from "../../../ports/session-provider.ts"
import type { ChannelEvent, ChannelPage } from "../../../sql/internal/channel-events.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import { EVERY_TOPIC } from "../../../wire/realtime/live-events.ts"
import type { ChannelMembers, Membership } from "../channels/channel-members.ts"
import type { RoomListener } from "../channels/channel-room.ts"
import { type ChannelRead, ChannelTopic } from "../channels/channel-topic.ts"
import type { MembersWatcher } from "../channels/members-view.ts"
import type { Subscription } from "../queries/live-queries.ts"
import type { LiveSubscriber } from "../queries/live-query.ts"
import { LiveTopic } from "../queries/live-topic.ts"
import type { Snapshot } from "../queries/snapshot.ts"
import { eventText } from "../topics/event-text.ts"
import type { Asked, AskedChannel, AskedTopic } from "../topics/read-topics.ts"
import { OutgoingEvents } from "./outgoing-events.ts"
import { isSameText, type StreamNames } from "./stream-tokens.ts"

/** The user or the address whose streams are counted together, and how much of everything they may have. */
export interface Caller {
  readonly key: string
  readonly streams: number
  /** How many different live queries. */
  readonly queries: number
}

/** Who opened a stream, and how they want to be told. */
export interface Listener {
  readonly session: Session | null
  readonly headers: HeaderReader
  readonly caller: Caller
  /** The one that is meant where a topic names none. */
  readonly locale: string
  readonly isExtended: boolean
}

/** What a stream needs of the rest of the app. */
export interface StreamPlace {
  plan(listener: Listener, topic: AskedTopic): Promise<LiveRead>
  join(listener: Listener, read: LiveRead, subscriber: LiveSubscriber): Subscription
  /** Counts a snapshot that the client of the stream has not taken yet; returns how that ends. */
  hold(stream: LiveStream, snapshot: Snapshot): () => void
  planChannel(listener: Listener, channel: AskedChannel): Promise<ChannelRead>
  enter(read: ChannelRead, listener: RoomListener): () => void
  appear(presence: Parameters<ChannelMembers["enter"]>[0]): Membership
  watchMembers(read: ChannelRead, watcher: MembersWatcher): () => void
  readChannel(read: ChannelRead, position: number | undefined): Promise<ChannelPage>
  /** Whether changes of sessions are told; else only asking again tells whether a session is still one. */
  readonly areSessionsFollowed: boolean
  /** Who the listener is as of now. */
  readSession(listener: Listener): Promise<Session | null>
  isTemporary(error: unknown): boolean
  onClosed(stream: LiveStream): void
  onError(error: unknown): void
}

interface StreamParts {
  readonly place: StreamPlace
  readonly listener: Listener
  readonly outlet: Outlet
}

const RETRY_MS = 1_000
const RECHECK_MS = 4_000

/** The topics of one client, and the connection on which it is told of them. */
export class LiveStream {
  readonly #names: StreamNames
  readonly #place: StreamPlace
  readonly #topics = new Map<string, LiveTopic | ChannelTopic>()
  readonly #events: OutgoingEvents
  #listener: Listener
  #checking: Promise<void> | undefined
  #mustCheckAgain = false
  #check: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(names: StreamNames, { place, listener, outlet }: StreamParts) {
    this.#names = names
    this.#place = place
    this.#listener = listener
    this.#events = new OutgoingEvents({
      outlet,
      sendNewest: (topicId) => this.#sendNewest(topicId),
      hold: (snapshot) => place.hold(this, snapshot),
    })
    this.#events.say("session", names)
    this.#watchExpiry()
  }

  get id(): string {
    return this.#names.sessionId
  }

  get userId(): string | undefined {
    return this.#listener.session?.user.id
  }

  get blockedAt(): number | undefined {
    return this.#events.blockedAt
  }

  get caller(): string {
    return this.#listener.caller.key
  }

  /** Whether these are words of whoever opened the stream. */
  isOpenedBy(token: string, userId: string | undefined): boolean {
    return userId === this.userId && isSameText(token, this.#names.token)
  }

  /** Has these topics from now on: those that it has already go on as they are. */
  setTopics(asked: readonly Asked[]): void {
    const wanted = new Set(asked.map(keyOfTopic))
    for (const [id, topic] of this.#topics) if (!wanted.has(keyOfTopic(topic.asked))) this.#remove(id, topic)
    for (const topic of asked) if (!this.#isClosed && !this.#topics.has(topic.id)) this.#add(topic)
  }

  /** The rights of the topics that were judged by asking one of these resources may be others now. */
  judgeAgain(resources: ReadonlySet<string>): void {
    for (const topic of this.#topics.values()) topic.followRights(resources)
  }

  /** The session may be another now, or none: until that is known, nothing more is told. */
  doubtSession(): void {
    for (const topic of this.#topics.values()) topic.pause()
    this.checkSession()
  }

  /** Looks whether the session is still what it was. */
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

  /** Says why, and ends. */
  refuse(error: ApiError): void {
    this.#events.say("error", { topicId: EVERY_TOPIC, code: error.code, message: error.message })
    this.close()
  }

  sayGoodbye(retryMs: number): void {
    this.#events.say("bye", { retryMs })
    this.close()
  }

  /** Ends at once, whatever waits to be sent. */
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
    this.#place.onClosed(this)
  }

  #add(asked: Asked): void {
    const topic = asked.kind === "channel" ? this.#channelOf(asked) : this.#queryOf(asked)
    this.#topics.set(asked.id, topic)
    // It is planned as soon as it is known for whom.
    if (this.#checking) topic.pause()
    else void topic.plan()
  }

  #queryOf(asked: AskedTopic): LiveTopic {
    const place = this.#place
    const topicId = asked.id
    return new LiveTopic(asked, {
      plan: (planned) => place.plan(this.#listener, planned),
      caller: this.caller,
      join: (read, subscriber) => place.join(this.#listener, read, subscriber),
      isReady: () => this.#events.isReadyFor(topicId),
      postpone: () => this.#events.postpone(topicId),
      settle: () => this.#events.settle(topicId),
      show: (seq, snapshot) => this.#events.show({ topicId, seq, snapshot }),
      confirm: (seq) => {
        this.#events.say("current", { topicId, seq })
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

  #channelOf(asked: AskedChannel): ChannelTopic {
    const place = this.#place
    const channelId = asked.id
    const { isExtended } = this.#listener
    const watcher: MembersWatcher = {
      showMembers: ({ plain, extended }) => this.#events.showMembers(channelId, isExtended ? extended : plain),
    }
    const topic = new ChannelTopic(asked, {
      plan: (planned) => place.planChannel(this.#listener, planned),
      join: (read, listener) => place.enter(read, listener),
      // Who is not signed in is somebody else with each stream.
      enter: ({ key }, shown) =>
        place.appear({ ...shown, place: key, member: this.userId ?? this.id, onRefused: (error) => topic.fail(error) }),
      watch: (read) => place.watchMembers(read, watcher),
      read: (read, position) => place.readChannel(read, position),
      begin: (eventId) => this.#events.say("subscribed", { channelId, eventId: String(eventId) }),
      sayGap: (eventId) => this.#events.say("gap", { channelId, eventId: String(eventId) }),
      send: (event: ChannelEvent) => this.#events.pass(channelId, eventText(event, isExtended)),
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
    if (!(error instanceof ApiError)) this.#place.onError(error)
    const { code, message } = error instanceof ApiError ? error : new ApiError("INTERNAL_SERVER_ERROR")
    this.#events.say("error", { topicId, code, message: withFields(error, message) })
  }

  async #readUntilCurrent(): Promise<void> {
    while (this.#mustCheckAgain && !this.#isClosed) {
      this.#mustCheckAgain = false
      await this.#readSession()
    }
  }

  async #readSession(): Promise<void> {
    try {
      const session = await this.#place.readSession(this.#listener)
      // Something has become known meanwhile, and it may have been read before that.
      if (!this.#mustCheckAgain) this.#goOnAs(session)
    } catch (error) {
      this.#place.onError(error)
      this.#checkLater(RETRY_MS)
    }
  }

  #goOnAs(session: Session | null): void {
    if (this.#isClosed) return
    const hadUser = this.userId
    if (hadUser !== undefined && session?.user.id !== hadUser) {
      this.refuse(new ApiError("UNAUTHORIZED", { message: "The session has ended. Sign in again." }))
      return
    }
    const isSame = isDeepStrictEqual(session, this.#listener.session)
    this.#listener = { ...this.#listener, session }
    this.#watchExpiry()
    for (const topic of this.#topics.values()) if (!isSame || topic.isPaused) void topic.judgeAgain()
  }

  // At its end a session may have been renewed. One that does not say when it ends, or that is not ours, is asked now and then.
  #watchExpiry(): void {
    const { session } = this.#listener
    if (session === null) return
    const { expiresAt } = session.session ?? {}
    const leftMs = expiresAt ? Math.max(0, expiresAt.getTime() - Date.now()) + 1 : RECHECK_MS
    this.#checkLater(this.#place.areSessionsFollowed ? leftMs : Math.min(leftMs, RECHECK_MS))
  }

  #checkLater(delayMs: number): void {
    clearTimeout(this.#check)
    this.#check = setTimeout(() => this.checkSession(), Math.min(delayMs, MAX_TIMER_MS)).unref()
  }
}

const MAX_TIMER_MS = 2 ** 31 - 1

// An event has one sentence, and what is wrong with a filter is said of its fields.
function withFields(error: unknown, message: string): string {
  const [first] = error instanceof ApiError ? (error.fieldErrors ?? []) : []
  return first ? `${first.path}: ${first.message}` : message
}

// What is called as before may still ask for something else. Where it has got to is known here.
function keyOfTopic(asked: Asked): string {
  return JSON.stringify({ ...asked, lastHash: undefined, lastEventId: undefined })
}
