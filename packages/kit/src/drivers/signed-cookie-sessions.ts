import { createHmac, timingSafeEqual } from "node:crypto"
import type { HeaderReader, Session, SessionProvider } from "../ports/session-provider.ts"

export interface SignedCookieOptions {
  readonly secret: string
  readonly cookie?: string
  readonly now?: () => Date
}

export interface SignedCookieSessions extends SessionProvider {
  /** The value of a `Cookie` header for this session. */
  sign(session: Session): string
}

const DEFAULT_COOKIE = "kit_session"
const MAX_COOKIE_BYTES = 8 * 1024

/** Sessions that the cookie itself carries, signed: for tests and tools, until identity keeps real ones. */
export function signedCookieSessions(options: SignedCookieOptions): SignedCookieSessions {
  const { secret, cookie = DEFAULT_COOKIE, now = () => new Date() } = options
  return {
    sign: (session) => {
      const payload = Buffer.from(JSON.stringify(session)).toString("base64url")
      return `${cookie}=${payload}.${signature(secret, payload)}`
    },
    read: (headers) => {
      const value = readCookie(headers, cookie)
      const session = value === undefined ? null : verify(secret, value)
      const expiresAt = session?.session?.expiresAt
      return expiresAt !== undefined && new Date(expiresAt) <= now() ? null : session
    },
  }
}

function readCookie(headers: HeaderReader, name: string): string | undefined {
  const header = headers.get("cookie")
  if (header === null || header.length > MAX_COOKIE_BYTES) return undefined
  const pair = header.split(";").find((part) => part.trim().startsWith(`${name}=`))
  return pair?.trim().slice(name.length + 1)
}

function verify(secret: string, value: string): Session | null {
  const [payload = "", given = ""] = value.split(".")
  const expected = Buffer.from(signature(secret, payload))
  const actual = Buffer.from(given)
  if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return null
  // The signature vouches that this server has written the payload.
  return JSON.parse(Buffer.from(payload, "base64url").toString()) as Session
}

function signature(secret: string, payload: string): string {
  return createHmac("sha256", secret).update(payload).digest("base64url")
}
