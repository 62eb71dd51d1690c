import type { Follow, Subscription } from "./subscription.ts"

/** The snapshots of a topic, one after the other; of those that arrive while nobody asks, only the newest one. */
export async function* snapshots(
  followed: Pick<Subscription, "topic" | "signal">,
  follow: Follow,
): AsyncGenerator<unknown, void, undefined> {
  const arrivals = new Arrivals()
  const leave = follow({ ...followed, ...arrivals.listeners })
  try {
    for (let arrival = await arrivals.next(); arrival; arrival = await arrivals.next()) {
      if ("error" in arrival) throw arrival.error
      yield arrival.snapshot
    }
  } finally {
    leave()
  }
}

type Arrival = { readonly snapshot: unknown } | { readonly error: Error }

class Arrivals {
  #newest: Arrival | undefined
  #failure: Arrival | undefined
  #isOver = false
  #wake: (() => void) | undefined

  readonly listeners = {
    onSnapshot: (snapshot: unknown) => {
      this.#newest = { snapshot }
      this.#wake?.()
    },
    onError: (error: Error, isFinal: boolean) => {
      if (isFinal) this.#failure = { error }
      if (isFinal) this.#wake?.()
    },
    onEnd: () => {
      this.#isOver = true
      this.#wake?.()
    },
  }

  /** Waits for one; undefined when it is over. */
  async next(): Promise<Arrival | undefined> {
    while (!this.#newest && !this.#failure && !this.#isOver) await this.#change()
    if (this.#isOver && !this.#failure) return undefined
    const arrival = this.#newest ?? this.#failure
    this.#newest = undefined
    return arrival
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}
