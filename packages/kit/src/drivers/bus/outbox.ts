/** A notification from one process to the other processes of the app. */
export interface Message {
  readonly channel: string
  readonly text: string
}

/** Sends a batch of messages. Rejects if the messages may not have been sent. */
type Send = (messages: readonly Message[]) => Promise<void>

// Messages that arrive within this time are sent as one batch, because a PostgreSQL commit with NOTIFY takes a
// server-wide lock.
const GATHER_MS = 5
const MAX_TEXT_BYTES = 7_999
const MAX_CHANNEL_BYTES = 63
// The largest number of messages that wait for a connection. Further messages are dropped, which is harmless: when the
// connection is back, every subscriber reads all changes that it has missed.
const MAX_WAITING = 10_000

/** Holds the messages that are still to be sent, without duplicates, and sends them in batches. */
export class BusOutbox {
  #waiting = new Map<string, Message>()
  #connection: Send | undefined
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  #lastSentAt = Number.NEGATIVE_INFINITY

  add(message: Message): void {
    assertSendable(message)
    if (this.#waiting.size < MAX_WAITING) this.#waiting.set(`${message.channel}\n${message.text}`, message)
    this.#sendSoon()
  }

  /** Sets the function that sends messages, and sends the messages that are waiting. */
  connect(send: Send): void {
    this.#connection = send
    this.#sendSoon()
  }

  disconnect(): void {
    this.#connection = undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** Resolves when all messages have been sent, or when the connection is lost. */
  async sendAll(): Promise<void> {
    while (this.#connection && (this.#sending || this.#waiting.size > 0)) await (this.#sending ?? this.#send())
  }

  #sendSoon(): void {
    if (!this.#connection || this.#timer || this.#sending || this.#waiting.size === 0) return
    const waitMs = this.#lastSentAt + GATHER_MS - performance.now()
    if (waitMs <= 0) void this.#send()
    else this.#timer = setTimeout(() => void this.#send(), waitMs)
  }

  #send(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#lastSentAt = performance.now()
    this.#sending = this.#sendWaiting().finally(() => {
      this.#sending = undefined
      this.#sendSoon()
    })
    return this.#sending
  }

  async #sendWaiting(): Promise<void> {
    const messages = this.#waiting
    this.#waiting = new Map()
    try {
      await this.#connection?.([...messages.values()])
    } catch {
      // The connection is lost or broken. These messages are kept, and the next connection sends them.
      this.#waiting = new Map([...messages, ...this.#waiting])
      this.disconnect()
    }
  }
}

function assertSendable({ channel, text }: Message): void {
  if (channel === "" || Buffer.byteLength(channel) > MAX_CHANNEL_BYTES) {
    throw new Error(`The name of a channel must have 1 to ${MAX_CHANNEL_BYTES} bytes: "${channel}".`)
  }
  if (Buffer.byteLength(text) > MAX_TEXT_BYTES) {
    throw new Error(`A message can have at most ${MAX_TEXT_BYTES} bytes. Store the data and send its id.`)
  }
}
