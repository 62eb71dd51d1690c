import { explainError } from "../../../engine/database/database-errors.ts"
import { type Answer, authoredAnswer, plainAnswer } from "../../../engine/read/answer.ts"
import { changeProfile, hasAuthorFields, readSignUpFields } from "../../../features/auth/accounts/author-fields.ts"
import { PASSWORD_CHARACTERS } from "../../../features/auth/accounts/user-accounts.ts"
import type { Identity } from "../../../features/auth/identity.ts"
import type { LibraryCall } from "../../../features/auth/library-call.ts"
import type { PasswordCaller } from "../../../features/auth/passwords/password-guard.ts"
import { isId } from "../../../schema/fields/relation.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import type { Endpoint, EndpointCall, Method } from "../../endpoint.ts"
import { type CallerAddresses, countedAddress } from "../../protection/client-address.ts"
import { warnOfDroppedCookie } from "../../protection/dropped-cookie.ts"
import { keyEndpoints } from "./api-keys.ts"
import { BODY_CHECKS, type BodyChecks, checkBody, PROFILE_CHECKS, SIGN_UP_CHECKS } from "./auth-checks.ts"
import { callerWithSession, readBody, textIn } from "./auth-input.ts"
import { setUpEndpoint } from "./set-up.ts"
import { USER_LIST } from "./user-list.ts"

/**
 * The URL paths whose requests are forwarded to the identity library. All other paths of the library do not exist here.
 */
const LIBRARY_PATHS: readonly (readonly [Method, string])[] = [
  ["POST", "/auth/sign-in/social"],
  ["GET", "/auth/callback/:provider"],
  ["POST", "/auth/sign-out"],
  ["GET", "/auth/reset-password/:token"],
  ["POST", "/auth/send-verification-email"],
  ["GET", "/auth/verify-email"],
  ["POST", "/auth/revoke-sessions"],
  ["GET", "/auth/list-accounts"],
  ["POST", "/auth/link-social"],
  ["POST", "/auth/unlink-account"],
  ["POST", "/auth/admin/create-user"],
  ["POST", "/auth/admin/set-role"],
  ["POST", "/auth/admin/set-user-password"],
  ["POST", "/auth/admin/ban-user"],
  ["POST", "/auth/admin/unban-user"],
  ["POST", "/auth/admin/revoke-user-sessions"],
  ["POST", "/auth/admin/remove-user"],
]

// The response is delayed to a multiple of this time, so that the delay does not reveal whether an account exists.
const RESET_STEP_MS = 150
const SIGN_UP_STEP_MS = 500

/** Returns all endpoints under the URL path `/auth`. */
export function authEndpoints(identity: Identity, addresses: CallerAddresses): readonly Endpoint[] {
  const passed = { identity, addresses }
  return [
    ...LIBRARY_PATHS.map(([method, path]) => ({
      ...{ method, path, takesBody: method === "POST", run: forwardToLibrary(passed, BODY_CHECKS[path]) },
    })),
    post("/auth/sign-in/email", signIn(passed)),
    post("/auth/sign-up/email", identity.signUp ? signUp(passed) : refuseSignUp),
    post("/auth/update-user", updateUser(passed)),
    post("/auth/change-password", changePassword(passed)),
    post("/auth/request-password-reset", requestReset(passed)),
    post("/auth/reset-password", resetPassword(passed)),
    { method: "GET", path: "/auth/get-session", isWatchable: true, run: answerSession },
    { method: "GET", path: "/auth/providers", run: () => plainAnswer({ providers: identity.providers }) },
    { method: "GET", path: "/auth/list-sessions", run: listSessions(identity) },
    post("/auth/revoke-session", revokeSession(identity)),
    { method: "POST", path: "/auth/revoke-other-sessions", run: revokeOtherSessions(identity) },
    USER_LIST,
    { method: "GET", path: "/auth/error", run: refuseSignIn },
    ...keyEndpoints(identity.keys),
    ...UNKNOWN_PATHS.flatMap((path) => METHODS.map((method) => ({ method, path, takesBody: true, run: refusePath }))),
  ]
}

function post(path: string, run: Run): Endpoint {
  return { method: "POST", path, takesBody: true, run }
}

const METHODS: readonly Method[] = ["GET", "POST", "PATCH", "PUT", "DELETE"]
// Endpoints for unknown paths under /auth. Without them, such a path would match a record endpoint like `/:collection`.
const UNKNOWN_PATHS = ["/auth", "/auth/*path"]

function refusePath(): Promise<never> {
  return Promise.reject(new ApiError("NOT_FOUND", { message: "There is no such path under /auth." }))
}

type Run = Endpoint["run"]
type Body = Readonly<Record<string, unknown>>

interface AuthDependencies {
  readonly identity: Identity
  readonly addresses: CallerAddresses
}

/** The parts of a call of the identity library that do not come from the request itself. */
type Passed = Partial<Pick<LibraryCall, "newPassword" | "userFields" | "path">>

function forwardToLibrary(passed: AuthDependencies, checks?: BodyChecks): Run {
  return async (call) => {
    const body = await readBody(call)
    if (checks) checkBody(call, checks, body)
    return forward(passed, call, body)
  }
}

async function forward(
  passed: AuthDependencies & Passed,
  call: EndpointCall,
  body: Body | undefined,
): Promise<Answer<unknown>> {
  const { resetEmail: _, ...answer } = await callLibrary(passed, call, body)
  return answer
}

async function callLibrary(
  { identity, addresses, newPassword, userFields, ...passed }: AuthDependencies & Passed,
  call: EndpointCall,
  body: Body | undefined,
) {
  const { incoming } = call
  const { query, headers } = incoming
  const path = passed.path ?? incoming.path
  const method = incoming.method === "HEAD" ? "GET" : incoming.method
  const caller = hashCallerOf(addresses, call)
  const peerAddress = addresses.callerAddress(incoming)
  const answer = await identity.call({
    ...{ method, path, query, headers, peerAddress, body, caller, newPassword, userFields },
  })
  return warnOfDroppedCookie(call, answer)
}

// Names the caller for whom passwords are hashed. Callers take turns at password hashing.
function hashCallerOf(addresses: CallerAddresses, { incoming, callerCtx: { session } }: EndpointCall): string {
  return session ? `user ${session.user.id}` : `address ${addresses.countedAddressOf(incoming) ?? "unknown"}`
}

function callerOf({ addresses }: AuthDependencies, { incoming, callerCtx }: EndpointCall): PasswordCaller {
  return {
    cookie: incoming.headers.get("cookie"),
    session: callerCtx.session,
    address: addresses.countedAddressOf(incoming),
    countedAddress,
  }
}

function signIn(passed: AuthDependencies): Run {
  return async (call) => signInWith(passed, call, await readBody(call))
}

function signInWith(passed: AuthDependencies & Passed, call: EndpointCall, body: Body | undefined) {
  const { passwords } = passed.identity
  const run = async () => withSessionUser(passed, await forward(passed, call, body))
  const email = body?.["email"]
  return passwords && typeof email === "string" ? passwords.signIn(email, callerOf(passed, call), run) : run()
}

/** Returns the endpoint of the set-up, which creates the first account and signs it in. */
export function firstAccountEndpoint(identity: Identity, parts: CallerAddresses & { basePath: string }): Endpoint {
  const passed = { identity, addresses: parts, path: `${parts.basePath}/auth/sign-in/email` }
  return setUpEndpoint({
    setUp: identity.setUp,
    hashCaller: (call) => hashCallerOf(parts, call),
    signIn: (call, credentials) => signInWith(passed, call, { ...credentials }),
  })
}

const SIGN_UP_INPUT = ["name", "email", "password", "image", "callbackURL", "rememberMe"]

// Signs a user up. Besides `SIGN_UP_INPUT`, the body may have the author's fields that a sign-up can set. Its other
// members are dropped, because the caller must not set them.
function signUp(passed: AuthDependencies): Run {
  return async (call) => {
    const whole = (await readBody(call)) ?? {}
    const body = Object.fromEntries(Object.entries(whole).filter(([name]) => SIGN_UP_INPUT.includes(name)))
    checkBody(call, SIGN_UP_CHECKS, body)
    const userFields = await readSignUpFields(call.ctx, whole)
    const given = { ...passed, newPassword: acceptablePassword(body), userFields }
    if (passed.identity.answersByMail) return signUpByMail(given, call, body)
    const answer = await withSessionUser(passed, await forward(given, call, body))
    return passed.identity.passwords?.remember(answer, String(body["email"]), callerOf(passed, call)) ?? answer
  }
}

function acceptablePassword({ password }: Body): string | undefined {
  const { min, max } = PASSWORD_CHARACTERS
  const isFine = typeof password === "string" && password.length >= min && password.length <= max
  return isFine ? password : undefined
}

// Gives the same response after the same time in three cases: the email address already had an account, it gets one
// now, or it got one during the request.
async function signUpByMail(
  passed: AuthDependencies & Passed,
  call: EndpointCall,
  body: Body,
): Promise<Answer<unknown>> {
  await withSteppedDelay(SIGN_UP_STEP_MS, () =>
    forward(passed, call, body).catch((cause: unknown) => {
      const error = explainError(call.ctx.schema, cause)
      if (!isTaken(error)) throw error
    }),
  )
  const { name, email, image = null } = body
  const user = { name: String(name).trim(), email: String(email).toLowerCase(), image, emailVerified: false }
  return { ...plainAnswer({ token: null, user }), headers: { "cache-control": "no-store" } }
}

function isTaken(error: unknown): boolean {
  return error instanceof ApiError && error.code === "CONFLICT" && error.fieldErrors?.[0]?.path === "email"
}

function refuseSignUp(): Promise<never> {
  const message = "Sign-up is disabled. To allow it, set auth: { signUp: true } in kit.config.ts."
  return Promise.reject(new ApiError("FORBIDDEN", { message }))
}

// Responds to a sign-in with the user as the new session shows them. The identity library's own response would also say
// why the user was banned once, which only admins may read.
async function withSessionUser({ identity }: AuthDependencies, answer: Answer<unknown>): Promise<Answer<unknown>> {
  // The cast is safe: the identity library responds to a sign-in with an object.
  const { token, user: _, ...others } = answer.value as { readonly token?: unknown; readonly user?: object }
  if (typeof token !== "string") return answer
  const headers = new Headers({ authorization: `Bearer ${token}` })
  const session = await identity.sessions.read(headers)
  // The session has been ended since, for example because an admin has banned the user.
  if (session === null) throw new ApiError("UNAUTHORIZED")
  return { ...answer, value: { ...others, token, user: session.user } }
}

// Changes the caller's name and image, and the author's fields that the rules let the caller change.
function updateUser(passed: AuthDependencies): Run {
  return async (call) => {
    const body = await readBody(call)
    checkBody(call, PROFILE_CHECKS, body)
    if (!body || call.ctx.session === null || !hasAuthorFields(call.ctx, body)) return forward(passed, call, body)
    await changeProfile(call.ctx, { userId: callerWithSession(call.ctx).user.id, body })
    return plainAnswer({ status: true })
  }
}

// Changes the caller's password and ends all other sessions of the user, which may belong to someone who knew the old
// password. The caller gets a new session.
function changePassword(passed: AuthDependencies): Run {
  const { passwords } = passed.identity
  return async (call) => {
    const body = { ...(await readBody(call)), revokeOtherSessions: true }
    const { session } = call.callerCtx
    const run = async () => withSessionUser(passed, await forward(passed, call, body))
    return passwords && session ? passwords.confirm(session, run) : run()
  }
}

function requestReset(passed: AuthDependencies): Run {
  return (call) => withSteppedDelay(RESET_STEP_MS, async () => forwardToLibrary(passed)(call))
}

function resetPassword(passed: AuthDependencies): Run {
  const { passwords } = passed.identity
  return async (call) => {
    const { resetEmail, ...answer } = await callLibrary(passed, call, await readBody(call))
    return passwords && resetEmail !== undefined
      ? passwords.afterReset(answer, resetEmail, callerOf(passed, call))
      : answer
  }
}

// Delays the result or the error to a multiple of `stepMs`, so that the delay reveals only how many steps the work
// took.
async function withSteppedDelay<Result>(stepMs: number, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now()
  try {
    return await work()
  } finally {
    const spentMs = performance.now() - start
    await new Promise((resolve) => setTimeout(resolve, stepMs - (spentMs % stepMs)))
  }
}

// Responds with the caller's session as rules see it, or with null.
function answerSession({ ctx }: EndpointCall) {
  return Promise.resolve(authoredAnswer(ctx.session))
}

function listSessions({ ownSessions }: Identity): Run {
  return async ({ ctx }) => authoredAnswer(await ownSessions.list(callerWithSession(ctx)))
}

function revokeSession({ ownSessions }: Identity): Run {
  return async (call) => {
    const { user } = callerWithSession(call.callerCtx)
    const id = textIn(await readBody(call), "id")
    if (!isId(id)) throw new ApiError("NOT_FOUND", { message: "You have no such session." })
    await ownSessions.end(user.id, id)
    return plainAnswer({ success: true })
  }
}

function revokeOtherSessions({ ownSessions }: Identity): Run {
  return async ({ ctx }) => {
    await ownSessions.endOthers(callerWithSession(ctx))
    return plainAnswer({ success: true })
  }
}

// The identity library redirects a browser to this path if a sign-in failed and it cannot send the browser back to the
// page where the sign-in began.
function refuseSignIn({ incoming }: EndpointCall): Promise<never> {
  const reason = new URLSearchParams(incoming.query).get("error")?.slice(0, 100) ?? "unknown"
  return Promise.reject(new ApiError("BAD_REQUEST", { message: "Sign-in failed.", context: { reason } }))
}
