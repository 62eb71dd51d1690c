import { randomInt } from "node:crypto"
import { newId } from "../../../engine/context/ids.ts"
import type { Connection } from "../../../ports/database.ts"
import { SESSIONS } from "../accounts/identity-tables.ts"
import { InternalStore } from "../accounts/internal-store.ts"
import { type CookieSettings, sessionCookie } from "./credential.ts"
import type { SessionCache } from "./session-cache.ts"
import { SessionStore } from "./session-store.ts"

interface OpenSessionDependencies {
  readonly connection: Connection
  readonly cache: SessionCache
  readonly cookie: CookieSettings
  readonly sessionMs: number
  now(): Date
}

/** A new session with its secrets, as a sign-in returns them. */
export interface OpenedSession {
  readonly id: string
  /** The bearer token that authenticates requests of this session. */
  readonly token: string
  /** The value of the `Cookie` header that authenticates requests of this session. */
  readonly cookie: string
  readonly expiresAt: Date
}

const TOKEN_CHARACTERS = 32
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

/** Creates a session for this user, with the usual lifetime. */
export async function openSession(place: OpenSessionDependencies, userId: string): Promise<OpenedSession> {
  const { connection, cache, cookie, sessionMs, now } = place
  const sessions = new SessionStore(new InternalStore(connection, SESSIONS), (ids) => cache.forgetUsers(ids))
  const moment = now()
  const opened = { id: newId(moment), token: newToken(), expiresAt: new Date(moment.getTime() + sessionMs) }
  await sessions.create({ ...opened, userId, ipAddress: "", userAgent: "", createdAt: moment, updatedAt: moment })
  return { ...opened, cookie: sessionCookie(opened.token, cookie) }
}

function newToken(): string {
  return Array.from({ length: TOKEN_CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join("")
}
