export interface Subscriber {
  onMessage(text: string): void
  /** Listening has begun, for the first time or again: earlier messages may have been missed. */
  onListening(): void
  /** Called from time to time if something was written: its writer may have crashed before it could publish. */
  onUnannouncedWrite?(): void
}

/**
 * Short messages between the processes of an app, including this one. A message can be lost, and can arrive twice after
 * a broken connection: it only announces that there is something to read, and the reader looks up what it is.
 */
export interface MessageBus {
  /** Sends soon, without waiting. Equal messages that are published close together arrive as one. */
  publish(channel: string, text: string): void
  /** Like `publish`, for a process that is about to stop: opens a connection only if no open one can be used. */
  publishBeforeStop(channel: string, text: string): Promise<void>
  /** Returns the function that ends the subscription. */
  subscribe(channel: string, subscriber: Subscriber): () => void
  /** Messages published earlier are still sent if the connection is open. */
  close(): Promise<void>
}
