export interface Subscriber {
  onMessage(text: string): void
  /** Listening has begun, for the first time or again: what was said before may have been missed. */
  onListening(): void
  /** Called now and then if something was written: whoever wrote it may have died before they could say so. */
  onSilence?(): void
}

/**
 * Short messages between the processes of an app, this one included. A message can be lost, and after a broken
 * connection arrive twice: it says that there is something to read, and the reader finds out what.
 */
export interface MessageBus {
  /** Sends soon and does not wait. Equal messages that are sent close together arrive as one. */
  publish(channel: string, text: string): void
  /** As `publish`, for who is about to leave: no connection is opened for it where another will do. */
  publishLast(channel: string, text: string): Promise<void>
  /** Returns the function that ends the subscription. */
  subscribe(channel: string, subscriber: Subscriber): () => void
  /** What was published before is still sent, if the connection stands. */
  close(): Promise<void>
}
