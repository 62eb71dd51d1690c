import type { CallOptions } from "../../wire/options/call-options.ts"
import { SET_UP_PATH } from "../../wire/paths/paths.ts"
import type { HANDLE } from "../../wire/realtime/handle.ts"
import type { AuthTypes, ClientAuth, ClientSession, SignedIn, SignUpByMail } from "../../wire/typed/typed-auth.ts"
import type { ClientParts } from "../client-parts.ts"
import { sessionCall } from "./session-call.ts"

interface TabChannel {
  postMessage(message: unknown): void
  close(): void
}

interface AnyUser {
  readonly id: string
}

interface AnyUsers extends AuthTypes {
  user: AnyUser
}

type Session = ClientSession<AnyUser> | null

/** The operations of `client.auth`, without the types of the app's users. The `Client` interface adds them. */
export type AuthOperations = Omit<ClientAuth<AnyUsers>, "watch" | "admin" | typeof HANDLE>

// The parts of the browser that this file uses; undefined outside of browsers.
declare const document: object | undefined
declare const BroadcastChannel: (new (name: string) => TabChannel) | undefined
declare const location: { readonly href: string; assign(url: string): void } | undefined

/** Returns the operations of `client.auth`. This file is loaded on first use, because many pages do not need them. */
export function authOperations({ transport, user, renewStream }: ClientParts): AuthOperations {
  const address = transport.urlOf("")
  const post = <Answer>(path: string, body?: object, options?: CallOptions): Promise<Answer> =>
    transport.send({ method: "POST", path: `/auth/${path}`, body, options })
  const become = (userId: string | null) => {
    // The open stream belongs to the former session. Another user's stream is opened by `become`.
    if (userId === user.id) void renewStream(() => Promise.resolve())
    user.become(userId)
    notifyOtherTabs(address, userId)
  }
  const readSession = async (options?: CallOptions) => {
    const session = await transport.send<Session>(sessionCall(options))
    user.see(userIdOf(session))
    return session
  }
  return {
    signIn: async (credentials, options) => {
      const answer = await post<SignedIn<AnyUser>>("sign-in/email", credentials, options)
      become(answer.user.id)
      return signedIn(answer)
    },
    signInWith: async (provider, { redirectTo = pageAddress() } = {}, options) => {
      const body = { provider, callbackURL: redirectTo, errorCallbackURL: redirectTo }
      const { url } = await post<{ url: string }>("sign-in/social", body, options)
      if (typeof location === "object") location.assign(url)
      return { url }
    },
    setUp: async (account, options) => {
      const call = { method: "POST", path: SET_UP_PATH, body: account, options } as const
      const answer = await transport.send<SignedIn<AnyUser>>(call)
      become(answer.user.id)
      return signedIn(answer)
    },
    signUp: async ({ redirectTo: callbackURL, ...account }, options) => {
      const body = { ...account, callbackURL }
      const answer = await post<SignedIn<AnyUser> | SignUpByMail>("sign-up/email", body, options)
      if (answer.token === null) return answer
      become(answer.user.id)
      return signedIn(answer)
    },
    signOut: async (options) => {
      await renewStream(() => post("sign-out", undefined, options))
      become(null)
    },
    session: readSession,
    update: async (profile, options) => {
      await post("update-user", profile, options)
      return await readSession(options)
    },
    changePassword: async (passwords, options) =>
      signedIn(await renewStream(() => post<SignedIn<AnyUser>>("change-password", passwords, options))),
    signOutElsewhere: async (options) => {
      await post("revoke-other-sessions", undefined, options)
    },
    requestReset: async (request, options) => {
      await post("request-password-reset", request, options)
    },
    reset: async ({ token, password: newPassword }, options) => {
      await post("reset-password", { token, newPassword }, options)
    },
    providers: async (options) => {
      const { providers } = await transport.send<{ providers: string[] }>({
        ...{ method: "GET", path: "/auth/providers", options },
      })
      return providers
    },
  }
}

function userIdOf(session: Session): string | null {
  return session?.user.id ?? null
}

// Leaves out what only the identity library needs, such as the address of a redirect.
function signedIn({ token, user }: SignedIn<AnyUser>): SignedIn<AnyUser> {
  return { token, user }
}

function pageAddress(): string | undefined {
  return typeof location === "object" ? location.href : undefined
}

// Notifies the other tabs of the browser, which share the session cookie. `live/other-tabs.ts` listens under the same
// name. That file is not imported here, because a page that only signs in does not load it.
function notifyOtherTabs(address: string, userId: string | null): void {
  if (typeof document !== "object" || typeof BroadcastChannel !== "function") return
  const channel = new BroadcastChannel(`kit ${address}`)
  channel.postMessage(userId)
  channel.close()
}
