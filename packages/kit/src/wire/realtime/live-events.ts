/** What the server says on a stream of live queries: the name of each event, and its data. */
export interface LiveEvents {
  /** The first one. With both a client changes the topics of this stream. */
  session: { readonly sessionId: string; readonly token: string }
  /** The whole result of a topic as it is now; `seq` rises with each event of the topic. */
  snapshot: { readonly topicId: string; readonly seq: number; readonly hash: string; readonly data: unknown }
  /** What the client has of this topic is what there is. */
  current: { readonly topicId: string; readonly seq: number }
  /** The channel is followed; what comes of it comes after this event, which is 0 where there was none. */
  subscribed: { readonly channelId: string; readonly eventId: string }
  /** What was published in a channel; ids rise. */
  channel: { readonly channelId: string; readonly event: string; readonly eventId: string; readonly data: unknown }
  /** Of what was published since the event that the client knew, something is forgotten; this is where it goes on. */
  gap: { readonly channelId: string; readonly eventId: string }
  /** All who follow a channel that shows them. */
  presence: {
    readonly channelId: string
    readonly members: readonly { readonly id: string; readonly data: unknown }[]
  }
  /** The topic has ended; `*` means that the whole stream has. */
  error: { readonly topicId: string; readonly code: string; readonly message: string }
  /** A sign of life. */
  ping: { readonly ts: number }
  /** The server is about to stop: come back after this time. */
  bye: { readonly retryMs: number }
}

/** Stands for all topics of a stream. */
export const EVERY_TOPIC = "*"

/** How often a stream gives a sign of life. */
export const PING_INTERVAL_MS = 8_000
