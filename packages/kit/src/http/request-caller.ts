import type { Caller } from "../ports/database.ts"
import type { IncomingCall } from "../ports/http.ts"
import type { Session } from "../ports/session-provider.ts"
import type { CallerAddresses } from "./protection/client-address.ts"

interface CallerSource {
  readonly session: Session | null
  readonly incoming: IncomingCall
  /** True if the request only reads, so that its statements may be cancelled when the caller disconnects. */
  readonly isRead: boolean
}

/**
 * The caller of a request, as the database limits count callers: by the signed-in user or, if nobody is signed in, by
 * the same IP address as the rate limits.
 */
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
    // If the host does not report IP addresses, each request counts as a caller of its own. Otherwise all anonymous
    // callers would count as the same caller.
    return address === undefined ? `request ${crypto.randomUUID()}` : `address ${address}`
  }
}
