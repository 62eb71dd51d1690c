import { HANDLE } from "../wire/realtime/handle.ts"
import type { ClientAuthAdmin, ClientSession, SessionWatchSettings } from "../wire/typed/typed-auth.ts"
import type { ClientParts } from "./client-parts.ts"
import type { HandleFacts } from "./handle-facts.ts"
import { withoutHash } from "./live/realtime.ts"
import type { AuthOperations } from "./resources/auth.ts"

const NAMES = [
  "signIn",
  "signInWith",
  "setUp",
  "signUp",
  "signOut",
  "session",
  "update",
  "changePassword",
  "signOutElsewhere",
  "requestReset",
  "reset",
  "providers",
] as const satisfies (keyof AuthOperations)[]

const ADMIN_NAMES = ["list", "create", "setRole", "ban", "unban"] as const satisfies (keyof ClientAuthAdmin)[]

/** Returns `client.auth`. The code of its operations is loaded with the first call. */
export function authOf(parts: ClientParts): object {
  const facts: HandleFacts = { kind: "session", resource: "", parts }
  const watch = (onSession: OnSession, settings?: SessionWatchSettings) =>
    // The cast is safe: the server sends a session, or null, for this topic.
    parts.follow({ ...settings, topic: parts.topicOf(facts), onSnapshot: withoutHash(onSession as OnSnapshot) })
  const operations = NAMES.map((name) => [name, later(parts, name)])
  const admin = Object.fromEntries(ADMIN_NAMES.map((name) => [name, adminLater(parts, name)]))
  // The facts are not enumerable, so that printing the object does not print the parts of the client.
  return Object.defineProperty({ ...Object.fromEntries(operations), admin, watch }, HANDLE, { value: facts })
}

type OnSession = (session: ClientSession<object> | null) => void
type OnSnapshot = (snapshot: unknown) => void

function later(parts: ClientParts, name: (typeof NAMES)[number]) {
  return async (...given: []): Promise<unknown> => {
    const { authOperations } = await import("./resources/auth.ts")
    // The cast is safe: the arguments are passed on as they are, and the `Client` interface has their types.
    return await (authOperations(parts)[name] as (...given: []) => Promise<unknown>)(...given)
  }
}

function adminLater({ transport }: ClientParts, name: (typeof ADMIN_NAMES)[number]) {
  return async (...given: []): Promise<unknown> => {
    const { authAdminOperations } = await import("./resources/auth-admin.ts")
    // The cast is safe for the same reason as above.
    return await (authAdminOperations(transport)[name] as (...given: []) => Promise<unknown>)(...given)
  }
}
