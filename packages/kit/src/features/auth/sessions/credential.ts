import { createHmac, timingSafeEqual } from "node:crypto"
import type { HeaderReader } from "../../../ports/session-provider.ts"

/** The proof of identity in a request: a session token or an API key. */
export type Credential =
  | { readonly kind: "session"; readonly token: string; readonly isRemembered: boolean }
  | { readonly kind: "key"; readonly key: string }

export interface CookieSettings {
  readonly secret: string
  readonly prefix: string
  /** True if cookies are sent over https only. Their names then begin with `__Secure-`. */
  readonly isSecure: boolean
}

export const KEY_PREFIX = "kit_"

// A header that is longer than this cannot contain our credentials, so it is not parsed.
const MAX_HEADER_CHARACTERS = 8 * 1024
const TOKEN = /^[A-Za-z0-9]{32}$/
const KEY = /^kit_[A-Za-z0-9_-]{43}$/
const BEARER = /^bearer +(\S+) *$/i

const MAX_CACHED = 1_000
const MAX_CACHED_CHARACTERS = 512

/**
 * Returns a function that reads the credential of a request. It caches cookies with a valid signature, because
 * verifying a signature costs as much as a short query.
 */
export function credentialReader(settings: CookieSettings): (headers: HeaderReader) => Credential | undefined {
  const remembered = new Map<string, Credential>()
  return (headers) => {
    const cookie = headers.get("cookie")
    const hasOther = headers.get("authorization") !== null || headers.get("x-api-key") !== null
    if (cookie === null && !hasOther) return undefined
    const isPlain = cookie !== null && !hasOther
    const known = isPlain ? remembered.get(cookie) : undefined
    if (known) return known
    const read = readCredential(headers, settings)
    if (!isPlain || read === undefined || cookie.length > MAX_CACHED_CHARACTERS) return read
    if (remembered.size >= MAX_CACHED) remembered.clear()
    remembered.set(cookie, read)
    return read
  }
}

/**
 * Returns the API key, the bearer token or the session cookie of a request, in this order of preference; undefined if
 * there is none, or if it is forged or malformed.
 */
export function readCredential(headers: HeaderReader, settings: CookieSettings): Credential | undefined {
  const key = headers.get("x-api-key")
  if (key !== null) return keyOf(key)
  const bearer = BEARER.exec(bounded(headers.get("authorization")))?.[1]
  if (bearer?.startsWith(KEY_PREFIX)) return keyOf(bearer)
  if (bearer !== undefined) return tokenOf(bearer, settings)
  return readCookie(bounded(headers.get("cookie")), settings)
}

export function cookieName(name: string, { prefix, isSecure }: Pick<CookieSettings, "prefix" | "isSecure">): string {
  return `${isSecure ? "__Secure-" : ""}${prefix}.${name}`
}

/** Returns the `Cookie` header that a browser would send with this session. */
export function sessionCookie(token: string, settings: CookieSettings): string {
  const signature = createHmac("sha256", settings.secret).update(token).digest("base64")
  return `${cookieName("session_token", settings)}=${encodeURIComponent(`${token}.${signature}`)}`
}

function bounded(header: string | null): string {
  return header === null || header.length > MAX_HEADER_CHARACTERS ? "" : header
}

function keyOf(key: string): Credential | undefined {
  return KEY.test(key) ? { kind: "key", key } : undefined
}

// Returns the session token in a bearer token. Accepts the plain token from a sign-in's response body, or the signed
// token from its response header.
function tokenOf(bearer: string, settings: CookieSettings): Credential | undefined {
  const token = bearer.includes(".") ? verified(bearer, settings.secret) : bearer
  return token !== undefined && TOKEN.test(token) ? { kind: "session", token, isRemembered: true } : undefined
}

function readCookie(header: string, settings: CookieSettings): Credential | undefined {
  const signed = cookieIn(header, cookieName("session_token", settings))
  const token = signed === undefined ? undefined : verified(signed, settings.secret)
  if (token === undefined || !TOKEN.test(token)) return undefined
  const isRemembered = cookieIn(header, cookieName("dont_remember", settings)) === undefined
  return { kind: "session", token, isRemembered }
}

/** Returns the raw value of the cookie with this name. */
export function cookieIn(header: string, name: string): string | undefined {
  for (const part of header.split(";")) {
    const pair = part.trim()
    if (pair.startsWith(`${name}=`)) return pair.slice(name.length + 1)
  }
  return undefined
}

// Returns the token in a string of the form `token.signature` if the signature is valid. The string is percent-encoded,
// because the signature is base64, which may contain characters that a cookie cannot.
function verified(value: string, secret: string): string | undefined {
  const text = decoded(value)
  const dot = text.lastIndexOf(".")
  if (dot < 1) return undefined
  const token = text.slice(0, dot)
  const expected = createHmac("sha256", secret).update(token).digest()
  const given = Buffer.from(text.slice(dot + 1), "base64")
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : undefined
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    // A string that is not valid percent-encoding cannot contain a valid signature.
    return ""
  }
}
