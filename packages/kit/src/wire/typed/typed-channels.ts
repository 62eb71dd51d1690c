/** The types that a channel's file declares. */
export interface ChannelTypes {
  readonly types: {
    readonly params: unknown
    /** The messages that can be published, one union member for each event. */
    readonly message: unknown
    /** The events that subscribers receive, one union member for each event. */
    readonly event: unknown
    readonly member: unknown
  }
}

export interface PublishedEvent {
  /** Later events of the same room have higher ids. */
  readonly eventId: string
}

/** Publishes to the channels of one file. */
export interface ChannelPublisher<Declared extends ChannelTypes> {
  /**
   * Stores the event. Inside a transaction, it is sent only if the transaction commits. No rule is evaluated.
   *
   * await channels.room.publish({ params: { roomId }, event: "message", data: { text } })
   */
  publish(message: Declared["types"]["message"]): Promise<PublishedEvent>
}

/** A message or an event of a channel without known types. */
export interface AnyMessage {
  readonly params?: Readonly<Record<string, string>>
  readonly event: string
  readonly data: unknown
}

/** A channel without known types. */
export interface UntypedChannel {
  readonly types: {
    readonly params: Readonly<Record<string, string>>
    readonly message: AnyMessage
    readonly event: { readonly event: string; readonly data: unknown; readonly eventId: string }
    readonly member: unknown
  }
}
