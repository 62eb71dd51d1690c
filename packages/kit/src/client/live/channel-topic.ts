import type { ChannelMember } from "../../wire/realtime/channel-operations.ts"
import type { LiveEvents } from "../../wire/realtime/live-events.ts"
import type { WireChannel } from "../../wire/realtime/topic.ts"
import { callSafely } from "./call-safely.ts"
import type { ChannelRequest } from "./parse-topic.ts"
import { SubscribedTopic } from "./subscribed-topic.ts"
import type { Subscription } from "./subscription.ts"

/**
 * A channel on the stream and its subscribers. A subscriber gets either the channel's events or its presence members.
 */
export class ChannelTopic extends SubscribedTopic {
  override readonly member = "channels"
  readonly #request: ChannelRequest
  readonly #presenceSubscriptions = new Set<Subscription>()
  #members: readonly ChannelMember[] | undefined
  #lastEventId: string | undefined

  constructor(id: string, asked: ChannelRequest) {
    super(id, asked.key)
    this.#request = asked
    this.#lastEventId = asked.lastEventId
  }

  override get wire(): WireChannel {
    const { channel, params } = this.#request
    return { id: this.id, channel, params, lastEventId: this.#lastEventId }
  }

  /**
   * Adds a subscriber to the channel's presence members. A subscriber that joins later gets the current members
   * immediately.
   */
  addPresence(subscription: Subscription): void {
    this.#presenceSubscriptions.add(subscription)
    this.add(subscription)
    if (this.#members) callSafely(subscription.onSnapshot, this.#members)
  }

  override remove(subscription: Subscription): void {
    this.#presenceSubscriptions.delete(subscription)
    super.remove(subscription)
  }

  /**
   * Called when the server has confirmed the subscription on a new stream. Sets the channel's start position to the event
   * with this id, unless a position is already set. Delivery starts with the event after it.
   */
  begin(eventId: string): void {
    this.#lastEventId ??= eventId
    for (const { onCurrent } of this) callSafely(onCurrent)
  }

  skipTo(eventId: string): void {
    this.#lastEventId = eventId
    for (const { onGap } of this) callSafely(onGap)
  }

  deliver({ event, eventId }: LiveEvents["channel"], data: unknown): void {
    // A new stream may repeat events that the previous, broken stream has already delivered.
    if (Number(eventId) <= Number(this.#lastEventId ?? 0)) return
    this.#lastEventId = eventId
    for (const subscription of this) {
      if (!this.#presenceSubscriptions.has(subscription)) callSafely(subscription.onSnapshot, { event, eventId, data })
    }
  }

  /** Forgets the members, whom another user has seen. The next stream sends them again to a user who may see them. */
  forgetResults(): void {
    if (this.#members) this.deliverMembers([])
    this.#members = undefined
  }

  deliverMembers(members: readonly ChannelMember[]): void {
    this.#members = members
    for (const subscription of this)
      if (this.#presenceSubscriptions.has(subscription)) callSafely(subscription.onSnapshot, members)
  }
}
