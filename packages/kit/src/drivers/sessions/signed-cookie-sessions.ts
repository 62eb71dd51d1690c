import { createHmac, timingSafeEqual } from "node:crypto"
import type { HeaderReader, Session, SessionProvider } from "../../ports/session-provider.ts"

interface SignedCookieOptions {
  readonly secret: string
  readonly cookie?: string
  readonly now?: () => Date
}

interface SignedCookieSessions extends SessionProvider {
  /** Returns a `Cookie` header value that contains the signed session. */
  sign(session: Session): string
}

const DEFAULT_COOKIE = "kit_session"
const MAX_COOKIE_BYTES = 8 * 1024
const MIN_SECRET_CHARACTERS = 16

/**
 * Reads each session from a signed cookie that contains the session. Meant for tests and tools, which run without the
 * identity server.
 */
export function signedCookieSessions(options: SignedCookieOptions): SignedCookieSessions {
  const { secret, cookie = DEFAULT_COOKIE, now = () => new Date() } = options
  if (secret.length < MIN_SECRET_CHARACTERS) {
    throw new Error(`The secret that signs sessions must have at least ${MIN_SECRET_CHARACTERS} characters.`)
  }
  return {
    sign: (session) => {
      const payload = Buffer.from(JSON.stringify(session)).toString("base64url")
      return `${cookie}=${payload}.${signature(secret, payload)}`
    },
    read: (headers) => {
      const value = readCookie(headers, cookie)
      const payload = value === undefined ? undefined : verifiedPayload(secret, value)
      const session = payload === undefined ? null : parseSession(payload)
      return session && hasEnded(session, now()) ? null : session
    },
  }
}

function readCookie(headers: HeaderReader, name: string): string | undefined {
  const header = headers.get("cookie")
  if (header === null || header.length > MAX_COOKIE_BYTES) return undefined
  const pair = header.split(";").find((part) => part.trim().startsWith(`${name}=`))
  return pair?.trim().slice(name.length + 1)
}

function verifiedPayload(secret: string, value: string): string | undefined {
  const [payload = "", given = "", ...rest] = value.split(".")
  const expected = Buffer.from(signature(secret, payload))
  const actual = Buffer.from(given)
  const isSigned = rest.length === 0 && expected.length === actual.length && timingSafeEqual(expected, actual)
  return isSigned ? Buffer.from(payload, "base64url").toString() : undefined
}

function signature(secret: string, payload: string): string {
  return createHmac("sha256", secret).update(payload).digest("base64url")
}

// Returns null for signed data that is not a session, because the same secret may also sign other data.
function parseSession(text: string): Session | null {
  const value = parseJson(text)
  if (typeof value?.user?.id !== "string") return null
  const { expiresAt } = value.session ?? {}
  const own = expiresAt === undefined ? value.session : { ...value.session, expiresAt: new Date(expiresAt) }
  // The cast is safe: an object with a user id is a session. Its other properties are claims, which rules check
  // themselves.
  return { ...value, ...(own && { session: own }) } as Session
}

interface SignedValue {
  readonly user?: { readonly id?: unknown }
  readonly session?: { readonly expiresAt?: string }
}

function parseJson(text: string): SignedValue | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

// True if the session has expired. A comparison with an invalid date yields false, so a session with an invalid expiry
// date also counts as expired.
function hasEnded({ session }: Session, now: Date): boolean {
  return session?.expiresAt !== undefined && !(session.expiresAt > now)
}
