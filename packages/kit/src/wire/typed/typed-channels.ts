/** The types that a channel's file declares, for clients and publishers. */
export interface ChannelTypes {
  readonly types: {
    readonly params: unknown
    /** The messages that can be published in the channel: a union with one member for each event. */
    readonly message: unknown
    /** The events that the channel's subscribers receive: a union with one member for each event. */
    readonly event: unknown
    readonly member: unknown
  }
}

export interface PublishedEvent {
  /** The id of the event. Later events in the same room have higher ids. */
  readonly eventId: string
}

/** Publishes events in a channel that a file of the app declares. */
export interface ChannelPublisher<Declared extends ChannelTypes> {
  /**
   * Stores the event for the room's subscribers. Inside a transaction, the event is sent only if the transaction
   * commits. No access rule is evaluated.
   *
   * await channels.room.publish({ params: { roomId }, event: "message", data: { text } })
   */
  publish(message: Declared["types"]["message"]): Promise<PublishedEvent>
}

/** A message to publish in a channel that has no generated types. */
export interface AnyMessage {
  readonly params?: Readonly<Record<string, string>>
  readonly event: string
  readonly data: unknown
}

/** The types of a channel that has no generated types. */
export interface UntypedChannel {
  readonly types: {
    readonly params: Readonly<Record<string, string>>
    readonly message: AnyMessage
    readonly event: { readonly event: string; readonly data: unknown; readonly eventId: string }
    readonly member: unknown
  }
}
