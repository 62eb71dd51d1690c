import {
  FLAG,
  ID,
  listOf,
  MOMENT,
  objectOf,
  orNull,
  SUCCESS,
  TEXT,
  TEXT_OR_NULL,
  WHOLE_NUMBER,
} from "../schema-parts.ts"
import type { EndpointTable, FixedOperation, NotInDocument } from "./endpoint-description.ts"

const USER = objectOf({ "id?": TEXT, name: TEXT, email: TEXT, emailVerified: FLAG, "image?": TEXT_OR_NULL })
const SIGNED_IN = objectOf({ "token?": TEXT_OR_NULL, user: USER })
const STATUS = objectOf({ status: FLAG })
const USER_ID = objectOf({ userId: ID })
const CHANGED_USER = objectOf({ user: USER })
const SESSION = orNull(
  objectOf({
    user: objectOf({ id: TEXT, "role?": TEXT_OR_NULL }),
    "session?": objectOf({ id: TEXT, "expiresAt?": MOMENT }),
  }),
)
const LISTED_USER = objectOf({
  id: ID,
  name: TEXT,
  email: TEXT,
  emailVerified: FLAG,
  image: TEXT_OR_NULL,
  role: TEXT,
  banned: FLAG,
  banReason: TEXT_OR_NULL,
  banExpires: orNull(MOMENT),
  createdAt: MOMENT,
})
const OWN_SESSION = objectOf({ id: ID, createdAt: MOMENT, expiresAt: MOMENT, isCurrent: FLAG })
const KEY_MEMBERS = {
  id: ID,
  name: TEXT,
  prefix: TEXT,
  createdAt: MOMENT,
  lastUsedAt: orNull(MOMENT),
  expiresAt: orNull(MOMENT),
}

/** The endpoints with which people sign in, and manage their account. */
export const AUTH_OPERATIONS: EndpointTable = {
  "POST /auth/sign-up/email": auth("signUpEmail", "Create an account", {
    requires: "signUp",
    body: objectOf({
      name: TEXT,
      email: TEXT,
      password: TEXT,
      "image?": TEXT,
      "callbackURL?": TEXT,
      "rememberMe?": FLAG,
    }),
    answer: SIGNED_IN,
  }),
  "POST /_kit/setup": auth("setUp", "Create the first account", {
    description:
      "Creates an account with the role admin, and signs it in. The start prints the token while no account has this role.",
    body: objectOf({ token: TEXT, name: TEXT, email: TEXT, password: TEXT }),
    answer: SIGNED_IN,
    errors: ["FORBIDDEN", "CONFLICT"],
  }),
  "POST /auth/sign-in/email": auth("signInEmail", "Sign in with a password", {
    description: "Sets the session cookie. The token of the answer is a bearer token of the same session.",
    body: objectOf({ email: TEXT, password: TEXT, "rememberMe?": FLAG }),
    answer: SIGNED_IN,
  }),
  "POST /auth/sign-in/social": auth("signInSocial", "Sign in with another service", {
    body: objectOf({ provider: TEXT, "callbackURL?": TEXT, "errorCallbackURL?": TEXT, "newUserCallbackURL?": TEXT }),
    answer: objectOf({ "url?": TEXT, "redirect?": FLAG }),
  }),
  "GET /auth/callback/:provider": auth("callback", "Return from another service", { status: 302 }),
  "POST /auth/sign-out": auth("signOut", "End the session", { caller: "user", answer: objectOf({ success: FLAG }) }),
  "GET /auth/get-session": auth("getSession", "Read the caller's session", { answer: SESSION }),
  "GET /auth/providers": auth("listProviders", "List the services with which users can sign in", {
    answer: objectOf({ providers: listOf(TEXT) }),
  }),
  "GET /auth/list-sessions": auth("listSessions", "List the caller's sessions", {
    caller: "user",
    answer: listOf(OWN_SESSION),
  }),
  "POST /auth/revoke-session": auth("revokeSession", "End one of the caller's sessions", {
    caller: "user",
    body: objectOf({ id: ID }),
    answer: SUCCESS,
  }),
  "POST /auth/revoke-other-sessions": auth("revokeOtherSessions", "End all other sessions of the caller", {
    caller: "user",
    answer: SUCCESS,
  }),
  "POST /auth/revoke-sessions": auth("revokeSessions", "End all sessions of the caller", {
    caller: "user",
    answer: STATUS,
  }),
  "POST /auth/change-password": auth("changePassword", "Change the caller's password", {
    caller: "user",
    description: "Ends all other sessions, and opens a new one for the caller.",
    body: objectOf({ currentPassword: TEXT, newPassword: TEXT }),
    answer: SIGNED_IN,
  }),
  "POST /auth/request-password-reset": auth("requestPasswordReset", "Have a link to reset a password sent by mail", {
    body: objectOf({ email: TEXT, "redirectTo?": TEXT }),
    answer: STATUS,
  }),
  "GET /auth/reset-password/:token": auth("openPasswordReset", "Follow the link to reset a password", { status: 302 }),
  "POST /auth/reset-password": auth("resetPassword", "Reset a password with the token of the link", {
    body: objectOf({ token: TEXT, newPassword: TEXT }),
    answer: STATUS,
  }),
  "POST /auth/send-verification-email": auth(
    "sendVerificationEmail",
    "Have a link to confirm an address sent by mail",
    {
      body: objectOf({ email: TEXT, "callbackURL?": TEXT }),
      answer: STATUS,
    },
  ),
  "GET /auth/verify-email": auth("verifyEmail", "Confirm an address with the token of the link", {
    description: "Redirects to callbackURL if there is one.",
    parameters: [
      { name: "token", in: "query", required: true, schema: TEXT },
      { name: "callbackURL", in: "query", schema: TEXT },
    ],
    answer: STATUS,
    further: [302],
  }),
  "POST /auth/update-user": auth("updateUser", "Change the caller's name or picture", {
    caller: "user",
    body: objectOf({ "name?": TEXT, "image?": TEXT_OR_NULL }),
    answer: STATUS,
  }),
  "GET /auth/list-accounts": auth("listAccounts", "List the ways in which the caller can sign in", {
    caller: "user",
    answer: listOf(objectOf({ id: TEXT, providerId: TEXT, accountId: TEXT })),
  }),
  "POST /auth/link-social": auth("linkSocial", "Link an account of another service", {
    caller: "user",
    body: objectOf({ provider: TEXT, "callbackURL?": TEXT }),
    answer: objectOf({ "url?": TEXT, "redirect?": FLAG }),
  }),
  "POST /auth/unlink-account": auth("unlinkAccount", "Unlink an account of another service", {
    caller: "user",
    body: objectOf({ providerId: TEXT, "accountId?": TEXT }),
    answer: STATUS,
  }),
  "POST /auth/api-keys": auth("createApiKey", "Create an API key", {
    caller: "user",
    description: "This answer is the only one that has the key itself.",
    body: objectOf({ name: TEXT, "expiresAt?": orNull(MOMENT) }),
    answer: objectOf({ ...KEY_MEMBERS, key: TEXT }),
    status: 201,
    errors: ["CONFLICT"],
  }),
  "GET /auth/api-keys": auth("listApiKeys", "List the caller's API keys", {
    caller: "user",
    answer: listOf(objectOf(KEY_MEMBERS)),
  }),
  "DELETE /auth/api-keys/:id": auth("deleteApiKey", "Delete an API key", { caller: "user", answer: SUCCESS }),
  "GET /auth/admin/list-users": auth("adminListUsers", "List the users", {
    caller: "admin",
    description: "The read rules of the users collection do not apply.",
    parameters: [
      { name: "search", in: "query", description: "Part of a name or an address.", schema: TEXT },
      { name: "limit", in: "query", description: "50 unless set, at most 1000.", schema: WHOLE_NUMBER },
      { name: "offset", in: "query", schema: WHOLE_NUMBER },
    ],
    answer: objectOf({ users: listOf(LISTED_USER), total: WHOLE_NUMBER }),
  }),
  "POST /auth/admin/create-user": auth("adminCreateUser", "Create a user", {
    caller: "admin",
    body: objectOf({ name: TEXT, email: TEXT, "password?": TEXT, "role?": TEXT }),
    answer: CHANGED_USER,
  }),
  "POST /auth/admin/set-role": auth("adminSetRole", "Set a user's role", {
    caller: "admin",
    body: objectOf({ userId: ID, role: TEXT }),
    answer: CHANGED_USER,
  }),
  "POST /auth/admin/set-user-password": auth("adminSetUserPassword", "Set a user's password", {
    caller: "admin",
    body: objectOf({ userId: ID, newPassword: TEXT }),
    answer: STATUS,
  }),
  "POST /auth/admin/ban-user": auth("adminBanUser", "Ban a user", {
    caller: "admin",
    body: objectOf({ userId: ID, "banReason?": TEXT, "banExpiresIn?": WHOLE_NUMBER }),
    answer: CHANGED_USER,
  }),
  "POST /auth/admin/unban-user": auth("adminUnbanUser", "Unban a user", {
    caller: "admin",
    body: USER_ID,
    answer: CHANGED_USER,
  }),
  "POST /auth/admin/revoke-user-sessions": auth("adminRevokeUserSessions", "End all sessions of a user", {
    caller: "admin",
    body: USER_ID,
    answer: objectOf({ success: FLAG }),
  }),
  "POST /auth/admin/remove-user": auth("adminRemoveUser", "Delete a user", {
    caller: "admin",
    body: USER_ID,
    answer: objectOf({ success: FLAG }),
  }),
  "GET /auth/error": none("a page to which the browser is sent after a failed sign-in"),
  ...unknownPaths("/auth", "/auth/*path"),
}

function auth(
  name: string,
  summary: string,
  rest: Omit<FixedOperation, "kind" | "id" | "tag" | "summary">,
): FixedOperation {
  const errors = rest.body ? (["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const) : []
  return {
    kind: "fixed",
    id: `auth.${name}`,
    tag: "auth",
    summary,
    ...rest,
    errors: [...(rest.errors ?? []), ...errors],
  }
}

function unknownPaths(...paths: readonly string[]): EndpointTable {
  const methods = ["GET", "POST", "PATCH", "PUT", "DELETE"]
  const keys = paths.flatMap((path) => methods.map((method) => `${method} ${path}`))
  return Object.fromEntries(keys.map((key) => [key, none("answers that there is no such path")]))
}

function none(reason: string): NotInDocument {
  return { kind: "none", reason }
}
