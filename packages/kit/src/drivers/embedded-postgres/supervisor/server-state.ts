/** A state change of the PostgreSQL server that a process uses. */
export type ServerState =
  /** The supervisor is gone. The PostgreSQL server may still run, and a new supervisor is being started. */
  | { readonly kind: "unsupervised" }
  /** The PostgreSQL server is not running. The supervisor keeps trying to restart it. */
  | { readonly kind: "down"; readonly reason: string }
  | { readonly kind: "up"; readonly downMs: number }

export type StateListener = (state: ServerState) => void

/** Reports state changes of the PostgreSQL server, but not every failed attempt to start it. */
export class StateReport {
  #listener: StateListener = () => {}
  #downSince: number | undefined
  #reason = ""
  #isUnsupervised = false

  get isDown(): boolean {
    return this.#downSince !== undefined
  }

  /** Sets the listener. If the PostgreSQL server is down, the listener is called immediately. */
  listen(listener: StateListener): void {
    this.#listener = listener
    if (this.isDown) listener({ kind: "down", reason: this.#reason })
  }

  /** Reports the loss of the supervisor. A successor that ends before it is ready is only an attempt. */
  unsupervised(): void {
    if (!this.isDown && !this.#isUnsupervised) this.#listener({ kind: "unsupervised" })
    this.#isUnsupervised = true
  }

  down(reason: string): void {
    if (this.isDown && isSameReason(reason, this.#reason)) return
    this.#downSince ??= performance.now()
    this.#reason = reason
    this.#listener({ kind: "down", reason })
  }

  up(): void {
    this.#isUnsupervised = false
    if (this.#downSince === undefined) return
    const downMs = performance.now() - this.#downSince
    this.#downSince = undefined
    this.#listener({ kind: "up", downMs })
  }
}

/** True if two reasons for an outage differ only in numbers, such as the pids of two attempts. */
function isSameReason(one: string, other: string): boolean {
  return one.replaceAll(/\d+/g, "0") === other.replaceAll(/\d+/g, "0")
}
