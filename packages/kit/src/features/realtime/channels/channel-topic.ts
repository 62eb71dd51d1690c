import { type ChannelEvent, type ChannelPage, MAX_EVENTS_PER_READ } from "../../../sql/internal/channel-events.ts"
import { AuthorizedTopic, type TopicAuthorization } from "../topics/authorized-topic.ts"
import type { ChannelTopicRequest } from "../topics/read-topics.ts"
import type { Membership } from "./channel-members.ts"
import type { RoomSubscriber } from "./channel-room.ts"

/** The client's permission to follow a room: the result of evaluating the rules of its channel. */
export interface ChannelPermission extends TopicAuthorization {
  /** True if the rule is a function of the author, which may decide differently the next time. */
  readonly hasRuleFunction: boolean
  /** The client's presence data, which other members see; undefined if the channel has no presence. */
  readonly presence: PresenceData | undefined
}

interface PresenceData {
  readonly data: string
  readonly extended: string | undefined
}

/** The dependencies of a channel topic: the source of its events, and the functions that send to its client. */
export interface ChannelTopicDependencies {
  plan(channel: ChannelTopicRequest): Promise<ChannelPermission>
  join(read: ChannelPermission, listener: RoomSubscriber): () => void
  /** Makes the client a member of the room. */
  becomeMember(read: ChannelPermission, shown: PresenceData): Membership
  /** Sends the client the members of the room, also after each change; returns a function that ends this. */
  watch(read: ChannelPermission): () => void
  /** Reads the events since the position. */
  read(read: ChannelPermission, position: number | undefined): Promise<ChannelPage>
  /** Sends the client its first position: it has received or missed all events up to this one. */
  sendSubscribed(eventId: number): void
  /** Reports to the client that events are missing, and that the following events come after this one. */
  sendGap(eventId: number): void
  send(event: ChannelEvent): void
  fail(error: unknown): void
  isTemporary(error: unknown): boolean
  /** True while the client is slow to read what it was sent. */
  isBlocked(): boolean
}

const RETRY_MS = 1_000

/**
 * A channel of one stream. The room passes published events to it. It reads by itself the events that it missed: before
 * it subscribed, while its rights were unknown, or while its client was slow. Its position shows which events are new.
 */
export class ChannelTopic extends AuthorizedTopic<ChannelPermission> implements RoomSubscriber {
  readonly request: ChannelTopicRequest
  readonly #dependencies: ChannelTopicDependencies
  #position: number | undefined
  /** The permission under which it is subscribed now. */
  #joined: ChannelPermission | undefined
  #membership: Membership | undefined
  /** True if there may be events that the room did not pass to it. */
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
    // While its rights are unknown, it sends nothing. When it joins again, it reads the events that it missed.
    if (!this.#joined) return
    if (this.#isBehind || this.#isReading) this.fallBehind()
    else this.#sendNew(events)
  }

  fallBehind(): void {
    this.#isBehind = true
    void this.#catchUp()
  }

  /** The client reads events again. */
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

  // The client stays a member while its rules are evaluated again.
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
    // The topic has left or joined again during the read; see `receive`.
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

  // Events that a slow client cannot take now are read again for it later.
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
