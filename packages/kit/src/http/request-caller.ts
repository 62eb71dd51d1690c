import type { Caller } from "../ports/database.ts"
import type { IncomingCall } from "../ports/http.ts"
import type { Session } from "../ports/session-provider.ts"
import type { CallerAddresses } from "./protection/client-address.ts"

interface CallerSource {
  readonly session: Session | null
  readonly incoming: IncomingCall
  /** True if the request only reads. */
  readonly isRead: boolean
}

/** The caller of a request for the limits of the database: a user, or an address as the rate limits count it. */
export class RequestCaller implements Caller {
  readonly #addresses: CallerAddresses
  readonly #facts: CallerSource
  #key: string | undefined

  constructor(addresses: CallerAddresses, facts: CallerSource) {
    this.#addresses = addresses
    this.#facts = facts
  }

  get key(): string {
    this.#key ??= this.#makeKey()
    return this.#key
  }

  get hasLeft(): boolean {
    return this.#facts.isRead && this.#facts.incoming.hasLeft
  }

  #makeKey(): string {
    const { session, incoming } = this.#facts
    if (session) return `user ${session.user.id}`
    const address = this.#addresses.countedAddressOf(incoming)
    // If the host does not report addresses, each request counts alone; otherwise all callers would count as the same.
    return address === undefined ? `request ${crypto.randomUUID()}` : `address ${address}`
  }
}
