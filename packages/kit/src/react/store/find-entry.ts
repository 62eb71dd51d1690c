import { clientErrorOf } from "./client-error-of.ts"
import { Entry, type ReadState } from "./entry.ts"
import { readOnce } from "./read-once.ts"

/** A result that is read once, and again by `refetch`. */
export class FindEntry extends Entry {
  protected override readonly preloadedStatus = "success"
  /** The read that is under way, or that was aborted without another one in its place. */
  #reading: AbortController | undefined

  /** Reads again. A read that is under way is aborted, because it may have begun before a change. */
  readonly refetch = async (): Promise<void> => {
    this.#reading?.abort()
    const reading = new AbortController()
    this.#reading = reading
    this.store.overlay?.begin(this)
    const { status, error } = this.result
    this.show({ status, error, isFetching: true })
    const outcome = await this.#read(reading.signal)
    if (reading.signal.aborted) return
    this.#reading = undefined
    if ("data" in outcome) this.receive({ ...outcome, at: Date.now() }, { status: "success", error: undefined })
    else this.show({ status: "error", error: clientErrorOf(outcome.error) })
  }

  override renew(): void {
    if (this.#reading || this.base) void this.refetch()
  }

  protected override start(): void {
    if (this.#reading ? this.#reading.signal.aborted : this.result.status !== "success") void this.refetch()
  }

  protected override stop(): void {
    this.#reading?.abort()
  }

  /** A read whose result nobody awaits is aborted immediately, but not between the two mounts of strict mode. */
  protected override get graceMs(): number {
    return this.#reading ? 0 : super.graceMs
  }

  protected override members({ isFetching = false }: ReadState): object {
    return { isFetching, refetch: this.refetch }
  }

  protected read(signal: AbortSignal): Promise<unknown> {
    return readOnce(this.query.facts.parts.transport, this.query, { signal })
  }

  async #read(signal: AbortSignal): Promise<{ readonly data: unknown } | { readonly error: unknown }> {
    await this.store.hasToken
    try {
      return { data: await this.read(signal) }
    } catch (error) {
      return { error }
    }
  }
}
