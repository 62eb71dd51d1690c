/** What happens to a server that a process holds. */
export type ServerState =
  /** It may still be running, but nothing would restart it. Another supervisor is started. */
  | { readonly kind: "unsupervised" }
  /** It is started again and again until it runs. */
  | { readonly kind: "down"; readonly reason: string }
  | { readonly kind: "up"; readonly downMs: number }

export type StateListener = (state: ServerState) => void

/** Reports the changes of a server's state, and not every attempt to start it. */
export class StateReport {
  #listener: StateListener = () => {}
  #downSince: number | undefined
  #reason = ""

  get isDown(): boolean {
    return this.#downSince !== undefined
  }

  /** A server that is down already is reported immediately. */
  listen(listener: StateListener): void {
    this.#listener = listener
    if (this.isDown) listener({ kind: "down", reason: this.#reason })
  }

  unsupervised(): void {
    if (!this.isDown) this.#listener({ kind: "unsupervised" })
  }

  down(reason: string): void {
    if (this.isDown && isSameReason(reason, this.#reason)) return
    this.#downSince ??= performance.now()
    this.#reason = reason
    this.#listener({ kind: "down", reason })
  }

  up(): void {
    if (this.#downSince === undefined) return
    const downMs = performance.now() - this.#downSince
    this.#downSince = undefined
    this.#listener({ kind: "up", downMs })
  }
}

/** Whether two reasons differ in nothing but process numbers, as those of two attempts do. */
export function isSameReason(one: string, other: string): boolean {
  return one.replaceAll(/\d+/g, "0") === other.replaceAll(/\d+/g, "0")
}
