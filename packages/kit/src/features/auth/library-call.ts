import { type Answer, authoredAnswer } from "../../engine/read/answer.ts"
import type { IdentityAnswer, IdentityRequestOptions, IdentityServer } from "../../ports/identity.ts"
import type { HeaderReader } from "../../ports/session-provider.ts"
import { ApiError, ERROR_CODES, type ErrorCode, type FieldError } from "../../wire/errors/api-error.ts"
import { checkLocation, type RedirectOrigins, resolveBodyRedirects, resolveQueryRedirects } from "./redirects.ts"
import { originOf } from "./request-origin.ts"

/** A request that is passed to the identity library. */
export interface LibraryCall extends IdentityRequestOptions {
  readonly method: string
  /** The URL path as the client sent it, including the base path. */
  readonly path: string
  readonly query: string
  readonly headers: HeaderReader
  readonly peerAddress: string | undefined
  readonly body: Readonly<Record<string, unknown>> | undefined
}

export interface LibrarySettings {
  readonly url: string | undefined
  readonly trustedRedirects: readonly string[]
  readonly sessionCookie: string
  /** True if responses must not reveal whether an account exists. */
  readonly isQuiet: boolean
}

/** A response from the identity library. */
export interface LibraryAnswer extends Answer<unknown> {
  /** The email address of the user who has just reset their password by mail. */
  readonly resetEmail?: string | undefined
}

/** The request header that passes the sender's IP address to the identity library. */
export const PEER_HEADER = "x-kit-peer"

const PASSED_HEADERS = ["cookie", "authorization", "user-agent"]
// The user agent is stored with the session, so its length is limited.
const MAX_AGENT_CHARACTERS = 300
// The server stores when a session expires and extends the session while it is in use. The session cookie is not
// renewed with each extension, so it lasts as long as browsers allow: 400 days.
const COOKIE_MAX_AGE_S = 400 * 24 * 60 * 60

/** Passes a request to the identity library and converts the library's response to our format. */
export async function callLibrary(
  server: IdentityServer,
  settings: LibrarySettings,
  call: LibraryCall,
): Promise<LibraryAnswer> {
  const own = originOf(call.headers, settings.url)
  const origins = { own, others: settings.trustedRedirects }
  const resolved = withRedirects(call, origins)
  checkTexts(resolved)
  const answer = await server.answer(requestOf(resolved, own), call)
  if (answer.kind === "refused") throw refusal(settings.isQuiet ? quietRefusal(answer) : answer)
  checkRedirect(resolved, answer.response, origins)
  return { ...(await answerOf(answer.response, settings)), resetEmail: answer.resetEmail }
}

function withRedirects(call: LibraryCall, origins: RedirectOrigins): LibraryCall {
  const { query, body } = call
  return {
    ...call,
    query: resolveQueryRedirects(query, origins),
    body: body && resolveBodyRedirects(body, origins),
  }
}

// Rejects a redirect that leaves the allowed origins. A callback request without a `state` parameter is exempt: it
// redirects to the sign-in provider, whose URL comes from the configuration.
function checkRedirect({ path, query }: LibraryCall, { status, headers }: Response, origins: RedirectOrigins): void {
  const location = status >= 300 ? headers.get("location") : null
  const beginsAtProvider = path.includes("/auth/callback/") && !new URLSearchParams(query).has("state")
  if (location !== null && !beginsAtProvider) checkLocation(location, origins)
}

// Rejects input that contains the character U+0000: the identity library passes its input on to PostgreSQL, whose text
// columns cannot store this character.
function checkTexts({ body, query }: LibraryCall): void {
  if (!query.includes("%00") && !JSON.stringify(body ?? {}).includes("\\u0000")) return
  throw new ApiError("VALIDATION_ERROR", { message: "A text must not contain the character U+0000." })
}

function requestOf(call: LibraryCall, origin: string): Request {
  const headers = new Headers()
  for (const name of PASSED_HEADERS) {
    const value = call.headers.get(name)
    if (value !== null) headers.set(name, name === "user-agent" ? value.slice(0, MAX_AGENT_CHARACTERS) : value)
  }
  if (call.peerAddress !== undefined) headers.set(PEER_HEADER, call.peerAddress)
  const url = `${origin}${call.path}${call.query === "" ? "" : `?${call.query}`}`
  if (call.method === "GET") return new Request(url, { headers })
  headers.set("content-type", "application/json")
  return new Request(url, { method: call.method, headers, body: JSON.stringify(call.body ?? {}) })
}

async function answerOf(response: Response, settings: LibrarySettings): Promise<Answer<unknown>> {
  const text = await response.text()
  const headers: Record<string, string | string[]> = { "cache-control": "no-store" }
  const cookies = response.headers.getSetCookie().map((cookie) => lasting(cookie, settings))
  if (cookies.length > 0) headers["set-cookie"] = cookies
  for (const name of ["location", "set-auth-token"]) {
    const value = response.headers.get(name)
    if (value !== null) headers[name] = settings.isQuiet && name === "location" ? quietLocation(value) : value
  }
  return { ...authoredAnswer(text === "" ? null : JSON.parse(text)), status: response.status, headers }
}

function lasting(cookie: string, { sessionCookie }: LibrarySettings): string {
  if (!cookie.startsWith(`${sessionCookie}=`)) return cookie
  return cookie.replace(/; Max-Age=[1-9]\d*/i, `; Max-Age=${COOKIE_MAX_AGE_S}`)
}

type IdentityRefusal = IdentityAnswer & { readonly kind: "refused" }

// Replaces the two errors "not verified" and "wrong password" by one. Otherwise a stranger could sign up with another
// person's address, then try to sign in, and learn from the error whether the address already had an account.
function quietRefusal(refused: IdentityRefusal): IdentityRefusal {
  if (refused.code !== "EMAIL_NOT_VERIFIED" && refused.code !== "INVALID_EMAIL_OR_PASSWORD") return refused
  const message = "The address or the password is wrong, or the address has not been confirmed yet"
  return { ...refused, status: 401, code: "INVALID_EMAIL_OR_PASSWORD", message }
}

// Replaces the error `account_not_linked` in a redirect URL. With a provider that does not verify email addresses, this
// error would reveal which addresses have an account.
function quietLocation(location: string): string {
  return location.replace(/([?&]error=)account_not_linked(?=&|#|$)/, "$1email_not_verified")
}

function refusal({ status, code, message }: IdentityRefusal): ApiError {
  const fieldErrors = code === "VALIDATION_ERROR" ? fieldErrorsIn(message) : []
  if (fieldErrors.length > 0) return new ApiError("VALIDATION_ERROR", { fieldErrors, context: { reason: code } })
  return new ApiError(code === "VALIDATION_ERROR" ? code : codeFor(status), {
    ...(message !== undefined && { message: sentence(message) }),
    ...(code !== undefined && { context: { reason: code } }),
  })
}

// Parses the identity library's error message, such as "[body.email] Invalid email address; [body.name] …".
function fieldErrorsIn(message = ""): readonly FieldError[] {
  const found = message.matchAll(/\[(?:body|query)\.([\w.]+)\] (.*?)(?=; \[|$)/g)
  return Array.from(found, ([, path = "", problem = ""]) => ({ path, message: sentence(problem) }))
}

function codeFor(status: number): ErrorCode {
  if (status === ERROR_CODES.BAD_REQUEST.status) return "BAD_REQUEST"
  // The cast is safe: the keys of ERROR_CODES are the members of ErrorCode.
  const known = Object.entries(ERROR_CODES).find(([, entry]) => entry.status === status)?.[0] as ErrorCode | undefined
  return known ?? (status >= 500 ? "INTERNAL_SERVER_ERROR" : "BAD_REQUEST")
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`
}
