import type { EndpointCall } from "../endpoint.ts"
import type { CallerAddresses } from "./client-address.ts"
import { rateLimited } from "./rate-limited.ts"
import { type RateLimit, RateLimiter } from "./rate-limiter.ts"

/** A rate limit for the calls of each user or, for callers who are not signed in, of each IP address. */
export class CallerLimit {
  readonly #limiter: RateLimiter
  readonly #addresses: Pick<CallerAddresses, "countedAddressOf">

  constructor(limit: RateLimit, addresses: Pick<CallerAddresses, "countedAddressOf">) {
    this.#limiter = new RateLimiter(limit)
    this.#addresses = addresses
  }

  /** Counts the call. Throws if its caller has exceeded the limit. */
  count({ ctx, incoming }: EndpointCall): void {
    const { session } = ctx
    const caller = session
      ? `user ${session.user.id}`
      : `address ${this.#addresses.countedAddressOf(incoming) ?? "unknown"}`
    const excess = this.#limiter.use(caller, ctx.now())
    if (excess) throw rateLimited(excess)
  }
}
