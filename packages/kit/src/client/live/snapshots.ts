import type { Snapshots } from "../../wire/realtime/live-operations.ts"
import { isChannelTopic } from "./parse-topic.ts"
import type { Subscribe, Subscription } from "./subscription.ts"

// The maximum number of buffered events. A consumer that is so far behind will not catch up.
const MAX_BUFFERED = 10_000

/** Yields the newest snapshot of a live query at each read, or every event of a channel. */
export async function* snapshots(followed: Subscription, follow: Subscribe): Snapshots<unknown> {
  const arrivals = new SnapshotBuffer(isChannelTopic(followed))
  const leave = follow({ ...followed, ...arrivals.callbacks })
  try {
    for (let next = await arrivals.next(); next; next = await arrivals.next()) yield next.snapshot
  } finally {
    leave()
  }
}

class SnapshotBuffer {
  readonly #keepsAll: boolean
  #buffer: { readonly snapshot: unknown }[] = []
  #failure: { readonly error: Error } | undefined
  #isOver = false
  #wake: (() => void) | undefined

  constructor(keepsAll: boolean) {
    this.#keepsAll = keepsAll
  }

  readonly callbacks = {
    onSnapshot: (snapshot: unknown) => {
      if (!this.#keepsAll) this.#buffer = []
      this.#buffer.push({ snapshot })
      if (this.#buffer.length > MAX_BUFFERED) this.#overflow()
      this.#wake?.()
    },
    onError: (error: Error, isFinal?: boolean) => {
      if (isFinal) this.#failure = { error }
    },
    // Called when the subscription ends. If a final error ended it, `onError` was called before.
    onEnd: () => {
      this.#isOver = true
      this.#wake?.()
    },
  }

  /**
   * Waits for the next snapshot. Resolves to undefined when the subscription has ended, or throws the error that ended
   * it.
   */
  async next(): Promise<{ readonly snapshot: unknown } | undefined> {
    while (this.#buffer.length === 0 && !this.#isOver) await this.#change()
    if (this.#isOver && this.#failure) throw this.#failure.error
    return this.#isOver ? undefined : this.#buffer.shift()
  }

  #overflow(): void {
    this.#failure = { error: new Error(`More than ${MAX_BUFFERED} events are waiting.`) }
    this.#isOver = true
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}
