/** What a channel's file says about its types. */
export interface ChannelTypes {
  readonly types: {
    readonly params: unknown
    /** What is published, one member for each event. */
    readonly message: unknown
    /** What arrives, one member for each event. */
    readonly event: unknown
    readonly member: unknown
  }
}

export interface PublishedEvent {
  /** Later events of the same channel have higher ones. */
  readonly eventId: string
}

/** Publishes to the channels of one file. */
export interface ChannelPublisher<Declared extends ChannelTypes> {
  /**
   * Stores the event, in a transaction as part of it: it is sent only if that commits. No rule is asked.
   *
   * await channels.room.publish({ params: { roomId }, event: "message", data: { text } })
   */
  publish(message: Declared["types"]["message"]): Promise<PublishedEvent>
}

/** A message or an event of a channel of which no types are known. */
export interface AnyMessage {
  readonly params?: Readonly<Record<string, string>>
  readonly event: string
  readonly data: unknown
}

/** A channel of which no types are known. */
export interface UntypedChannel {
  readonly types: {
    readonly params: Readonly<Record<string, string>>
    readonly message: AnyMessage
    readonly event: { readonly event: string; readonly data: unknown; readonly eventId: string }
    readonly member: unknown
  }
}
