import type { Connection } from "../../../ports/database.ts"
import type { IdentityCondition } from "../../../ports/identity.ts"
import type { Session } from "../../../ports/session-provider.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import { SESSIONS } from "../accounts/identity-tables.ts"
import { InternalStore } from "../accounts/internal-store.ts"
import type { SessionCache } from "./session-cache.ts"
import { SessionStore } from "./session-store.ts"

interface OwnSessionsDependencies {
  readonly connection: Connection
  readonly cache: SessionCache
  now(): Date
}

/**
 * Lists and ends the caller's own sessions. Sessions are identified by id, because only hashes of their tokens are
 * stored.
 */
export class OwnSessions {
  readonly #parts: OwnSessionsDependencies
  readonly #sessions: SessionStore

  constructor(parts: OwnSessionsDependencies) {
    this.#parts = parts
    this.#sessions = new SessionStore(new InternalStore(parts.connection, SESSIONS), (ids) =>
      parts.cache.forgetUsers(ids),
    )
  }

  async list({ user, session }: Session) {
    const where = [equals("userId", user.id), { ...equals("expiresAt", this.#parts.now()), operator: "gt" }]
    const rows = await this.#sessions.find({ where, sortBy: { field: "createdAt", direction: "desc" } })
    return rows.map(({ token: _, userId: __, ...shown }) => ({ ...shown, isCurrent: shown["id"] === session?.id }))
  }

  async endOthers({ user, session }: Session): Promise<void> {
    const own = { ...equals("id", session?.id), operator: "ne" }
    await this.#sessions.delete([equals("userId", user.id), own])
  }

  async end(userId: string, id: string): Promise<void> {
    const [ended] = await this.#sessions.delete([equals("userId", userId), equals("id", id)])
    if (ended === undefined) throw new ApiError("NOT_FOUND", { message: "You have no such session." })
  }
}

function equals(field: string, value: unknown): IdentityCondition {
  return { field, operator: "eq", value, connector: "AND" }
}
