import type { IdentityCondition, IdentityQuery, IdentityRow } from "../../../ports/identity.ts"
import type { InternalStore } from "../accounts/internal-store.ts"
import { tokenHash } from "./token-hash.ts"

/** Stores sessions with hashed tokens. The identity library queries by plain token, and gets the plain token back. */
export class SessionStore {
  readonly #rows: InternalStore
  readonly #forget: (userIds: ReadonlySet<unknown>) => void

  constructor(rows: InternalStore, forget: (userIds: ReadonlySet<unknown>) => void) {
    this.#rows = rows
    this.#forget = forget
  }

  /** Creates a session, and deletes the expired sessions of its user so that they do not accumulate. */
  async create(row: IdentityRow): Promise<IdentityRow> {
    const token = String(row["token"])
    await this.#rows.delete([
      { field: "userId", operator: "eq", value: row["userId"], connector: "AND" },
      { field: "expiresAt", operator: "lt", value: row["createdAt"], connector: "AND" },
    ])
    const created = await this.#rows.create({ ...row, token: tokenHash(token) })
    return { ...created, token }
  }

  async find({ where, ...page }: IdentityQuery): Promise<readonly IdentityRow[]> {
    return withTokens(await this.#rows.find({ ...page, where: byHash(where) }), where)
  }

  async update(where: readonly IdentityCondition[], data: IdentityRow): Promise<readonly IdentityRow[]> {
    if ("token" in data) throw new Error("The token of a session does not change.")
    const changed = await this.#rows.update(byHash(where), data)
    this.#forget(ownersOf(changed))
    return withTokens(changed, where)
  }

  async delete(where: readonly IdentityCondition[]): Promise<readonly IdentityRow[]> {
    const gone = await this.#rows.delete(byHash(where))
    this.#forget(ownersOf(gone))
    return withTokens(gone, where)
  }

  async endAllOf(userId: unknown): Promise<void> {
    await this.delete([{ field: "userId", operator: "eq", value: userId, connector: "AND" }])
  }
}

function ownersOf(rows: readonly IdentityRow[]): ReadonlySet<unknown> {
  return new Set(rows.map(({ userId }) => userId))
}

function tokensIn(where: readonly IdentityCondition[]): readonly string[] {
  return where.filter(({ field }) => field === "token").flatMap(({ value }) => [value].flat().map(String))
}

function byHash(where: readonly IdentityCondition[]): readonly IdentityCondition[] {
  return where.map((condition) => {
    if (condition.field !== "token") return condition
    const { value } = condition
    return { ...condition, value: Array.isArray(value) ? value.map(String).map(tokenHash) : tokenHash(String(value)) }
  })
}

// Replaces the token hash in each row by the plain token if the filter `where` contains that token, otherwise by "".
function withTokens(rows: readonly IdentityRow[], where: readonly IdentityCondition[]): readonly IdentityRow[] {
  const tokens = new Map(tokensIn(where).map((token) => [tokenHash(token), token]))
  return rows.map((row) => ({ ...row, token: tokens.get(String(row["token"])) ?? "" }))
}
