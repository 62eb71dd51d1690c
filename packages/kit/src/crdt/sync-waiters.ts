interface Waiter {
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/** The callers who wait until a document is synced. */
export class SyncWaiters {
  #waiters: Waiter[] = []

  add(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject })
    })
  }

  resolve(): void {
    for (const { resolve } of this.#taken()) resolve()
  }

  reject(error: Error): void {
    for (const { reject } of this.#taken()) reject(error)
  }

  #taken(): Waiter[] {
    const waiters = this.#waiters
    this.#waiters = []
    return waiters
  }
}
