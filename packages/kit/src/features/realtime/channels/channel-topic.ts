import { type ChannelEvent, type ChannelPage, MAX_EVENTS_PER_READ } from "../../../sql/internal/channel-events.ts"
import type { ChannelMembers, Membership } from "../presence/channel-members.ts"
import type { MemberListText, MembersViews, MembersWatcher } from "../presence/members-view.ts"
import { AuthorizedTopic } from "../topics/authorized-topic.ts"
import type { TopicStream } from "../topics/topic-stream.ts"
import { addressOf } from "./channel-address.ts"
import type { ChannelRequest } from "./channel-request.ts"
import { type ChannelPermission, evaluateSubscribe } from "./channel-rights.ts"
import type { RoomSubscriber } from "./channel-room.ts"
import type { ChannelRooms } from "./channel-rooms.ts"
import type { CompiledChannels } from "./compile-channels.ts"
import { eventText } from "./event-text.ts"
import type { SerializedData } from "./serialized-data.ts"

interface ChannelTopicDependencies {
  readonly stream: TopicStream
  readonly channels: CompiledChannels
  readonly rooms: ChannelRooms
  readonly members: ChannelMembers
  readonly views: MembersViews
}

const RETRY_MS = 1_000
const END = "}\n\n"

/**
 * One client's subscription to a room, which passes published events to this topic. The topic itself reads the events
 * that it missed: before it subscribed, while the client's rights were unknown, or while the client was slow. The
 * topic's position is an event id: the client already has the events up to it.
 */
export class ChannelTopic
  extends AuthorizedTopic<ChannelRequest, ChannelPermission>
  implements RoomSubscriber, MembersWatcher
{
  readonly #dependencies: ChannelTopicDependencies
  #position: number | undefined
  /** The permission under which the topic is subscribed; undefined while it is not subscribed. */
  #joined: ChannelPermission | undefined
  #membership: Membership | undefined
  /** True if there may be events that the room did not pass to this topic. */
  #isBehind = false
  #isReading = false
  #retry: NodeJS.Timeout | undefined

  constructor(request: ChannelRequest, dependencies: ChannelTopicDependencies) {
    super(request, dependencies.stream)
    this.#dependencies = dependencies
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

  showMembers({ plain, extended }: MemberListText): void {
    const members = this.stream.client.isExtended ? extended : plain
    this.stream.events.sendLatest(this.request.id, `event: presence\ndata: {${this.#idMember},"members":`, members, END)
  }

  /** Sends the events that the client has missed while it was slow. */
  override onDrained(): void {
    void this.#catchUp()
  }

  override end(): void {
    clearTimeout(this.#retry)
    this.#membership?.leave()
    super.end()
  }

  protected override planNow(): Promise<ChannelPermission> {
    const { name, params } = this.request
    return this.stream.evaluateRules(async (ctx) =>
      evaluateSubscribe(ctx, addressOf(this.#dependencies.channels, name, params)),
    )
  }

  protected override join(read: ChannelPermission): () => void {
    const leave = this.#dependencies.rooms.join(read.key, this)
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
  #enterRoom({ key }: ChannelPermission, shown: SerializedData): () => void {
    if (this.#membership) this.#membership.change(shown)
    else this.#membership = this.#becomeMember(key, shown)
    return this.#dependencies.views.watch(key, this)
  }

  // Makes the client a member of the room. A client that is not signed in has no user id, so it is a different member
  // with each stream.
  #becomeMember(room: string, shown: SerializedData): Membership {
    const member = this.stream.client.session?.user.id ?? this.stream.id
    return this.#dependencies.members.enter({ ...shown, room, member, onRefused: (error) => this.fail(error) })
  }

  async #catchUp(): Promise<void> {
    if (this.#isReading) return
    this.#isReading = true
    try {
      while (this.#joined && this.#isBehind && !this.stream.events.isBlocked) await this.#readOn(this.#joined)
    } catch (error) {
      this.#readLater(error)
    } finally {
      this.#isReading = false
    }
  }

  async #readOn(joined: ChannelPermission): Promise<void> {
    this.#isBehind = false
    const isFirst = this.#position === undefined
    const page = await this.#dependencies.rooms.read(joined.key, this.#position ?? this.request.lastEventId)
    // A change before one of the events may have taken the client's rights away.
    if (page.events.length > 0) await this.stream.catchUp()
    // Drops the result if the topic has left the room, or has joined it again, during the read. After joining, the
    // topic reads the missed events anyway.
    if (this.#joined !== joined) return
    if (isFirst) this.#confirm(page.hasGap ? page.last : page.from)
    if (page.hasGap) this.#skipTo(page.last)
    else this.#sendPage(page)
  }

  // Confirms the subscription to the client. The client receives the events that follow this event id, and no earlier
  // ones.
  #confirm(eventId: number): void {
    this.stream.events.send("subscribed", { channelId: this.request.id, eventId: String(eventId) })
  }

  // Reports to the client that some events are lost. The next events that the client receives follow this event id.
  #skipTo(eventId: number): void {
    this.#position = eventId
    this.stream.events.send("gap", { channelId: this.request.id, eventId: String(eventId) })
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
      if (this.stream.events.isBlocked) return void this.fallBehind()
      if (this.#position !== undefined && event.id <= this.#position) continue
      this.#position = event.id
      this.#send(event)
    }
  }

  // Sends an event. All subscribers share its text; only the beginning differs between them.
  #send(event: ChannelEvent): void {
    const text = eventText(event, this.stream.client.isExtended)
    this.stream.events.sendText(`event: channel\ndata: {${this.#idMember},`, text)
  }

  get #idMember(): string {
    return `"channelId":${JSON.stringify(this.request.id)}`
  }

  #readLater(error: unknown): void {
    clearTimeout(this.#retry)
    if (this.stream.engine.isTemporary(error)) this.#retry = setTimeout(() => this.fallBehind(), RETRY_MS).unref()
    else this.fail(error)
  }
}
