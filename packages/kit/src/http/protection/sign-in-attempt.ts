import { createHash } from "node:crypto"
import type { IncomingCall } from "../../ports/http.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import { readStream } from "../fetch-handler.ts"
import { readJsonBody } from "../read-input.ts"

// Where a password, a code or a token can be guessed, or mail be sent to anybody.
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
const ATTEMPT_PATH = new RegExp(`^/auth/(?:${ATTEMPTS.join("|")})(?:/|$)`)
const MAX_BODY_BYTES = 64 * 1024
const MAX_DECODINGS = 3
const IDENTITY_NAMES = ["email", "username", "phoneNumber"] as const

/** Whether the call tries to become somebody, however its path is spelled. */
export function isSignInAttempt({ method, path }: IncomingCall, basePath: string): boolean {
  if (method === "GET" || method === "HEAD" || method === "OPTIONS") return false
  const plain = plainPath(path)
  const mount = plainPath(basePath)
  return plain.startsWith(mount) && ATTEMPT_PATH.test(plain.slice(mount.length))
}

// Reads more spellings as the same path than the router does: a path too many is limited, none too few.
function plainPath(path: string): string {
  let text = path
  for (let turn = 0; turn < MAX_DECODINGS && text.includes("%"); turn++) text = decoded(text)
  const segments = text.toLowerCase().split(/[/\\]+/)
  const kept = segments.filter((segment) => segment !== "" && segment !== "." && segment !== "..")
  return kept.map((segment) => `/${segment.trim()}`).join("")
}

function decoded(text: string): string {
  return text.replace(/%[\da-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
}

interface SignInAttempt {
  /** Stands for whom the caller wants to be, however that is spelled; empty where the body does not say it. */
  readonly identity: string
  /** The call, with a body that can be read once more. */
  readonly call: IncomingCall
}

/** Looks into the body for the identity that is tried, and leaves it to be read by whoever answers. */
export async function readSignInAttempt(given: IncomingCall): Promise<SignInAttempt | ApiError> {
  const request = given.toRequest(MAX_BODY_BYTES)
  const bytes = await readStream(request.clone().body, MAX_BODY_BYTES).catch(brokenBody)
  if (bytes instanceof ApiError) return bytes
  if (bytes === null) {
    return new ApiError("PAYLOAD_TOO_LARGE", { message: `A body has at most ${MAX_BODY_BYTES} bytes here.` })
  }
  const openBody = () => new Blob([bytes]).stream().values()
  const readBody = () => Promise.resolve(bytes)
  const call: IncomingCall = { ...given, hasLeft: false, toRequest: () => request, readBody, openBody }
  return { identity: identityIn(await readJsonBody(call, { maxBytes: MAX_BODY_BYTES }).catch(nothingRead)), call }
}

// The server at hand says with a RangeError that it stopped at the limit.
function brokenBody(cause: unknown): ApiError | null {
  if (cause instanceof RangeError) return null
  return new ApiError("BAD_REQUEST", { message: "The body broke off before its end.", cause })
}

// A body that cannot be read is refused by whoever answers, and counted like one without an identity.
function nothingRead(): undefined {}

function identityIn(body: unknown): string {
  if (typeof body !== "object" || body === null) return ""
  // Narrowed to an object; its properties stay unknown.
  const parts = body as Readonly<Record<string, unknown>>
  const text = IDENTITY_NAMES.map((name) => parts[name]).find((value) => typeof value === "string")
  return typeof text === "string" ? fingerprint(text.trim().toLowerCase()) : ""
}

// Short, whatever was sent, and no list of addresses to be found in memory.
function fingerprint(text: string): string {
  return createHash("sha256").update(text).digest("base64url")
}
