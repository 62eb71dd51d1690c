import type { CallOptions } from "../options/call-options.ts"
import type { Handle } from "../realtime/handle.ts"

/** The generated types of an app's users. */
export interface AuthTypes {
  /** A session's user. */
  user: object
  /** The author's fields that a sign-up can set. */
  signUp: object
  /** The author's fields that users may change in their own record. */
  update: object
}

/** The signed-in user, and their session. */
export interface ClientSession<User> {
  readonly user: User
  /** Absent if the client uses an API key, which acts for a user without a session. */
  readonly session?: { readonly id: string; readonly expiresAt: Date } | undefined
}

/** The result of a sign-in. */
export interface SignedIn<User> {
  /** The bearer token of the session, for clients that send `Authorization: Bearer …` instead of the cookie. */
  readonly token: string
  readonly user: User
}

/** The result of a sign-up that continues by mail. It is the same whether the address already had an account. */
export interface SignUpByMail {
  readonly token: null
  readonly user: {
    readonly name: string
    readonly email: string
    readonly image: string | null
    readonly emailVerified: false
  }
}

interface Credentials {
  readonly email: string
  readonly password: string
  /** False for a session that ends with the browser. */
  readonly rememberMe?: boolean
}

interface NewAccount extends Credentials {
  readonly name: string
  /** The URL of a picture. */
  readonly image?: string
  /** The page to which the link in the mail leads that confirms the address. */
  readonly redirectTo?: string
}

interface FirstAccount {
  readonly token: string
  readonly name: string
  readonly email: string
  readonly password: string
}

interface Profile {
  readonly name?: string
  readonly image?: string | null
}

/** The settings of `auth.watch`. */
export interface SessionWatchSettings {
  /** Ends the subscription when it aborts. */
  readonly signal?: AbortSignal | undefined
  /** Called with each error. If `isFinal` is true, the client does not retry, so nothing more arrives. */
  readonly onError?: ((error: Error, isFinal?: boolean) => void) | undefined
}

/** An account, as admins see it. */
export interface AdminUser {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly emailVerified: boolean
  readonly image: string | null
  readonly role: string
  readonly banned: boolean
  readonly banReason: string | null
  /** The end of the ban; null if it has none. */
  readonly banExpires: Date | null
  readonly createdAt: Date
}

/** The accounts of all users. */
export interface ClientAuthAdmin {
  /** Returns a page of the users by name, and the number of all that match. `search` is part of a name or an address. */
  list(
    options?: { readonly search?: string; readonly limit?: number; readonly offset?: number },
    call?: CallOptions,
  ): Promise<{ readonly users: readonly AdminUser[]; readonly total: number }>
  /** Creates an account. A user without a password has to set one by mail. */
  create(
    account: { readonly name: string; readonly email: string; readonly password?: string; readonly role?: string },
    call?: CallOptions,
  ): Promise<{ readonly id: string }>
  /** Sets the role, which takes effect immediately. */
  setRole(change: { readonly id: string; readonly role: string }, call?: CallOptions): Promise<void>
  /** Keeps a user from signing in, and ends their sessions. A ban without a number of seconds has no end. */
  ban(
    ban: { readonly id: string; readonly reason?: string; readonly expiresInSeconds?: number },
    call?: CallOptions,
  ): Promise<void>
  /** Lets a banned user sign in again. */
  unban(user: { readonly id: string }, call?: CallOptions): Promise<void>
}

/** The sign-in, the account and the session of the client's user. */
export interface ClientAuth<Types extends AuthTypes> extends Handle<"session", Types> {
  /** Signs in with a password. In a browser, the session is kept in a cookie. */
  signIn(credentials: Credentials, call?: CallOptions): Promise<SignedIn<Types["user"]>>
  /**
   * Signs in with another service: sends the browser to its page, from which it comes back to `redirectTo`, by default
   * the current page. Outside of browsers, the URL of that page is only returned.
   */
  signInWith(
    provider: string,
    options?: { readonly redirectTo?: string | undefined },
    call?: CallOptions,
  ): Promise<{ readonly url: string }>
  /**
   * Creates the first account of the app, with the role `admin`, and signs in. `token` is that of the link that the
   * start of the app prints while no account has this role.
   */
  setUp(account: FirstAccount, call?: CallOptions): Promise<SignedIn<Types["user"]>>
  /**
   * Creates an account and signs in. If the address must be confirmed first, nobody is signed in, and the `token` of
   * the result is null.
   */
  signUp(account: NewAccount & Types["signUp"], call?: CallOptions): Promise<SignedIn<Types["user"]> | SignUpByMail>
  /** Ends the session. */
  signOut(call?: CallOptions): Promise<void>
  /** Returns the signed-in user and their session, or null. */
  session(call?: CallOptions): Promise<ClientSession<Types["user"]> | null>
  /**
   * Calls back with the session, and whenever it changes: after a sign-in or sign-out in this tab, in another tab, or
   * elsewhere, and when the user's name, role or other fields change. Returns a function that ends the subscription.
   */
  watch(onSession: (session: ClientSession<Types["user"]> | null) => void, settings?: SessionWatchSettings): () => void
  /** Changes the user's own name, picture, and the fields that the rules let users change. Returns the new session. */
  update(profile: Profile & Types["update"], call?: CallOptions): Promise<ClientSession<Types["user"]> | null>
  /** Changes the password, and ends all other sessions of the user. The result has the token of the new session. */
  changePassword(
    passwords: { readonly currentPassword: string; readonly newPassword: string },
    call?: CallOptions,
  ): Promise<SignedIn<Types["user"]>>
  /** Ends all other sessions of the user, such as those on other devices. */
  signOutElsewhere(call?: CallOptions): Promise<void>
  /**
   * Sends a link by mail with which a new password can be set. The link leads to `redirectTo` with `?token=`. The
   * result is the same whether the address has an account.
   */
  requestReset(
    request: { readonly email: string; readonly redirectTo?: string | undefined },
    call?: CallOptions,
  ): Promise<void>
  /** Sets a new password with the token of the link, and ends every session of the user. */
  reset(request: { readonly token: string; readonly password: string }, call?: CallOptions): Promise<void>
  /** The accounts of all users. Only users with the role `admin` may call these operations. */
  readonly admin: ClientAuthAdmin
  /** Returns the names of the services with which users can sign in, such as `github`. */
  providers(call?: CallOptions): Promise<readonly string[]>
}
