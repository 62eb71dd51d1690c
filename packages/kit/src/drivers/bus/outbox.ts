/** What one process says to others. */
export interface Message {
  readonly channel: string
  readonly text: string
}

/** Sends the messages together; rejects where it cannot tell that they were sent. */
export type Send = (messages: readonly Message[]) => Promise<void>

// What is said within this time is sent together: a commit of Postgres that notifies takes a lock of the whole server.
const GATHER_MS = 5
const MAX_TEXT_BYTES = 7_999
const MAX_CHANNEL_BYTES = 63
// While there is no connection, what cannot be kept is lost; who listens again reads everything anyway.
const MAX_WAITING = 10_000

/** What is still to be sent: each message once, and all of it together. */
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

  /** From now on messages can be sent. */
  connect(send: Send): void {
    this.#connection = send
    this.#sendSoon()
  }

  disconnect(): void {
    this.#connection = undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** Resolves when nothing waits, or nothing can be sent. */
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
      // The connection is gone or of no use, and the next one sends them.
      this.#waiting = new Map([...messages, ...this.#waiting])
      this.disconnect()
    }
  }
}

function assertSendable({ channel, text }: Message): void {
  if (channel === "" || Buffer.byteLength(channel) > MAX_CHANNEL_BYTES) {
    throw new Error(`The name of a channel has 1 to ${MAX_CHANNEL_BYTES} bytes; "${channel}" has not.`)
  }
  if (Buffer.byteLength(text) > MAX_TEXT_BYTES) {
    throw new Error(`A message has at most ${MAX_TEXT_BYTES} bytes. Store what it is about and send its id.`)
  }
}
