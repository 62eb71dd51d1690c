import type { CallOptions } from "../options/call-options.ts"
import type { EventPage } from "../results/results.ts"
import type { ChannelTypes, PublishedEvent, UntypedChannel } from "../typed/typed-channels.ts"
import type { LiveSettings } from "./live-operations.ts"

/** The settings of a client's subscription to a channel. */
export interface ChannelSettings extends LiveSettings {
  /** The subscription begins after this event. If omitted, it begins with the next published event. */
  readonly lastEventId?: string | undefined
  /** Called when events were lost. The app should read the data again that these events were about. */
  readonly onGap?: (() => void) | undefined
}

/** An iterator over the events of a channel, in the order in which they were published. */
export type ChannelEvents<Event> = AsyncGenerator<Event, void, undefined>

/**
 * A channel of the client, as the hooks of `kit/react` take it. The compiler infers the types from this one member, so
 * that the channels of generated types, which come from the server's copy of this package, fit the hooks of another
 * copy.
 */
export interface ChannelHandle<Types extends ChannelTypes["types"]> {
  /** Never present at run time: it only carries the types of the channel. */
  readonly "~types"?: Types
}

/** The client's operations on a channel that a file of the app declares. */
export interface ChannelCalls<Declared extends ChannelTypes> extends ChannelHandle<Declared["types"]> {
  /** Calls `onEvent` with each event of the room; returns a function that unsubscribes. */
  subscribe(
    params: Declared["types"]["params"],
    onEvent: (event: Declared["types"]["event"]) => void,
    settings?: ChannelSettings,
  ): () => void
  /** Returns an iterator over the events that `subscribe` would pass to `onEvent`. */
  iter(params: Declared["types"]["params"], settings?: ChannelSettings): ChannelEvents<Declared["types"]["event"]>
  publish(message: Declared["types"]["message"], options?: CallOptions): Promise<PublishedEvent>
  /**
   * Returns a page of the room's stored events, the newest first. Events are stored for 24 hours. Needs the right to
   * subscribe.
   *
   * const { docs, endCursor } = await client.channels.room.findEvents({ params: { roomId }, limit: 20 })
   */
  findEvents(
    options: EventOptions<Declared["types"]["params"]>,
    call?: CallOptions,
  ): Promise<EventPage<Declared["types"]["event"]>>
  /**
   * Calls `onMembers` with all members of the room, now and after each change. The caller becomes a member of the room
   * too. The type is `never` if the channel has no presence.
   */
  readonly presence: [Declared["types"]["member"]] extends [never] ? never : Presence<Declared>
}

/** The options of `findEvents`: the room, and the part of its events. */
type EventOptions<Params> = EventRange &
  (Record<never, never> extends Params ? { readonly params?: Params } : { readonly params: Params })

interface EventRange {
  /** The number of events, 50 unless set. */
  readonly limit?: number | undefined
  /** The `endCursor` of a page, to get the older events behind it; null for the newest ones. */
  readonly after?: string | null | undefined
  /** The `startCursor` of a page, to get the newer events before it; null for the oldest ones. */
  readonly before?: string | null | undefined
}

type Presence<Declared extends ChannelTypes> = (
  params: Declared["types"]["params"],
  onMembers: (members: readonly ChannelMember<Declared["types"]["member"]>[]) => void,
  settings?: LiveSettings,
) => () => void

/** A member of a room, listed once even if the member has several connections. */
export interface ChannelMember<Shown = unknown> {
  /** The id of the member's user. A client that is not signed in has a different id with each connection. */
  readonly id: string
  /** The data that the channel's `presence` function returns for the member. */
  readonly data: Shown
}

/** The channels of a client that has no generated types. */
export type UntypedChannels = { readonly [name: string]: ChannelCalls<UntypedChannel> }
