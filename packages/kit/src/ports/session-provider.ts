/** The signed-in user and their session, as the identity provider knows them. */
export interface Session extends SessionFacts {
  readonly user: { readonly id: string; readonly role?: string | undefined; readonly [claim: string]: unknown }
}

/** The facts about a session that do not depend on its user. */
export interface SessionFacts {
  readonly session?: { readonly id: string; readonly expiresAt?: Date | undefined } | undefined
}

/** Reads the caller's session from the headers of a request; null for an anonymous or unverifiable caller. */
export interface SessionProvider {
  read(headers: HeaderReader): Session | null | Promise<Session | null>
  /** The session that a user would have, for code that acts in their name; null if the user does not exist. */
  load?(userId: string): Promise<Session | null>
}

/** Case-insensitive access to request headers. */
export interface HeaderReader {
  get(name: string): string | null
}
