/** The events that the server sends on a stream, by name, with the type of their data. */
export interface LiveEvents {
  /**
   * The first event of every stream. A client presents `sessionId` and `token` to change the topics of the stream.
   * `userId` is the signed-in user to whom the stream belongs, or null if nobody is signed in.
   */
  session: { readonly sessionId: string; readonly token: string; readonly userId: string | null }
  /** The whole current result of a live query. `seq` increases with each event of the same topic. */
  snapshot: { readonly topicId: string; readonly seq: number; readonly hash: string; readonly data: unknown }
  /** Confirms that the snapshot of this topic that the client already has is current. */
  current: { readonly topicId: string; readonly seq: number }
  /**
   * Lists writes of the stream's own session, by the ids that the client sent with them (`WRITE_HEADER`). All topics of
   * the stream now show these writes: the snapshots that they caused were sent before.
   */
  applied: { readonly writes: readonly string[] }
  /**
   * Confirms the subscription to a channel. The client gets the events that follow `eventId`, which is 0 if no event
   * was published yet.
   */
  subscribed: { readonly channelId: string; readonly eventId: string }
  /** An event that was published in a channel. Later events have a higher `eventId`. */
  channel: { readonly channelId: string; readonly event: string; readonly eventId: string; readonly data: unknown }
  /**
   * Some events that the client has not received yet were deleted. The next events that the client gets follow
   * `eventId`.
   */
  gap: { readonly channelId: string; readonly eventId: string }
  /** The current members of a room, sent if the room's channel has presence. */
  presence: {
    readonly channelId: string
    readonly members: readonly { readonly id: string; readonly data: unknown }[]
  }
  /**
   * The first event of a collaborative document: what the client's replica lacks, and what the server has, so that the
   * client can send what the server lacks. Sent again if the rights of the client have changed. The binary members are
   * in base64.
   */
  document: {
    readonly documentId: string
    /** Identifies the document. A document that was deleted and made again has another one. */
    readonly epoch: string
    /** The name of the field, which is the name of the document's root. The request may have left it out. */
    readonly field: string
    /** The locale of the value; null if the field is not localized. */
    readonly locale: string | null
    readonly update: string
    readonly stateVector: string
    readonly canEdit: boolean
    /** The reason why the record has not got the newest value of the document. */
    readonly problem: string | null
  }
  /** An update of a collaborative document that was stored after the `document` event. It is in base64. */
  edit: { readonly documentId: string; readonly update: string }
  /** The cursors and names of other editors, as an update of the Yjs awareness protocol in base64. */
  awareness: { readonly documentId: string; readonly update: string }
  /** The record refuses the document's newest value for this reason, or accepts it again if the message is null. */
  problem: { readonly documentId: string; readonly message: string | null }
  /** The topic has ended with this error. The topic id `*` means that the whole stream has ended. */
  error: { readonly topicId: string; readonly code: string; readonly message: string }
  /** Keeps the connection alive; `ts` is the server's time in milliseconds. */
  ping: { readonly ts: number }
  /** The server is about to stop and ends the stream. The client reconnects after `retryMs` milliseconds. */
  bye: { readonly retryMs: number }
}

/** The topic id that stands for all topics of a stream. */
export const EVERY_TOPIC = "*"

/** The interval at which the server sends `ping` events on each stream. */
export const PING_INTERVAL_MS = 8_000
