import type { CallOptions } from "../options/call-options.ts"
import type { ChannelTypes, PublishedEvent, UntypedChannel } from "../typed/typed-channels.ts"
import type { LiveSettings } from "./live-operations.ts"

/** The settings of a channel subscription. */
export interface ChannelSettings extends LiveSettings {
  /** Begins after this event; without it, with the events published from now on. */
  readonly lastEventId?: string | undefined
  /** Called when events were lost: read the data again that they were about. */
  readonly onGap?: (() => void) | undefined
}

/** All events of a channel, one after the other. */
export type ChannelEvents<Event> = AsyncGenerator<Event, void, undefined>

/** The operations of a client on the channels of one file. */
export interface ChannelCalls<Declared extends ChannelTypes> {
  /** Calls `onEvent` with each event; returns a function that unsubscribes. */
  subscribe(
    params: Declared["types"]["params"],
    onEvent: (event: Declared["types"]["event"]) => void,
    settings?: ChannelSettings,
  ): () => void
  /** Returns the same events as an iterator. */
  iter(params: Declared["types"]["params"], settings?: ChannelSettings): ChannelEvents<Declared["types"]["event"]>
  publish(message: Declared["types"]["message"], options?: CallOptions): Promise<PublishedEvent>
  /**
   * Calls `onMembers` with all members of the room, and again after each change. The caller becomes a member too. It is
   * `never` if the channel has no presence.
   */
  readonly presence: [Declared["types"]["member"]] extends [never] ? never : Presence<Declared>
}

type Presence<Declared extends ChannelTypes> = (
  params: Declared["types"]["params"],
  onMembers: (members: readonly ChannelMember<Declared["types"]["member"]>[]) => void,
  settings?: LiveSettings,
) => () => void

/** A member of a room, listed once for all of its connections. */
export interface ChannelMember<Shown = unknown> {
  /** The id of the user. A client that is not signed in has a different id with each connection. */
  readonly id: string
  /** The value that the channel's `presence` returns for the member. */
  readonly data: Shown
}

/** The channels of a client without known types. */
export type UntypedChannels = { readonly [name: string]: ChannelCalls<UntypedChannel> }
