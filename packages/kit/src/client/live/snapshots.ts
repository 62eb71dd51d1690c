import type { Snapshots } from "../../wire/realtime/live-operations.ts"
import type { Follow, Subscription } from "./subscription.ts"
import { isOfChannel } from "./topic-of.ts"

// A consumer so far behind will not catch up.
const MAX_WAITING = 10_000

/** Yields the newest snapshot of a topic at each read, or each event of a channel. */
export async function* snapshots(followed: Subscription, follow: Follow): Snapshots<unknown> {
  const arrivals = new Arrivals(isOfChannel(followed))
  const leave = follow({ ...followed, ...arrivals.listeners })
  try {
    for (let next = await arrivals.next(); next; next = await arrivals.next()) yield next.snapshot
  } finally {
    leave()
  }
}

class Arrivals {
  readonly #keepsAll: boolean
  #waiting: { readonly snapshot: unknown }[] = []
  #failure: { readonly error: Error } | undefined
  #isOver = false
  #wake: (() => void) | undefined

  constructor(keepsAll: boolean) {
    this.#keepsAll = keepsAll
  }

  readonly listeners = {
    onSnapshot: (snapshot: unknown) => {
      if (!this.#keepsAll) this.#waiting = []
      this.#waiting.push({ snapshot })
      if (this.#waiting.length > MAX_WAITING) this.#fallBehind()
      this.#wake?.()
    },
    onError: (error: Error, isFinal?: boolean) => {
      if (isFinal) this.#failure = { error }
    },
    // Called after each final error.
    onEnd: () => {
      this.#isOver = true
      this.#wake?.()
    },
  }

  /** Waits for a snapshot. Returns undefined at the end, or throws the error that ended it. */
  async next(): Promise<{ readonly snapshot: unknown } | undefined> {
    while (this.#waiting.length === 0 && !this.#isOver) await this.#change()
    if (this.#isOver && this.#failure) throw this.#failure.error
    return this.#isOver ? undefined : this.#waiting.shift()
  }

  #fallBehind(): void {
    this.#failure = { error: new Error(`More than ${MAX_WAITING} events are waiting.`) }
    this.#isOver = true
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}
