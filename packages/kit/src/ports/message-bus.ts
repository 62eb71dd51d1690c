export interface Subscriber {
  onMessage(text: string): void
  /**
   * Called when listening has begun, for the first time or after a reconnect. Messages sent before then may have been
   * missed.
   */
  onListening(): void
  /**
   * Called at intervals if something has been written to the database, in case the process that wrote it crashed before
   * it could publish a message.
   */
  onUnannouncedWrite?(): void
}

/**
 * Carries short messages from one process of an app to all of its processes, including the sending process. A message
 * can be lost, and can arrive twice after a broken connection. It only announces that there is something to read; the
 * receiver looks up the data.
 */
export interface MessageBus {
  /**
   * Sends the message soon, and returns without waiting. Equal messages published close together arrive as one message.
   */
  publish(channel: string, text: string): void
  /**
   * Like `publish`, for a process that is about to stop. Opens a new connection only if no open connection can be used.
   */
  publishBeforeStop(channel: string, text: string): Promise<void>
  /** Returns the function that ends the subscription. */
  subscribe(channel: string, subscriber: Subscriber): () => void
  /** Closes the bus. Messages that were published before are still sent if the connection is open. */
  close(): Promise<void>
}
