import type { Background } from "../../../engine/context/background.ts"
import { withExplainedErrors } from "../../../engine/database/database-errors.ts"
import type { Connection } from "../../../ports/database.ts"
import type { HeaderReader, Session, SessionProvider } from "../../../ports/session-provider.ts"
import type { AppSchema } from "../../../schema/compile/resource.ts"
import { updateInternal } from "../../../sql/internal/internal-rows.ts"
import { SESSIONS } from "../accounts/identity-tables.ts"
import { usersOf } from "../accounts/user-store.ts"
import type { ApiKeys } from "./api-keys.ts"
import { type CookieSettings, type Credential, credentialReader } from "./credential.ts"
import { type OwnedRow, ownerReader } from "./owner-reader.ts"
import type { SessionCache } from "./session-cache.ts"
import { tokenHash } from "./token-hash.ts"

interface SessionReaderDependencies {
  readonly schema: AppSchema
  readonly connection: Connection
  readonly cookie: CookieSettings
  readonly sessionMs: number
  readonly cache: SessionCache
  readonly keys: ApiKeys
  readonly background: Background
  now(): Date
}

// A session that is in use is extended once a day, the same interval that the identity library uses.
const RENEWAL_MS = 24 * 60 * 60 * 1000

/**
 * Returns a reader of sessions. It finds a request's session by cookie, bearer token or API key, in a short-lived cache
 * or with one statement.
 */
export function sessionReader(parts: SessionReaderDependencies): SessionProvider {
  const { schema, cache, now } = parts
  const load = loader(parts)
  const readCredential = credentialReader(parts.cookie)
  return {
    read: (headers: HeaderReader) => {
      const credential = readCredential(headers)
      if (credential === undefined) return null
      const moment = now()
      const known = cache.get(cacheKey(credential), moment)
      if (known) return hasEnded(known, moment) ? null : known
      return withExplainedErrors(schema, () => readAndCache(parts, credential, load))
    },
  }
}

type Load = (credential: Credential) => Promise<Session | null>

async function readAndCache({ cache, now }: SessionReaderDependencies, credential: Credential, load: Load) {
  const { changes } = cache
  const readAt = now()
  const session = await load(credential)
  // If a session changed during the query, the result may be stale, so it is not cached.
  if (session && cache.changes === changes) cache.set(cacheKey(credential), session, readAt)
  return session
}

function cacheKey(credential: Credential): string {
  return credential.kind === "key" ? credential.key : credential.token
}

function hasEnded({ session }: Session, now: Date): boolean {
  return session?.expiresAt !== undefined && session.expiresAt <= now
}

function loader(parts: SessionReaderDependencies): Load {
  const { schema, connection, keys, now } = parts
  const columns = ["id", "expiresAt"]
  const find = ownerReader({ connection, users: usersOf({ schema }), table: SESSIONS, columns, by: "token" })
  return async (credential) => {
    if (credential.kind === "key") return keys.read(credential.key)
    const found = await find(tokenHash(credential.token), now())
    const session = found && sessionOf(found)
    if (session === undefined || hasEnded(session, now())) return null
    if (credential.isRemembered) renew(parts, session.session)
    return session
  }
}

function sessionOf({ values: [id, expiresAt], user }: OwnedRow) {
  // The cast is safe: the database driver parses timestamps to Date.
  return Object.freeze({ user, session: Object.freeze({ id: String(id), expiresAt: expiresAt as Date }) })
}

// Extends a session that is in use. Of several concurrent requests only one updates the row: its statement requires the
// old value of `expiresAt`.
function renew(parts: SessionReaderDependencies, { id, expiresAt }: { id: string; expiresAt: Date }): void {
  const now = parts.now()
  const isDue = expiresAt.getTime() - parts.sessionMs + RENEWAL_MS <= now.getTime()
  if (!isDue) return
  const change = { expiresAt: new Date(now.getTime() + parts.sessionMs), updatedAt: now }
  const where = [
    { column: "id", operator: "eq", value: id },
    { column: "expiresAt", operator: "eq", value: expiresAt },
  ]
  parts.background.run("The renewal of a session", parts.connection.query(updateInternal(SESSIONS, where, change)))
}
