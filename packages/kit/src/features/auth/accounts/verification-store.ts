import type { Connection } from "../../../ports/database.ts"
import type { IdentityCondition, IdentityQuery, IdentityRow } from "../../../ports/identity.ts"
import { isId } from "../../../schema/fields/relation.ts"
import { deleteTokensOf } from "../../../sql/internal/user-tokens.ts"
import { VERIFICATIONS } from "./identity-tables.ts"
import { InternalStore } from "./internal-store.ts"

interface VerificationStoreDependencies {
  readonly connection: Connection
  now(): Date
}

/**
 * Stores tokens that were mailed to users, with the user's id in `value`, and sign-ins that are in progress at a
 * provider.
 */
export class VerificationStore {
  readonly #rows: InternalStore
  readonly #parts: VerificationStoreDependencies

  constructor(parts: VerificationStoreDependencies) {
    this.#rows = new InternalStore(parts.connection, VERIFICATIONS)
    this.#parts = parts
  }

  create(row: IdentityRow): Promise<IdentityRow> {
    return this.#rows.create(row)
  }

  find(query: IdentityQuery): Promise<readonly IdentityRow[]> {
    return this.#rows.find(query)
  }

  update(where: readonly IdentityCondition[], data: IdentityRow): Promise<readonly IdentityRow[]> {
    return this.#rows.update(where, data)
  }

  /**
   * Deletes the used token and all other tokens of its user. If two tokens of a user are used concurrently, only one
   * succeeds.
   */
  async delete(where: readonly IdentityCondition[]): Promise<readonly IdentityRow[]> {
    const now = this.#parts.now()
    const used = (await this.#rows.find({ where })).filter((row) => isId(row["value"]) && !hasExpired(row, now))
    if (used.length === 0) return this.#rows.delete(where)
    const ended = await this.endAllOf(used.map(({ value }) => String(value)))
    const others = await this.#rows.delete(where)
    return [...used.filter(({ id }) => ended.has(String(id))), ...others]
  }

  /** Deletes all tokens of these users and returns the ids of the deleted tokens. */
  async endAllOf(userIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.#parts.connection.query(deleteTokensOf(userIds))
    return new Set(rows.map(([id]) => String(id)))
  }
}

function hasExpired({ expiresAt }: IdentityRow, now: Date): boolean {
  return expiresAt instanceof Date && expiresAt <= now
}
