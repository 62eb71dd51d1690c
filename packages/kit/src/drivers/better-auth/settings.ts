import type { IdentityLink, IdentityStore, PasswordHasher } from "../../ports/identity.ts"

/** The settings with which the better-auth server is created. */
export interface IdentitySettings {
  readonly appName: string
  readonly secret: string
  /** The URL path prefix of all identity endpoints, including the app's own base path. */
  readonly basePath: string
  /** The app's configured origin. If undefined, better-auth uses the origin of each request. */
  readonly url: string | undefined
  /** True if cookies are sent over HTTPS only. */
  readonly isSecure: boolean
  readonly cookiePrefix: string
  /** The name of the request header that holds the client's IP address. The app itself sets this header. */
  readonly peerHeader: string
  readonly trustedOrigins: readonly string[]
  readonly signUp: boolean
  readonly requireVerifiedEmail: boolean
  readonly sessionDays: number
  readonly providers: Readonly<Record<string, object>>
  /** The names of the additional user fields that a session contains. */
  readonly sessionFields: readonly string[]
  readonly store: IdentityStore
  readonly passwords: PasswordHasher
  readonly mails: {
    sendReset(link: IdentityLink): void
    sendVerification(link: IdentityLink): void
    /** Informs a user that somebody tried to sign up with the user's mail address. */
    sendExisting(user: Pick<IdentityLink, "email" | "name">): void
  }
  log(message: string): void
}
