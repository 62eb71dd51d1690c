import { createHash } from "node:crypto"
import type { IncomingCall } from "../../ports/http.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import { readStream } from "../fetch-handler.ts"
import { readJsonBody } from "../read-input.ts"

// The path segments after /auth at which a caller can guess a password, code or token, or have mail sent to any
// address.
const ATTEMPTS = [
  "sign-in",
  "sign-up",
  "request-password-reset",
  "forget-password",
  "reset-password",
  "verify-password",
  "change-password",
  "change-email",
  "delete-user",
  "send-verification-email",
  "email-otp",
  "phone-number",
  "magic-link",
  "two-factor",
]
const ATTEMPT_PATH = new RegExp(`^/(?:auth/(?:${ATTEMPTS.join("|")})|_kit/setup)(?:/|$)`)
const MAX_BODY_BYTES = 64 * 1024
const MAX_DECODINGS = 3
const IDENTITY_NAMES = ["email", "username", "phoneNumber"] as const

/** True if the call is an attempt to sign in, however its path is spelled. */
export function isSignInAttempt({ method, path }: IncomingCall, basePath: string): boolean {
  if (method === "GET" || method === "HEAD" || method === "OPTIONS") return false
  const plain = normalizePath(path)
  const mount = normalizePath(basePath)
  return plain.startsWith(mount) && ATTEMPT_PATH.test(plain.slice(mount.length))
}

// Accepts more spellings of a path than the router does. So the limit may apply to a path that does not exist, but no
// sign-in path can get around it.
function normalizePath(path: string): string {
  let text = path
  for (let turn = 0; turn < MAX_DECODINGS && text.includes("%"); turn++) text = percentDecode(text)
  const segments = text.toLowerCase().split(/[/\\]+/)
  const kept = segments.filter((segment) => segment !== "" && segment !== "." && segment !== "..")
  return kept.map((segment) => `/${segment.trim()}`).join("")
}

function percentDecode(text: string): string {
  return text.replace(/%[\da-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
}

interface SignInAttempt {
  /**
   * A hash of the account's email address, username or phone number in lower case. Empty if the body names none of
   * them.
   */
  readonly identity: string
  /** The call, with a body that can be read again. */
  readonly call: IncomingCall
}

/** Reads from the body which account the caller wants to sign in to, and leaves the body readable for the endpoint. */
export async function readSignInAttempt(given: IncomingCall): Promise<SignInAttempt | ApiError> {
  const request = given.toRequest(MAX_BODY_BYTES)
  const bytes = await readStream(request.clone().body, MAX_BODY_BYTES).catch(brokenBody)
  if (bytes instanceof ApiError) return bytes
  if (bytes === null) {
    return new ApiError("PAYLOAD_TOO_LARGE", {
      message: `The body is too long: at most ${MAX_BODY_BYTES} bytes are accepted here.`,
    })
  }
  const openBody = () => new Blob([bytes]).stream().values()
  const readBody = () => Promise.resolve(bytes)
  const { isEncrypted, hasBody } = given
  const known = { isEncrypted, hasBody, hasLeft: false }
  const call: IncomingCall = { ...given, ...known, toRequest: () => request, readBody, openBody }
  return {
    identity: identityIn(await readJsonBody(call, { maxBytes: MAX_BODY_BYTES }).catch(ignoreUnreadableBody)),
    call,
  }
}

// Returns the error for an incomplete body, or null if the body exceeded the length limit, for which the built-in
// server throws a RangeError.
function brokenBody(cause: unknown): ApiError | null {
  if (cause instanceof RangeError) return null
  return new ApiError("BAD_REQUEST", { message: "The body ended before it was complete.", cause })
}

// A body that cannot be parsed counts as a body that names no account. The endpoint refuses it later.
function ignoreUnreadableBody(): undefined {}

function identityIn(body: unknown): string {
  if (typeof body !== "object" || body === null) return ""
  // The cast is safe: `body` is an object, and the properties are unknown.
  const parts = body as Readonly<Record<string, unknown>>
  const text = IDENTITY_NAMES.map((name) => parts[name]).find((value) => typeof value === "string")
  return typeof text === "string" ? fingerprint(text.trim().toLowerCase()) : ""
}

// Returns a hash, because a hash is short for any input and keeps email addresses and phone numbers out of memory.
function fingerprint(text: string): string {
  return createHash("sha256").update(text).digest("base64url")
}
