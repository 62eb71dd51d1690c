import type { IdentityLink, IdentityStore, PasswordHasher } from "../../ports/identity.ts"

/** The settings of the identity library. */
export interface IdentitySettings {
  readonly appName: string
  readonly secret: string
  /** The path prefix of all identity endpoints, including the app's own base path. */
  readonly basePath: string
  /** The app's configured origin. If undefined, the origin of each request is used. */
  readonly url: string | undefined
  /** True if cookies are sent over HTTPS only. */
  readonly isSecure: boolean
  readonly cookiePrefix: string
  /** The request header with the client's IP address, which the app itself sets. */
  readonly peerHeader: string
  readonly trustedOrigins: readonly string[]
  readonly signUp: boolean
  readonly requireVerifiedEmail: boolean
  readonly sessionDays: number
  readonly providers: Readonly<Record<string, object>>
  /** The additional user fields that a session contains. */
  readonly sessionFields: readonly string[]
  readonly store: IdentityStore
  readonly passwords: PasswordHasher
  readonly mails: {
    sendReset(link: IdentityLink): void
    sendVerification(link: IdentityLink): void
    /** Informs a user that a sign-up was attempted with their address. */
    sendExisting(user: Pick<IdentityLink, "email" | "name">): void
  }
  log(message: string): void
}
