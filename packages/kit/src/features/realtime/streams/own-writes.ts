import type { OutgoingEvents } from "../topics/outgoing-events.ts"
import type { Topic } from "../topics/topic-kind.ts"

interface OwnWritesDependencies {
  readonly events: OutgoingEvents
  /** Returns the topics that the stream has now. */
  topics(): Iterable<Topic>
}

// The maximum number of groups of writes that wait for topics at the same time. The writes that come meanwhile form the
// next group.
const MAX_GROUPS = 8
// The maximum number of writes in the next group, and of those that wait for a slow client. The oldest ones are dropped:
// a client does not wait for the announcement of a write forever.
const MAX_KEPT_WRITES = 1_000

/**
 * The writes of a stream's own client that the change feed has reported. They are announced when all topics of the
 * stream have sent everything that follows from them.
 */
export class OwnWrites {
  readonly #dependencies: OwnWritesDependencies
  #groups = 0
  #next: string[] = []
  /** The writes that all topics show, and that have not been announced yet. */
  #shown: string[] = []
  #isSending = false
  #isClosed = false

  constructor(dependencies: OwnWritesDependencies) {
    this.#dependencies = dependencies
  }

  /** Announces these writes, now or later. The topics have been notified of the changes that the writes made. */
  announce(writes: readonly string[]): void {
    if (this.#groups < MAX_GROUPS) this.#waitForTopics(writes)
    else this.#next = newest([...this.#next, ...writes])
  }

  /** Called when the client has read everything that was sent to it. */
  drained(): void {
    this.#sendSoon()
  }

  /** Called when the stream ends. Nothing more is announced. */
  close(): void {
    this.#isClosed = true
  }

  #waitForTopics(writes: readonly string[]): void {
    const topics = [...this.#dependencies.topics()]
    let unfinished = topics.length
    this.#groups++
    const finish = () => {
      unfinished--
      if (unfinished <= 0) this.#onShown(writes)
    }
    if (topics.length === 0) finish()
    for (const topic of topics) topic.whenCaughtUp(finish)
  }

  #onShown(writes: readonly string[]): void {
    this.#groups--
    if (this.#isClosed) return
    this.#shown = newest([...this.#shown, ...writes])
    this.#sendSoon()
    const next = this.#next
    this.#next = []
    if (next.length > 0) this.#waitForTopics(next)
  }

  // Sends the announcement after the current turn, so that groups which end together share one event.
  #sendSoon(): void {
    if (this.#isSending) return
    this.#isSending = true
    queueMicrotask(() => {
      this.#isSending = false
      this.#send()
    })
  }

  #send(): void {
    const { events } = this.#dependencies
    if (this.#isClosed || events.isBlocked || this.#shown.length === 0) return
    const writes = this.#shown
    this.#shown = []
    events.send("applied", { writes })
  }
}

function newest(writes: string[]): string[] {
  return writes.length > MAX_KEPT_WRITES ? writes.slice(-MAX_KEPT_WRITES) : writes
}
