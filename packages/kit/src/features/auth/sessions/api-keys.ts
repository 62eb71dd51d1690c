import { randomBytes } from "node:crypto"
import type { Background } from "../../../engine/context/background.ts"
import { newId } from "../../../engine/context/ids.ts"
import type { Connection } from "../../../ports/database.ts"
import type { IdentityCondition } from "../../../ports/identity.ts"
import type { Session } from "../../../ports/session-provider.ts"
import type { AppSchema } from "../../../schema/compile/resource.ts"
import { updateInternal } from "../../../sql/internal/internal-rows.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import { API_KEYS } from "../accounts/identity-tables.ts"
import { InternalStore } from "../accounts/internal-store.ts"
import { usersOf } from "../accounts/user-store.ts"
import { KEY_PREFIX } from "./credential.ts"
import { type OwnerReader, ownerReader } from "./owner-reader.ts"
import type { SessionCache } from "./session-cache.ts"
import { tokenHash } from "./token-hash.ts"

interface ApiKeyDependencies {
  readonly schema: AppSchema
  readonly connection: Connection
  readonly cache: SessionCache
  readonly background: Background
  now(): Date
}

/** An API key as its owner sees it after its creation, without the secret. */
interface ApiKeyInfo {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly expiresAt: Date | null
}

const KEY_BYTES = 32
const SHOWN_CHARACTERS = KEY_PREFIX.length + 6
const MAX_KEYS = 100
const LAST_USE_INTERVAL_MS = 60_000

/**
 * Manages API keys. A request with an API key acts as the user who created the key, with that user's current rights.
 */
export class ApiKeys {
  readonly #parts: ApiKeyDependencies
  readonly #rows: InternalStore
  readonly #find: OwnerReader

  constructor(parts: ApiKeyDependencies) {
    const { schema, connection } = parts
    const columns = ["id", "expiresAt", "lastUsedAt"]
    this.#parts = parts
    this.#rows = new InternalStore(connection, API_KEYS)
    this.#find = ownerReader({ connection, users: usersOf({ schema }), table: API_KEYS, columns, by: "hash" })
  }

  /** Creates an API key. This is the only time that the secret key is returned. */
  async create(userId: string, { name, expiresAt }: { name: string; expiresAt: Date | null }) {
    if ((await this.#rows.count(ownedBy(userId))) >= MAX_KEYS) {
      throw new ApiError("CONFLICT", { message: `A user has at most ${MAX_KEYS} keys. Delete one first.` })
    }
    const key = KEY_PREFIX + randomBytes(KEY_BYTES).toString("base64url")
    const now = this.#parts.now()
    const row = { id: newId(now), userId, name, prefix: key.slice(0, SHOWN_CHARACTERS), hash: tokenHash(key) }
    const created = await this.#rows.create({ ...row, expiresAt, createdAt: now })
    return { ...infoOf(created), key }
  }

  async list(userId: string): Promise<readonly ApiKeyInfo[]> {
    const rows = await this.#rows.find({ where: ownedBy(userId), sortBy: { field: "createdAt", direction: "desc" } })
    return rows.map(infoOf)
  }

  async delete(userId: string, id: string): Promise<void> {
    const [gone] = await this.#rows.delete([...ownedBy(userId), equals("id", id)])
    if (gone === undefined) throw new ApiError("NOT_FOUND", { message: "You have no such key." })
    this.#parts.cache.forgetUsers(new Set([userId]))
  }

  /**
   * Returns the user as whom the API key acts, or null. The result has no session id and no session expiry, because a
   * request with an API key has no session.
   */
  async read(key: string): Promise<Session | null> {
    const now = this.#parts.now()
    const found = await this.#find(tokenHash(key), now)
    if (found === undefined) return null
    const [id, expiresAt, lastUsedAt] = found.values
    if (expiresAt instanceof Date && expiresAt <= now) return null
    this.#storeLastUse(String(id), { lastUsedAt, now })
    return { user: found.user }
  }

  #storeLastUse(id: string, { lastUsedAt, now }: { lastUsedAt: unknown; now: Date }): void {
    const isRecent = lastUsedAt instanceof Date && now.getTime() - lastUsedAt.getTime() < LAST_USE_INTERVAL_MS
    if (isRecent) return
    const where = [{ column: "id", operator: "eq", value: id }]
    const { connection, background } = this.#parts
    background.run(
      "Storing the last use of an API key",
      connection.query(updateInternal(API_KEYS, where, { lastUsedAt: now })),
    )
  }
}

function ownedBy(userId: string): IdentityCondition[] {
  return [equals("userId", userId)]
}

function equals(field: string, value: string): IdentityCondition {
  return { field, operator: "eq", value, connector: "AND" }
}

function infoOf(row: Readonly<Record<string, unknown>>): ApiKeyInfo {
  const { id, name, prefix, createdAt, lastUsedAt, expiresAt } = row
  // The cast is safe: it matches the column types of the API key table.
  return { id, name, prefix, createdAt, lastUsedAt, expiresAt } as ApiKeyInfo
}
