import type { CallOptions } from "../options/call-options.ts"
import type { ChannelTypes, PublishedEvent, UntypedChannel } from "../typed/typed-channels.ts"
import type { LiveSettings } from "./live-operations.ts"

/** What following a channel takes besides its parameters. */
export interface ChannelSettings extends LiveSettings {
  /** Begins after this event of an earlier time; without it, with what is published from now on. */
  readonly lastEventId?: string | undefined
  /** Called when events were missed for good: read again whatever they were about. */
  readonly onGap?: (() => void) | undefined
}

/** Events one after the other, each of them. */
export type ChannelEvents<Event> = AsyncGenerator<Event, void, undefined>

/** The channels of one file, as a client has them. */
export interface ChannelCalls<Declared extends ChannelTypes> {
  /** Calls with each event; answers what ends it. */
  subscribe(
    params: Declared["types"]["params"],
    onEvent: (event: Declared["types"]["event"]) => void,
    settings?: ChannelSettings,
  ): () => void
  /** The same as an iterator. */
  iter(params: Declared["types"]["params"], settings?: ChannelSettings): ChannelEvents<Declared["types"]["event"]>
  publish(message: Declared["types"]["message"], options?: CallOptions): Promise<PublishedEvent>
  /**
   * Calls with all who follow the channel now, and again whenever that has changed. Whoever calls it follows the channel too.
   * Of a channel that shows nobody it is `never`.
   */
  readonly presence: [Declared["types"]["member"]] extends [never] ? never : Presence<Declared>
}

type Presence<Declared extends ChannelTypes> = (
  params: Declared["types"]["params"],
  onMembers: (members: readonly ChannelMember<Declared["types"]["member"]>[]) => void,
  settings?: LiveSettings,
) => () => void

/** Somebody who follows a channel, however many times they do. */
export interface ChannelMember<Shown = unknown> {
  /** Of the user; who is not signed in has another one with each connection. */
  readonly id: string
  /** What the channel's `presence` says of them. */
  readonly data: Shown
}

/** The channels of a client of which no types are known. */
export type UntypedChannels = { readonly [name: string]: ChannelCalls<UntypedChannel> }
