import type { ChannelMember } from "../../wire/realtime/channel-operations.ts"
import type { LiveEvents } from "../../wire/realtime/live-events.ts"
import type { WireChannel } from "../../wire/realtime/topic.ts"
import { FollowedTopic } from "./followed-topic.ts"
import type { Subscription } from "./subscription.ts"
import { tell } from "./tell.ts"
import type { NamedChannel } from "./topic-of.ts"

/** A channel of the stream, and all who follow it: its events, or who is there. */
export class ChannelTopic extends FollowedTopic {
  readonly #asked: NamedChannel
  readonly #watchers = new Set<Subscription>()
  #members: readonly ChannelMember[] | undefined
  #lastEventId: string | undefined

  constructor(id: string, asked: NamedChannel) {
    super(id, asked.key)
    this.#asked = asked
    this.#lastEventId = asked.lastEventId
  }

  override get wire(): WireChannel {
    const { channel, params } = this.#asked
    return { id: this.id, channel, params, lastEventId: this.#lastEventId }
  }

  /** Follows who is there; whoever comes late is told at once. */
  watch(subscription: Subscription): void {
    this.#watchers.add(subscription)
    this.add(subscription)
    if (this.#members) tell(subscription.onSnapshot, this.#members)
  }

  override remove(subscription: Subscription): void {
    this.#watchers.delete(subscription)
    super.remove(subscription)
  }

  /** Everything up to this event is known, or was never asked for. */
  begin(eventId: string): void {
    this.#lastEventId ??= eventId
  }

  skipTo(eventId: string): void {
    this.#lastEventId = eventId
    for (const { onGap } of this) tell(onGap)
  }

  deliver({ event, eventId }: LiveEvents["channel"], data: unknown): void {
    // What a stream that broke has given already is not given again.
    if (Number(eventId) <= Number(this.#lastEventId ?? 0)) return
    this.#lastEventId = eventId
    for (const subscription of this) {
      if (!this.#watchers.has(subscription)) tell(subscription.onSnapshot, { event, eventId, data })
    }
  }

  show(members: readonly ChannelMember[]): void {
    this.#members = members
    for (const subscription of this) if (this.#watchers.has(subscription)) tell(subscription.onSnapshot, members)
  }
}
