import { authoredAnswer, plainAnswer } from "../../engine/answer.ts"
import type { Identity } from "../../features/auth/identity.ts"
import { isId } from "../../schema/fields/relation.ts"
import { ApiError } from "../../wire/api-error.ts"
import type { Endpoint, EndpointCall, Method } from "../endpoint.ts"
import { keyEndpoints } from "./api-keys.ts"
import { BODY_CHECKS, type BodyChecks, checkBody, SIGN_UP_CHECKS } from "./auth-checks.ts"
import { callerWithSession, readBody, textIn } from "./auth-input.ts"

/** What the identity library answers by itself. A path that is not here does not exist. */
const LIBRARY_PATHS: readonly (readonly [Method, string])[] = [
  ["POST", "/auth/sign-in/email"],
  ["POST", "/auth/sign-in/social"],
  ["GET", "/auth/callback/:provider"],
  ["POST", "/auth/sign-out"],
  ["POST", "/auth/reset-password"],
  ["GET", "/auth/reset-password/:token"],
  ["POST", "/auth/send-verification-email"],
  ["GET", "/auth/verify-email"],
  ["POST", "/auth/update-user"],
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

// However long it takes to find out whether somebody has an account, it takes no longer than this.
const RESET_ANSWER_MS = 150

/** Everything under `/auth`. */
export function authEndpoints(identity: Identity): readonly Endpoint[] {
  return [
    ...LIBRARY_PATHS.map(([method, path]) => ({ method, path, run: passOn(identity, BODY_CHECKS[path]) })),
    { method: "POST", path: "/auth/sign-up/email", run: identity.signUp ? signUp(identity) : refuseSignUp },
    { method: "POST", path: "/auth/change-password", run: changePassword(identity) },
    { method: "POST", path: "/auth/request-password-reset", run: requestReset(identity) },
    { method: "GET", path: "/auth/get-session", run: answerSession },
    { method: "GET", path: "/auth/list-sessions", run: listSessions(identity) },
    { method: "POST", path: "/auth/revoke-session", run: revokeSession(identity) },
    { method: "POST", path: "/auth/revoke-other-sessions", run: revokeOtherSessions(identity) },
    { method: "GET", path: "/auth/error", run: answerError },
    ...keyEndpoints(identity.keys),
    ...UNKNOWN_PATHS.flatMap((path) => METHODS.map((method) => ({ method, path, run: refusePath }))),
  ]
}

const METHODS: readonly Method[] = ["GET", "POST", "PATCH", "PUT", "DELETE"]
// Without these they would look like records of a collection.
const UNKNOWN_PATHS = ["/auth", "/auth/*path"]

function refusePath(): Promise<never> {
  return Promise.reject(new ApiError("NOT_FOUND", { message: "There is no such path under /auth." }))
}

type Run = Endpoint["run"]

function passOn(identity: Identity, checks?: BodyChecks): Run {
  return async (call) => {
    const body = await readBody(call)
    if (checks) checkBody(call, checks, body)
    return pass(identity, call, body)
  }
}

function pass(identity: Identity, { incoming }: EndpointCall, body: Readonly<Record<string, unknown>> | undefined) {
  const { path, query, headers, peerAddress } = incoming
  const method = incoming.method === "HEAD" ? "GET" : incoming.method
  return identity.call({ method, path, query, headers, peerAddress, body })
}

const SIGN_UP_INPUT = ["name", "email", "password", "image", "callbackURL", "rememberMe"]

// Whatever else a form holds is not for its sender to decide.
function signUp(identity: Identity): Run {
  return async (call) => {
    const given = Object.entries((await readBody(call)) ?? {})
    const body = Object.fromEntries(given.filter(([name]) => SIGN_UP_INPUT.includes(name)))
    checkBody(call, SIGN_UP_CHECKS, body)
    return pass(identity, call, body)
  }
}

function refuseSignUp(): Promise<never> {
  const message = "Nobody can sign up here by themselves. To allow it, set auth: { signUp: true } in kit.config.ts."
  return Promise.reject(new ApiError("FORBIDDEN", { message }))
}

// Whoever knew the old password may be signed in with it; the caller gets a new session.
function changePassword(identity: Identity): Run {
  return async (call) => pass(identity, call, { ...(await readBody(call)), revokeOtherSessions: true })
}

function requestReset(identity: Identity): Run {
  return async (call) => {
    const earliest = new Promise((resolve) => setTimeout(resolve, RESET_ANSWER_MS))
    const answered = await passOn(identity)(call)
    await earliest
    return answered
  }
}

// What a rule sees of the caller, or null.
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

// Where the library sends a browser that it cannot send back.
function answerError({ incoming }: EndpointCall): Promise<never> {
  const reason = new URLSearchParams(incoming.query).get("error")?.slice(0, 100) ?? "unknown"
  return Promise.reject(new ApiError("BAD_REQUEST", { message: "Signing in did not work.", context: { reason } }))
}
