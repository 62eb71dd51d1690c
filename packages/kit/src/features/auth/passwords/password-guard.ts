import type { Answer } from "../../../engine/read/answer.ts"
import type { Connection } from "../../../ports/database.ts"
import type { Session } from "../../../ports/session-provider.ts"
import { findSessionAddresses } from "../../../sql/internal/accounts.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import type { KnownDevices } from "./known-devices.ts"
import type { Tries, TryExcess } from "./tries.ts"

interface PasswordGuardDependencies {
  readonly tries: Tries
  readonly devices: KnownDevices
  readonly connection: Connection
  now(): Date
}

/** The sender of a request that contains a password. */
export interface PasswordCaller {
  readonly cookie: string | null
  readonly session: Session | null
  /** The sender's IP address, normalized in the same way as for rate limits. */
  readonly address: string | undefined
  /** Normalizes the IP address stored with a session, in the same way as for rate limits. */
  countedAddress(address: string): string | undefined
}

const WRONG_PASSWORD: ReadonlySet<unknown> = new Set(["INVALID_EMAIL_OR_PASSWORD", "INVALID_PASSWORD"])

/**
 * Limits wrong passwords per account, counted over all IP addresses, even for accounts that do not exist. An attacker's
 * guesses do not lock the owner out: a device or an IP address that has signed in to the account before has a separate
 * limit, and a password reset by mail clears the count.
 */
export class PasswordGuard {
  readonly #parts: PasswordGuardDependencies

  constructor(parts: PasswordGuardDependencies) {
    this.#parts = parts
  }

  /**
   * Runs a sign-in, or throws if the limit on wrong passwords is reached. A browser that signs in becomes a known
   * device.
   */
  async signIn(email: string, caller: PasswordCaller, run: () => Promise<Answer<unknown>>): Promise<Answer<unknown>> {
    const account = accountOf(email)
    return this.remember(await this.#runCounted(await this.#takeSignIn(account, caller), run), account, caller)
  }

  /**
   * Runs a request in which a signed-in user confirms their password, or throws if the limit on wrong passwords is
   * reached.
   */
  async confirm(session: Session, run: () => Promise<Answer<unknown>>): Promise<Answer<unknown>> {
    const key = `confirm ${session.user.id}`
    const excess = await this.#parts.tries.take(key)
    if (excess) throw tooMany(excess)
    return this.#runCounted(key, run)
  }

  /**
   * Clears the account's count of wrong passwords after a password reset by mail, because guesses of the old password
   * no longer matter. The browser that did the reset becomes a known device.
   */
  async afterReset(answer: Answer<unknown>, email: string, caller: PasswordCaller): Promise<Answer<unknown>> {
    const account = accountOf(email)
    await this.#parts.tries.reset(`account ${account}`)
    return this.remember(answer, account, caller)
  }

  /** Adds a cookie to the response that makes the browser a known device for this account. */
  remember(answer: Answer<unknown>, email: string, { cookie }: PasswordCaller): Answer<unknown> {
    const known = this.#parts.devices.cookieFor(cookie, accountOf(email))
    const cookies = [answer.headers?.["set-cookie"] ?? []].flat()
    return { ...answer, headers: { ...answer.headers, "set-cookie": [...cookies, known] } }
  }

  async #takeSignIn(account: string, caller: PasswordCaller): Promise<string> {
    const { tries } = this.#parts
    const known = this.#knownDeviceKey(account, caller)
    if (known !== undefined && (await tries.take(known)) === undefined) return known
    const key = `account ${account}`
    const excess = await tries.take(key)
    if (excess === undefined) return key
    // The known IP addresses are queried last, so that most sign-ins do not need this query: a sign-in gets here only
    // while the account is under attack.
    const byAddress = (await this.#isKnownAddress(account, caller)) ? `address ${account} ${caller.address}` : undefined
    if (byAddress !== undefined && (await tries.take(byAddress)) === undefined) return byAddress
    throw tooMany(excess)
  }

  #knownDeviceKey(account: string, { cookie, session }: PasswordCaller): string | undefined {
    if (session !== null && accountOf(String(session.user["email"])) === account) return `session ${session.user.id}`
    const device = this.#parts.devices.find(cookie, account)
    return device && `device ${account} ${device}`
  }

  async #isKnownAddress(account: string, { address, countedAddress }: PasswordCaller): Promise<boolean> {
    if (address === undefined) return false
    const { connection, now } = this.#parts
    const { rows } = await connection.query(findSessionAddresses(account, now()))
    return rows.some(([open]) => countedAddress(String(open)) === address)
  }

  async #runCounted(key: string, run: () => Promise<Answer<unknown>>): Promise<Answer<unknown>> {
    const { tries } = this.#parts
    try {
      const answer = await run()
      await tries.refund(key)
      return answer
    } catch (error) {
      if (!isWrongPassword(error)) await tries.refund(key)
      throw error
    }
  }
}

/**
 * Returns the account key of an email address: all spellings of the address that sign in to the same account have one
 * key.
 */
function accountOf(email: string): string {
  return email.trim().toLowerCase()
}

function isWrongPassword(error: unknown): boolean {
  return error instanceof ApiError && WRONG_PASSWORD.has(error.context?.["reason"])
}

function tooMany(excess: TryExcess): ApiError {
  const wait = `Try again in ${excess.retryAfterSeconds} s, or where you have signed in before, or set a new password by mail.`
  return new ApiError("RATE_LIMITED", { message: `Too many wrong passwords. ${wait}`, context: { ...excess } })
}
