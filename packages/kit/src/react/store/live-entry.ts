import { clientErrorOf } from "./client-error-of.ts"
import { Entry, type ReadState } from "./entry.ts"

/** A result that follows its topic on the client's stream while it has subscribers. */
export class LiveEntry extends Entry {
  protected override readonly preloadedStatus = "live"
  #leave: (() => void) | undefined
  #isCurrent = false

  /** True if the stream has sent or confirmed the base. */
  override get isCurrent(): boolean {
    return this.#isCurrent
  }

  protected override start(): void {
    if (this.#leave) return
    const { facts, topic } = this.query
    const { data, hash } = this.base ?? {}
    const leave = facts.parts.follow({
      topic,
      known: hash === undefined ? undefined : { data, hash },
      onSnapshot: (data, hash) => {
        this.#isCurrent = true
        this.receive({ data, hash, at: Date.now() }, { status: "live", error: undefined })
      },
      onCurrent: () => this.#confirm(),
      onLost: () => {
        this.store.overlay?.begin(this)
        this.#lose()
      },
      onRequest: () => this.store.overlay?.begin(this),
      onApplied: (writes) => this.store.overlay?.announce(writes),
      onError: (error, isFinal) => this.#fail(error, isFinal),
      // Called when the server has refused the topic, too. The next subscriber tries again.
      onEnd: () => {
        if (this.#leave === leave) this.stop()
      },
    })
    this.#leave = leave
  }

  protected override stop(): void {
    const leave = this.#leave
    this.#leave = undefined
    leave?.()
    this.#lose()
  }

  protected override members({ status }: ReadState): object {
    return { isLive: status === "live" }
  }

  #confirm(): void {
    this.#isCurrent = true
    this.store.overlay?.confirm(this)
    this.show({ status: "live", error: undefined })
  }

  #lose(): void {
    this.#isCurrent = false
    if (this.result.status === "live") this.show({ status: "stale", error: undefined })
  }

  #fail(failure: Error, isFinal = false): void {
    const error = clientErrorOf(failure)
    const { error: former, data } = this.result
    const status = data === undefined || isFinal ? "error" : "stale"
    // While the client tries to reconnect, the same error comes again and again.
    const isSame = former?.message === error.message && former.code === error.code
    this.show({ status, error: isSame ? former : error })
  }
}
