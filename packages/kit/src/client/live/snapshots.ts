import type { Snapshots } from "../../wire/live-operations.ts"
import type { Follow, Subscription } from "./subscription.ts"

/** The snapshots of a topic, one after the other; of those that arrive while nobody asks, only the newest one. */
export async function* snapshots(followed: Pick<Subscription, "topic" | "signal">, follow: Follow): Snapshots<unknown> {
  const arrivals = new Arrivals()
  const leave = follow({ ...followed, ...arrivals.listeners })
  try {
    for (let next = await arrivals.next(); next; next = await arrivals.next()) yield next.snapshot
  } finally {
    leave()
  }
}

class Arrivals {
  #newest: { readonly snapshot: unknown } | undefined
  #failure: { readonly error: Error } | undefined
  #isOver = false
  #wake: (() => void) | undefined

  readonly listeners = {
    onSnapshot: (snapshot: unknown) => {
      this.#newest = { snapshot }
      this.#wake?.()
    },
    onError: (error: Error, isFinal?: boolean) => {
      if (isFinal) this.#failure = { error }
    },
    // Follows each final error.
    onEnd: () => {
      this.#isOver = true
      this.#wake?.()
    },
  }

  /** Waits for a snapshot; answers undefined when it is over, and throws what ended it. */
  async next(): Promise<{ readonly snapshot: unknown } | undefined> {
    while (!this.#newest && !this.#isOver) await this.#change()
    const newest = this.#newest
    this.#newest = undefined
    if (this.#isOver && this.#failure) throw this.#failure.error
    return this.#isOver ? undefined : newest
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}
