import { collectionOperations } from "../../client/resources/collections.ts"
import { globalOperations } from "../../client/resources/globals.ts"
import type { Transport } from "../../client/transport/transport.ts"
import type { CallOptions } from "../../wire/options/call-options.ts"
import { clientErrorOf } from "./client-error-of.ts"
import { Entry, type ReadState } from "./entry.ts"
import type { Query } from "./query-key.ts"

/** A result that is read once, and again by `refetch`. */
export class FindEntry extends Entry {
  protected override readonly preloadedStatus = "success"
  /** The read that is under way. */
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
    if (this.#reading !== reading) return
    this.#reading = undefined
    if ("data" in outcome) this.receive({ ...outcome, at: Date.now() }, { status: "success", error: undefined })
    else this.show({ status: "error", error: clientErrorOf(outcome.error) })
  }

  override renew(): void {
    if (this.#reading || this.base) void this.refetch()
  }

  protected override start(): void {
    if (!this.#reading && this.result.status !== "success") void this.refetch()
  }

  protected override stop(): void {
    this.#reading?.abort()
    this.#reading = undefined
  }

  /** A read whose result nobody awaits is aborted at once, but not between the two mounts of strict mode. */
  protected override get graceMs(): number {
    return this.#reading ? 0 : super.graceMs
  }

  protected override members({ isFetching = false }: ReadState): object {
    return { isFetching, refetch: this.refetch }
  }

  async #read(signal: AbortSignal): Promise<{ readonly data: unknown } | { readonly error: unknown }> {
    try {
      return { data: await readOnce(this.query.facts.parts.transport, this.query, { signal }) }
    } catch (error) {
      return { error }
    }
  }
}

/** Reads the result of a handle: what its live query would send first. */
export async function readOnce(
  transport: Transport,
  { facts, options, locale }: Query,
  { headers, ...limits }: CallOptions,
): Promise<unknown> {
  const { kind, resource, id } = facts
  const call = { ...limits, headers: { "accept-language": locale, ...headers } }
  if (kind === "global") return await globalOperations(transport, resource).get(options, call)
  const { find, findOne, count } = collectionOperations(transport, resource)
  if (kind === "total") return await count(options, call)
  return kind === "record" ? await findOne({ ...options, where: { id } }, call) : await find(options, call)
}
