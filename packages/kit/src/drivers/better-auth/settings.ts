import type { IdentityLink, IdentityStore, PasswordHasher } from "../../ports/identity.ts"

/** What the identity library has to know. */
export interface IdentitySettings {
  readonly appName: string
  readonly secret: string
  /** The path of everything about identity, the app's own base path included. */
  readonly basePath: string
  /** The app's origin, where it is configured; else it is that of the request at hand. */
  readonly url: string | undefined
  /** Cookies travel over https only. */
  readonly isSecure: boolean
  readonly cookiePrefix: string
  /** The header by which a request tells the address of its sender; set by us. */
  readonly peerHeader: string
  readonly trustedOrigins: readonly string[]
  readonly signUp: boolean
  readonly requireVerifiedEmail: boolean
  readonly sessionDays: number
  readonly providers: Readonly<Record<string, object>>
  /** What a session shows of its user besides what every user has. */
  readonly sessionFields: readonly string[]
  readonly store: IdentityStore
  readonly passwords: PasswordHasher
  readonly mails: {
    sendReset(link: IdentityLink): void
    sendVerification(link: IdentityLink): void
    /** Somebody tried to sign up with the address of a user. */
    sendExisting(user: Pick<IdentityLink, "email" | "name">): void
  }
  log(message: string): void
}
