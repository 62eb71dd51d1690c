import type { LiveEvents } from "../../wire/realtime/live-events.ts"
import type { Snapshots } from "../../wire/realtime/live-operations.ts"
import { Backoff } from "./backoff.ts"
import { asError, Connection, isRefusal, type StreamDependencies, type StreamEnd } from "./connection.ts"
import { headerLanguage } from "./header-language.ts"
import { HiddenTab } from "./hidden-tab.ts"
import type { LiveTopic } from "./live-topic.ts"
import { OtherTabs } from "./other-tabs.ts"
import { snapshots } from "./snapshots.ts"
import type { RequestedTopic, SubscribedTopic } from "./subscribed-topic.ts"
import type { Subscribe, Subscription } from "./subscription.ts"
import { Subscriptions } from "./subscriptions.ts"

// Topics that are added or removed within this time are sent to the server in one request.
const DEBOUNCE_MS = 50
const NOT_FOUND = 404

/**
 * Carries all topics of a client over one stream: opens the stream, sends topic changes to the server, and reconnects.
 */
export class Multiplexer {
  readonly #parts: StreamDependencies
  readonly #all: ReadonlySet<Subscription>
  readonly #subscriptions: Subscriptions
  readonly #reconnect = new Backoff()
  readonly #tab: HiddenTab
  readonly #otherTabs: OtherTabs
  #connection: Connection | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  /** The earliest time at which a stream may be opened, on the clock of `performance.now()`. */
  #earliestConnectAt = 0
  /** True if the server has rejected the current topics and would reject them again. */
  #isRefused = false
  /** True while the session of the stream is being ended. */
  #isSuspended = false

  constructor(parts: StreamDependencies, all: Set<Subscription>) {
    this.#parts = parts
    this.#all = all
    this.#subscriptions = new Subscriptions(all, headerLanguage(parts.transport.config))
    this.#tab = new HiddenTab(parts.transport.config.realtime?.pauseHidden ?? true, () => this.#resume())
    parts.user.onChange(() => this.#onUserChanged())
    this.#otherTabs = new OtherTabs(parts.transport.urlOf(""), (userId) => {
      if (userId !== parts.user.id) this.reopen()
    })
  }

  add(subscription: Subscription): void {
    // The subscription may have ended while this module was being loaded.
    if (!this.#all.has(subscription) || subscription.signal?.aborted) {
      this.#subscriptions.remove(subscription)
      return
    }
    try {
      this.#subscriptions.add(subscription, () => this.remove(subscription))
    } catch (error) {
      this.#subscriptions.reject(subscription, asError(error))
      return
    }
    this.#tab.watch()
    this.#introduceSession()
    this.#topicsChanged()
  }

  remove(subscription: Subscription): void {
    if (this.#subscriptions.remove(subscription)) this.#topicsChanged()
  }

  /** Returns an iterator over the snapshots of a topic. */
  snapshots(followed: Subscription, follow: Subscribe): Snapshots<unknown> {
    return snapshots(followed, follow)
  }

  /** Closes the stream until `reopen` is called. */
  suspend(): void {
    this.#isSuspended = true
    this.#close()
  }

  /** Closes the stream and opens another one, which belongs to the user who is signed in now. */
  reopen(): void {
    this.#isSuspended = false
    this.#isRefused = false
    this.#earliestConnectAt = 0
    this.#close()
    // Code that awaits a sign-in stores the new token before the stream is opened.
    this.#syncAfter(0)
  }

  destroy(): void {
    this.#subscriptions.removeAll()
    this.#sync()
  }

  // Forgets the results of the former user, and opens another stream: the server knows these results by their hashes, and
  // would not send an equal one again.
  #onUserChanged(): void {
    this.#subscriptions.forgetResults()
    this.reopen()
  }

  #topicsChanged(): void {
    this.#isRefused = false
    if (!this.#connection) this.#syncAfter(this.#earliestConnectAt - performance.now())
    else if (this.#timer === undefined) this.#syncAfter(DEBOUNCE_MS)
  }

  #resume(): void {
    this.#earliestConnectAt = 0
    this.#sync()
  }

  #syncAfter(delayMs: number): void {
    clearTimeout(this.#timer)
    const timer = setTimeout(() => this.#sync(), Math.max(delayMs, 0))
    this.#timer = timer
    // Without subscriptions, the timer must not keep a Node process alive. The cast is needed because in browsers a
    // timer is a number without `unref`.
    if (this.#subscriptions.isEmpty) (timer as { unref?: () => void }).unref?.()
  }

  /**
   * Opens, updates or closes the stream to match the subscriptions. Called whenever the stream or the subscriptions may
   * have changed.
   */
  #sync(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const topics = this.#subscriptions.prune()
    if (topics.length === 0) this.#tab.unwatch()
    if (!this.#subscriptions.followsSession) this.#otherTabs.close()
    if (topics.length === 0 || this.#tab.isHidden || this.#isSuspended) this.#close()
    else if (this.#connection) void this.#updateTopics(this.#connection, topics)
    else if (!this.#isRefused) void this.#connect(topics)
  }

  #close(): void {
    if (!this.#connection) return
    this.#connection.close()
    this.#forgetConnection()
  }

  #forgetConnection(): void {
    this.#connection = undefined
    for (const topic of [...this.#subscriptions.queries(), ...this.#subscriptions.documents()]) topic.lose()
  }

  // Passes the id of the stream and of its user to the documents, and the user to the other tabs. Both ignore the second
  // time.
  #introduceSession(): void {
    const { session } = this.#connection ?? {}
    if (!session) return
    for (const topic of this.#subscriptions.documents()) topic.deliver({ session })
    if (this.#subscriptions.followsSession) this.#otherTabs.open(session.userId)
  }

  async #connect(topics: readonly RequestedTopic[]): Promise<void> {
    const connection: Connection = new Connection(this.#parts, {
      onSession: () => {
        this.#parts.user.see(connection.session?.userId ?? null)
        this.#introduceSession()
        this.#sync()
      },
      onSnapshot: (event) => this.#deliver(connection, event),
      onCurrent: (event) => this.#newerTopicOf(connection, event)?.confirm(),
      onApplied: ({ writes }) => {
        for (const topic of this.#subscriptions.queries()) topic.announce(writes)
      },
      onSubscribed: ({ channelId, eventId }) => {
        this.#reconnect.reset()
        this.#subscriptions.channelOf(channelId)?.begin(eventId)
      },
      onChannel: (event) => this.#deliverEvent(event),
      onGap: ({ channelId, eventId }) => this.#subscriptions.channelOf(channelId)?.skipTo(eventId),
      onPresence: (event) => this.#deliverMembers(event),
      onDocument: (documentId, event) => {
        this.#reconnect.reset()
        this.#subscriptions.documentOf(documentId)?.deliver(event)
      },
      onTopicError: (topicId, error) => this.#endTopic(topicId, error),
    })
    this.#subscriptions.resetUsedIds()
    this.#connection = connection
    this.#announceRequest(connection)
    const ending = await connection.run(topics)
    if (this.#connection !== connection) return
    this.#forgetConnection()
    const isSignedOut = ending.kind === "refused" && connection.session?.userId
    if (isSignedOut) this.#parts.user.end()
    // A client that follows the session goes on as the user who is signed in now, if any.
    this.#recover(isSignedOut && this.#subscriptions.followsSession ? { kind: "lost" } : ending)
  }

  #announceRequest(connection: Connection): void {
    for (const topic of this.#subscriptions.queries()) topic.request(connection)
  }

  #recover(ending: StreamEnd): void {
    const { isReset } = this.#reconnect
    const waitMs = ending.kind === "bye" ? ending.retryMs : this.#reconnect.nextMs()
    const isRefused = ending.kind === "refused"
    // If the server has rejected the topics, the client connects again only when the topics change: immediately or, if
    // earlier attempts failed too, not before the backoff delay has passed.
    this.#isRefused = isRefused
    this.#earliestConnectAt = isRefused && isReset ? 0 : performance.now() + waitMs
    if (!isRefused) this.#syncAfter(waitMs)
    if ("error" in ending) this.#subscriptions.fail(ending.error, isRefused)
  }

  async #updateTopics(connection: Connection, topics: readonly RequestedTopic[]): Promise<void> {
    if (!connection.canUpdate(topics)) return
    this.#announceRequest(connection)
    const error = await connection.updateTopics(topics)
    if (this.#connection !== connection) return
    if (!error) return this.#sync()
    if (isRefusal(error)) return this.#endNewTopics(connection, topics, error)
    if (!isGone(error)) return this.#syncAfter(this.#reconnect.nextMs())
    this.#close()
    this.#sync()
  }

  // Ends the new topics after the server has rejected a change of topics. Topics that the server accepted earlier
  // cannot be the reason for the rejection.
  #endNewTopics(connection: Connection, topics: readonly RequestedTopic[], error: Error): void {
    for (const { id } of topics) if (!connection.hasTopic(id)) this.#endTopic(id, error)
  }

  #deliver(connection: Connection, event: LiveEvents["snapshot"]): void {
    const topic = this.#newerTopicOf(connection, event)
    if (!topic) return
    try {
      topic.deliver(event.hash, this.#dataOf(event))
    } catch (cause) {
      this.#end(topic, new Error("The snapshot of a live query cannot be read.", { cause }))
    }
  }

  #deliverEvent(event: LiveEvents["channel"]): void {
    const topic = this.#subscriptions.channelOf(event.channelId)
    try {
      topic?.deliver(event, this.#dataOf(event))
    } catch (cause) {
      if (topic) this.#end(topic, new Error("An event of a channel cannot be read.", { cause }))
    }
  }

  #deliverMembers({ channelId, members }: LiveEvents["presence"]): void {
    const shown = members.map((member) => ({ ...member, data: this.#dataOf(member) }))
    this.#subscriptions.channelOf(channelId)?.deliverMembers(shown)
  }

  /**
   * Returns the live query to which an event belongs; undefined if the live query has ended or has received a newer
   * event.
   */
  #newerTopicOf(connection: Connection, { topicId, seq }: LiveEvents["current"]): LiveTopic | undefined {
    this.#reconnect.reset()
    const topic = this.#subscriptions.queryOf(topicId)
    return topic?.isNewer(connection, seq) ? topic : undefined
  }

  #dataOf({ data }: { readonly data: unknown }): unknown {
    const { transport, decodeAnswer } = this.#parts
    return (transport.config.useExtendedJSON ?? true) ? decodeAnswer(data) : data
  }

  #endTopic(id: string, error: Error): void {
    this.#connection?.removeTopic(id)
    const topic = this.#subscriptions.byId(id)
    if (topic) this.#end(topic, error)
  }

  #end(topic: SubscribedTopic, error: Error): void {
    this.#subscriptions.end(topic, error)
    this.#topicsChanged()
  }
}

function isGone(error: Error): boolean {
  return "status" in error && error.status === NOT_FOUND
}
