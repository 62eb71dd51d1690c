/** The signed-in user and the user's session, as the identity provider returns them. */
export interface Session extends SessionFacts {
  readonly user: { readonly id: string; readonly role?: string | undefined; readonly [claim: string]: unknown }
}

/** The facts about a session that do not depend on its user. */
export interface SessionFacts {
  readonly session?: { readonly id: string; readonly expiresAt?: Date | undefined } | undefined
}

/**
 * Reads the caller's session from the request headers. Returns null if the caller is anonymous or cannot be verified.
 */
export interface SessionProvider {
  read(headers: HeaderReader): Session | null | Promise<Session | null>
  /**
   * Returns the session that this user would have, for code that acts in the user's name; null if the user does not
   * exist.
   */
  load?(userId: string): Promise<Session | null>
}

/** The part of a session provider that acting in a user's name needs. */
export type SessionLoader = Pick<SessionProvider, "load">

/** Reads request headers by name, without regard to case. */
export interface HeaderReader {
  get(name: string): string | null
}
