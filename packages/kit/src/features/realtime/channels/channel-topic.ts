import { type ChannelEvent, type ChannelPage, MAX_EVENTS_PER_READ } from "../../../sql/internal/channel-events.ts"
import type { Membership } from "../presence/channel-members.ts"
import { AuthorizedTopic, type TopicAuthorization } from "../topics/authorized-topic.ts"
import type { ChannelTopicRequest } from "../topics/read-topics.ts"
import type { RoomSubscriber } from "./channel-room.ts"

/** The client's permission to subscribe to a room, as decided by the channel's rules. */
export interface ChannelPermission extends TopicAuthorization {
  /**
   * True if the channel's `subscribe` rule is a function that the author wrote. Its next result may differ even if no
   * data has changed.
   */
  readonly hasRuleFunction: boolean
  /** The client's presence data, which the other room members see; undefined if the channel has no presence. */
  readonly presence: PresenceData | undefined
}

interface PresenceData {
  readonly data: string
  readonly extended: string | undefined
}

/**
 * The dependencies of a channel topic: the functions that read the channel's events, and those that send to the client.
 */
interface ChannelTopicDependencies {
  plan(channel: ChannelTopicRequest): Promise<ChannelPermission>
  join(read: ChannelPermission, listener: RoomSubscriber): () => void
  /** Makes the client a member of the room. */
  becomeMember(read: ChannelPermission, shown: PresenceData): Membership
  /**
   * Sends the room's member list to the client, now and after each change; returns a function that stops sending it.
   */
  watch(read: ChannelPermission): () => void
  /** Reads the room's events after this position. */
  read(read: ChannelPermission, position: number | undefined): Promise<ChannelPage>
  /**
   * Confirms the subscription to the client. The client receives the events that follow this event id, and no earlier
   * ones.
   */
  sendSubscribed(eventId: number): void
  /** Reports to the client that some events are lost. The next events that the client receives follow this event id. */
  sendGap(eventId: number): void
  send(event: ChannelEvent): void
  fail(error: unknown): void
  isTemporary(error: unknown): boolean
  /** True while the client has not yet read the data that was sent to it. */
  isBlocked(): boolean
}

const RETRY_MS = 1_000

/**
 * One client's subscription to a room, which passes published events to this topic. The topic itself reads the events
 * that it missed: before it subscribed, while the client's rights were unknown, or while the client was slow. The
 * topic's position is an event id: the client already has the events up to it.
 */
export class ChannelTopic extends AuthorizedTopic<ChannelPermission> implements RoomSubscriber {
  readonly request: ChannelTopicRequest
  readonly #dependencies: ChannelTopicDependencies
  #position: number | undefined
  /** The permission under which the topic is subscribed; undefined while it is not subscribed. */
  #joined: ChannelPermission | undefined
  #membership: Membership | undefined
  /** True if there may be events that the room did not pass to this topic. */
  #isBehind = false
  #isReading = false
  #retry: NodeJS.Timeout | undefined

  constructor(asked: ChannelTopicRequest, place: ChannelTopicDependencies) {
    super()
    this.request = asked
    this.#dependencies = place
  }

  get hasRuleFunction(): boolean {
    return this.#joined?.hasRuleFunction ?? false
  }

  receive(events: readonly ChannelEvent[]): void {
    // While the client's rights are unknown, the topic sends no events. When the topic joins the room again, it reads
    // the events that it missed.
    if (!this.#joined) return
    if (this.#isBehind || this.#isReading) this.fallBehind()
    else this.#sendNew(events)
  }

  fallBehind(): void {
    this.#isBehind = true
    void this.#catchUp()
  }

  /** Called when the client has read everything that was sent to it. Sends the events that the client missed. */
  drained(): void {
    void this.#catchUp()
  }

  override end(): void {
    clearTimeout(this.#retry)
    this.#membership?.leave()
    super.end()
  }

  protected override planNow(): Promise<ChannelPermission> {
    return this.#dependencies.plan(this.request)
  }

  protected override join(read: ChannelPermission): () => void {
    const leave = this.#dependencies.join(read, this)
    const stopWatching = read.presence ? this.#enterRoom(read, read.presence) : undefined
    this.#joined = read
    this.fallBehind()
    return () => {
      this.#joined = undefined
      stopWatching?.()
      leave()
    }
  }

  // Makes the client a room member. The client stays a member while the channel's rules are evaluated again.
  #enterRoom(read: ChannelPermission, shown: PresenceData): () => void {
    if (this.#membership) this.#membership.change(shown)
    else this.#membership = this.#dependencies.becomeMember(read, shown)
    return this.#dependencies.watch(read)
  }

  protected override sendFailure(error: unknown): void {
    this.#dependencies.fail(error)
  }

  protected override isTemporary(error: unknown): boolean {
    return this.#dependencies.isTemporary(error)
  }

  async #catchUp(): Promise<void> {
    if (this.#isReading) return
    this.#isReading = true
    try {
      while (this.#joined && this.#isBehind && !this.#dependencies.isBlocked()) await this.#readOn(this.#joined)
    } catch (error) {
      this.#readLater(error)
    } finally {
      this.#isReading = false
    }
  }

  async #readOn(joined: ChannelPermission): Promise<void> {
    this.#isBehind = false
    const isFirst = this.#position === undefined
    const page = await this.#dependencies.read(joined, this.#position ?? this.request.lastEventId)
    // Drops the result if the topic has left the room, or has joined it again, during the read. After joining, the
    // topic reads the missed events anyway.
    if (this.#joined !== joined) return
    if (isFirst) this.#dependencies.sendSubscribed(page.hasGap ? page.last : page.from)
    if (page.hasGap) this.#skipTo(page.last)
    else this.#sendPage(page)
  }

  #skipTo(eventId: number): void {
    this.#position = eventId
    this.#dependencies.sendGap(eventId)
  }

  #sendPage({ from, events }: ChannelPage): void {
    this.#position ??= from
    this.#sendNew(events)
    if (events.length === MAX_EVENTS_PER_READ) this.#isBehind = true
  }

  // Sends the events that the client does not have yet. If the client is slow, the remaining events are read again
  // later.
  #sendNew(events: readonly ChannelEvent[]): void {
    for (const event of events) {
      if (this.#dependencies.isBlocked()) return void this.fallBehind()
      if (this.#position !== undefined && event.id <= this.#position) continue
      this.#position = event.id
      this.#dependencies.send(event)
    }
  }

  #readLater(error: unknown): void {
    clearTimeout(this.#retry)
    if (this.isTemporary(error)) this.#retry = setTimeout(() => this.fallBehind(), RETRY_MS).unref()
    else this.fail(error)
  }
}
