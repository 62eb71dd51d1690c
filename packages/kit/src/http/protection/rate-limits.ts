import type { IncomingCall } from "../../ports/http.ts"
import type { Session } from "../../ports/session-provider.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import { countedCallerAddress } from "./client-address.ts"
import { rateLimited } from "./rate-limited.ts"
import { type RateLimit, RateLimiter } from "./rate-limiter.ts"
import { isSignInAttempt, readSignInAttempt } from "./sign-in-attempt.ts"

/** The rate limits for one caller. Each allows a burst of `requests`, which refill evenly over the window. */
export interface RateSettings {
  /** The limit for the requests of each signed-in user. No limit unless set. */
  readonly perUser?: RateLimit
  /** The limit for the requests from each IP address. No limit unless set. */
  readonly perAddress?: RateLimit
  /** The limit for attempts to sign in to one account from one IP address. 10 in 60 seconds unless set. */
  readonly signIn?: RateLimit
  /**
   * The limit for wrong passwords for one account, counted over all processes. All IP addresses and devices that have
   * not signed in to the account before share this limit. An address or device that has signed in to the account has a
   * limit of its own, of the same size. 20 in an hour unless set.
   */
  readonly wrongPasswords?: RateLimit
}

export interface RateLimitOptions {
  readonly rate: RateSettings | false
  /** The number of proxies in front of the app that add an entry to X-Forwarded-For. */
  readonly trustedProxies: number
  readonly basePath: string
  now(): Date
}

const DEFAULT_SIGN_IN: RateLimit = { requests: 10, windowSeconds: 60 }
// From one IP address, the sign-in attempts for all accounts together may be this many times the limit for one account.
const ACCOUNTS_PER_ADDRESS = 5

/** Counts the requests of callers. Each process counts on its own. */
export class RateLimits {
  readonly #parts: RateLimitOptions
  readonly #users: RateLimiter | undefined
  readonly #addresses: RateLimiter | undefined
  readonly #identities: RateLimiter | undefined
  readonly #signInAddresses: RateLimiter | undefined

  constructor(parts: RateLimitOptions) {
    this.#parts = parts
    if (parts.rate === false) return
    const { perUser, perAddress, signIn = DEFAULT_SIGN_IN } = parts.rate
    this.#users = perUser && new RateLimiter(perUser)
    this.#addresses = perAddress && new RateLimiter(perAddress)
    this.#identities = new RateLimiter(signIn)
    this.#signInAddresses = new RateLimiter({ ...signIn, requests: signIn.requests * ACCOUNTS_PER_ADDRESS })
  }

  /** Counts a request from a signed-in user. Throws if the user has exceeded the limit. */
  countUser(session: Session | null): void {
    if (session === null || this.#users === undefined) return
    const excess = this.#users.use(session.user.id, this.#parts.now())
    if (excess) throw rateLimited(excess)
  }

  /** Counts a request from the caller's IP address. Returns an error if the address has exceeded its limit. */
  refuseAddress(call: IncomingCall): ApiError | undefined {
    return this.#useAddress(this.#addresses, call)
  }

  /** True if the call is a sign-in attempt that `admitSignIn` has to check. */
  isLimitedSignIn(call: IncomingCall): boolean {
    return this.#identities !== undefined && isSignInAttempt(call, this.#parts.basePath)
  }

  /**
   * Counts a sign-in attempt. Returns the call, with its body still readable, or an error if there were too many
   * attempts.
   */
  async admitSignIn(call: IncomingCall): Promise<IncomingCall | ApiError> {
    // The IP address is counted before the body is read, so that one address cannot fill the limiter with keys for many
    // accounts.
    const tooMany = this.#useAddress(this.#signInAddresses, call)
    if (tooMany) return tooMany
    const attempt = await readSignInAttempt(call)
    if (attempt instanceof ApiError) return attempt
    const key = `${this.#addressOf(call) ?? ""} ${attempt.identity}`
    const excess = this.#identities?.use(key, this.#parts.now())
    return excess ? rateLimited(excess) : attempt.call
  }

  // Counts a request by its IP address. If the host reports no addresses, nothing is counted, because all callers would
  // share one limit.
  #useAddress(limiter: RateLimiter | undefined, call: IncomingCall): ApiError | undefined {
    const address = limiter && this.#addressOf(call)
    const excess = address === undefined ? undefined : limiter?.use(address, this.#parts.now())
    return excess && rateLimited(excess)
  }

  #addressOf(call: IncomingCall): string | undefined {
    return countedCallerAddress(call, this.#parts.trustedProxies)
  }
}
