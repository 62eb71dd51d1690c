import { keyOfChange, type LiveRead } from "../../../engine/operations/live.ts"
import type { OpenBody, Outlet, OutletCallbacks } from "../../../ports/http.ts"
import type { Session } from "../../../ports/session-provider.ts"
import type { CommittedChange } from "../../../sql/changes/read-changes.ts"
import { type ChannelPage, channelEventsSince, decodeChannelPage } from "../../../sql/internal/channel-events.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import { PING_INTERVAL_MS } from "../../../wire/realtime/live-events.ts"
import { ChangeFeed } from "../changes/change-feed.ts"
import { ChannelRooms } from "../channels/channel-rooms.ts"
import { ChannelMembers } from "../presence/channel-members.ts"
import { MembersViews } from "../presence/members-view.ts"
import { LiveQueries, type Subscription } from "../queries/live-queries.ts"
import type { LiveSubscriber } from "../queries/live-query.ts"
import { FairSemaphore } from "../topics/fair-semaphore.ts"
import type { TopicRequest } from "../topics/read-topics.ts"
import { type Caller, LiveStream, type StreamClient, type StreamDependencies } from "./live-stream.ts"
import type { StreamCredentials } from "./stream-tokens.ts"
import type { StreamsDependencies } from "./streams-dependencies.ts"
import { UnsentSnapshots } from "./unsent-snapshots.ts"

// A client that reads nothing for this long is considered gone, and its stream is ended.
const MAX_BLOCKED_MS = 60_000
const RETURN_MS = 500
// The maximum number of concurrent rule evaluations, for all streams together and for each caller. The rules' queries
// wait for database connections in the same queue as requests, and must not fill that queue.
const EVALUATION_SLOTS = { total: 20, perCaller: 10 }

/** All streams of this process. Opens streams, passes committed changes to them, and ends them. */
export class LiveStreams {
  readonly #dependencies: StreamsDependencies
  readonly #streams = new Map<string, LiveStream>()
  /** The number of open streams of each caller. */
  readonly #counts = new Map<string, number>()
  readonly #queries: LiveQueries
  readonly #rooms: ChannelRooms
  readonly #members: ChannelMembers
  readonly #views: MembersViews
  readonly #feed: ChangeFeed
  readonly #unsent: UnsentSnapshots
  readonly #evaluations = new FairSemaphore(EVALUATION_SLOTS)
  readonly #streamDependencies: Omit<StreamDependencies, "onClosed">
  #pinging: NodeJS.Timeout | undefined
  #isStopping = false

  constructor(parts: StreamsDependencies) {
    this.#dependencies = parts
    const isTemporary = parts.isTemporary.bind(parts)
    this.#queries = new LiveQueries({
      maxConcurrent: parts.maxConcurrentQueries,
      cacheBudget: parts.snapshotBytes,
      isTemporary,
    })
    this.#unsent = new UnsentSnapshots(parts.snapshotBytes)
    this.#rooms = new ChannelRooms({
      maxConcurrentReads: parts.maxConcurrentQueries,
      read: (place, position) => this.#readChannel(place, position),
      onError: (error) => parts.onError(error),
    })
    this.#members = new ChannelMembers(parts)
    this.#views = new MembersViews(parts)
    this.#feed = new ChangeFeed(parts.connection, {
      onChanges: (changes) => this.#onChanges(changes),
      onGap: () => this.#recheckEverything(),
      onError: (error) => parts.onError(error),
    })
    this.#streamDependencies = {
      plan: (listener, topic) => this.#evaluate(listener, () => parts.plan(listener, topic)),
      join: (listener, read, subscriber) => this.#join(listener, read, subscriber),
      planChannel: (listener, channel) => this.#evaluate(listener, () => parts.planChannel(listener, channel)),
      hold: (stream, snapshot) => this.#unsent.hold({ caller: stream.caller, snapshot, cut: () => stream.cut() }),
      joinRoom: ({ key }, listener) => this.#rooms.join(key, listener),
      becomeMember: (presence) => this.#members.enter(presence),
      watchMembers: ({ key }, watcher) => this.#views.watch(key, watcher),
      readChannel: ({ key }, position) => this.#rooms.read(key, position),
      reportsSessionChanges: parts.reportsSessionChanges,
      readSession: (listener) => this.#readSession(listener),
      isTemporary,
      onError: (error) => parts.onError(error),
    }
  }

  /** Reads the new changes that this process or another one may have committed. */
  wake(): void {
    this.#feed.wake()
  }

  find(id: string): LiveStream | undefined {
    return this.#streams.get(id)
  }

  /** Returns the response body on which the client gets the events of its topics. */
  open(listener: StreamClient, asked: readonly TopicRequest[], credentials: StreamCredentials): OpenBody {
    const { caller } = listener
    if (this.#isStopping) throw new ApiError("SERVICE_UNAVAILABLE", { message: "The server is about to stop." })
    this.#count(caller)
    return {
      open: (outlet) => this.#begin(listener, asked, { credentials, outlet }),
      discard: () => this.#uncount(caller),
    }
  }

  /** Sends a `bye` event on every stream and ends all streams. */
  stop(): void {
    this.#isStopping = true
    for (const stream of [...this.#streams.values()]) stream.sendBye(RETURN_MS)
    this.#stopFeed()
  }

  /** Stores that no room member is connected to this process any more. */
  close(): Promise<void> {
    return this.#members.close()
  }

  #begin(client: StreamClient, asked: readonly TopicRequest[], { credentials, outlet }: NewStream): OutletCallbacks {
    const onClosed = (closed: LiveStream) => this.#forget(closed, client.caller)
    const stream = new LiveStream(credentials, {
      dependencies: { ...this.#streamDependencies, onClosed },
      client,
      outlet,
    })
    this.#streams.set(stream.id, stream)
    this.#dependencies.onOpened()
    this.#keepAlive()
    if (this.#isStopping) stream.sendBye(RETURN_MS)
    else this.#start(stream, asked)
    return {
      onDrained: () => stream.drained(),
      onClosing: () => stream.sendBye(RETURN_MS),
      onClosed: () => stream.close(),
    }
  }

  // Starts the topics of a new stream. The session is read again, because it may have ended before the stream could be
  // notified. If the change feed does not report sessions, the stream polls its session anyway.
  #start(stream: LiveStream, asked: readonly TopicRequest[]): void {
    if (stream.userId !== undefined && this.#dependencies.reportsSessionChanges) stream.checkSession()
    stream.setTopics(asked)
  }

  #count({ key, maxStreams }: Caller): void {
    const count = this.#counts.get(key) ?? 0
    if (count >= maxStreams) {
      throw new ApiError("RATE_LIMITED", {
        message: `At most ${maxStreams} streams may be open at the same time. Close one.`,
      })
    }
    this.#counts.set(key, count + 1)
  }

  #uncount({ key }: Caller): void {
    const count = (this.#counts.get(key) ?? 1) - 1
    if (count > 0) this.#counts.set(key, count)
    else this.#counts.delete(key)
  }

  #forget(stream: LiveStream, caller: Caller): void {
    this.#streams.delete(stream.id)
    this.#uncount(caller)
    if (this.#streams.size === 0) this.#stopFeed()
  }

  // Stops reading changes and sending pings, because no stream is open any more.
  #stopFeed(): void {
    clearInterval(this.#pinging)
    this.#pinging = undefined
    this.#feed.close()
  }

  // Evaluates a topic's rules after the change feed has caught up. So the evaluation sees every change committed before
  // it, and the feed reports every later change.
  async #evaluate<Read>({ caller }: StreamClient, plan: () => Promise<Read>): Promise<Read> {
    await this.#feed.catchUp()
    return this.#evaluations.run([caller.key], plan)
  }

  async #readChannel(place: string, position: number | undefined): Promise<ChannelPage> {
    const { rows } = await this.#dependencies.connection.query(channelEventsSince(place, position))
    return decodeChannelPage(rows)
  }

  // Reads the client's session. The cached session is dropped first, because it may have been read before the feed was
  // opened, and the feed does not report the changes that were committed between these two times.
  async #readSession({ session, headers, caller }: StreamClient): Promise<Session | null> {
    await this.#feed.catchUp()
    if (session) this.#dependencies.forgetSessions(new Set([session.user.id]))
    return this.#evaluations.run([caller.key], () => this.#dependencies.readSession(headers))
  }

  #join(listener: StreamClient, read: LiveRead, subscriber: LiveSubscriber): Subscription {
    const key = `${listener.isExtended} ${read.key}`
    const run = (onRead: (resource: string) => void) => this.#dependencies.run(listener, read, onRead)
    return this.#queries.join(key, subscriber, { read, maxQueriesOfCaller: listener.caller.maxQueries, run })
  }

  // Passes committed changes first to the streams, which evaluate their rules again, and then to the live queries.
  // Otherwise data could be sent that a client may no longer read.
  #onChanges(changes: readonly CommittedChange[]): Promise<void> {
    const resources = new Set(changes.map(keyOfChange))
    const users = new Set(changes.filter((change) => this.#dependencies.isOfUser(change)).map(({ record }) => record))
    if (users.size > 0) this.#dependencies.forgetSessions(users)
    for (const stream of this.#streams.values()) {
      if (stream.userId !== undefined && users.has(stream.userId)) stream.pauseAndCheckSession()
      else stream.reevaluateRules(resources)
    }
    this.#rooms.onChanges(changes)
    this.#views.onChanges(changes)
    this.#dependencies.onChanges(changes)
    return this.#queries.onChanges(changes)
  }

  #recheckEverything(): void {
    for (const stream of this.#streams.values()) stream.pauseAndCheckSession()
    this.#queries.refreshAll()
    this.#rooms.refreshAll()
    this.#views.refreshAll()
  }

  #keepAlive(): void {
    this.#pinging ??= setInterval(() => this.#ping(), PING_INTERVAL_MS).unref()
  }

  #ping(): void {
    const text = `event: ping\ndata: {"ts":${Date.now()}}\n\n`
    const longBlocked = performance.now() - MAX_BLOCKED_MS
    for (const stream of [...this.#streams.values()]) {
      if ((stream.blockedAt ?? Number.POSITIVE_INFINITY) < longBlocked) stream.cut()
      else stream.ping(text)
    }
  }
}

interface NewStream {
  readonly credentials: StreamCredentials
  readonly outlet: Outlet
}
