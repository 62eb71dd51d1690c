import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import type { Engine } from "../../../engine/engine.ts"
import type { Connection } from "../../../ports/database.ts"
import type { PasswordHasher } from "../../../ports/identity.ts"
import { findAdmin, lockSetUp } from "../../../sql/internal/accounts.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import { checkPassword, userAccounts } from "../accounts/user-accounts.ts"

// Separates the token from everything else that is signed with the same secret.
const PURPOSE = "kit: the token of the set-up"
const ROLE = "admin"

interface FirstAccount {
  readonly name: string
  readonly email: string
  readonly password: string
}

interface SetUpDependencies {
  readonly engine: Engine
  readonly connection: Connection
  readonly secret: string
  readonly passwords: PasswordHasher
}

/** The set-up of an app: it creates the first account, while no account has the role `admin`. */
export class SetUp {
  readonly #parts: SetUpDependencies
  #isFinished = false
  #asking: Promise<boolean> | undefined

  constructor(parts: SetUpDependencies) {
    this.#parts = parts
  }

  /** The token that the start prints. It is made of the app's secret, so all processes have the same. */
  get token(): string {
    return createHmac("sha256", this.#parts.secret).update(PURPOSE).digest("base64url")
  }

  /** True if the token is that of this app. The time that it takes does not depend on the token. */
  accepts(token: string): boolean {
    return timingSafeEqual(digestOf(token), digestOf(this.token))
  }

  /** True while no account has the role `admin`. The database is not asked again once there was one. */
  isOpen(): Promise<boolean> {
    if (this.#isFinished) return Promise.resolve(false)
    // Requests that arrive together share the statement.
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  /**
   * Creates an account with the role `admin`. Throws CONFLICT if an account has this role already, and VALIDATION_ERROR
   * if the input is invalid. `caller` is the caller for whom the password is hashed.
   */
  async createAdmin({ password, ...account }: FirstAccount, caller: string): Promise<void> {
    const { engine, connection, passwords } = this.#parts
    if (await this.#hasAdmin(connection)) throw finished()
    checkPassword(password)
    // Hashed before the transaction begins, because the others wait for its lock.
    const hash = await passwords.hash(caller, password)
    await connection.transaction(async (transaction) => {
      await transaction.query(lockSetUp())
      if (await this.#hasAdmin(transaction)) throw finished()
      const users = userAccounts(engine, transaction, () => Promise.resolve(hash))
      await users.create({ ...account, password, role: ROLE })
    })
    this.#isFinished = true
  }

  async #ask(): Promise<boolean> {
    this.#isFinished = await this.#hasAdmin(this.#parts.connection)
    return !this.#isFinished
  }

  async #hasAdmin(connection: Connection): Promise<boolean> {
    const { rows } = await connection.query(findAdmin())
    return rows.length > 0
  }
}

// Two digests have the same length, whatever their inputs are.
function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest()
}

function finished(): ApiError {
  return new ApiError("CONFLICT", { message: "The set-up is finished: an account has the role admin. Sign in." })
}
