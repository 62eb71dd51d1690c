import type { HeaderReader, Session } from "./session-provider.ts"

/** The kinds of rows that the identity library stores. */
export type IdentityModel = "user" | "session" | "account" | "verification"

export type IdentityRow = Readonly<Record<string, unknown>>

/**
 * One condition on a row. All "OR" conditions together form one group, which is joined with the "AND" conditions by
 * AND.
 */
export interface IdentityCondition {
  readonly field: string
  readonly operator: string
  readonly value: unknown
  readonly connector: "AND" | "OR"
}

export interface IdentityQuery {
  readonly where: readonly IdentityCondition[]
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly sortBy?: { readonly field: string; readonly direction: "asc" | "desc" } | undefined
}

/** Stores the rows of the identity library. */
export interface IdentityStore {
  create(model: IdentityModel, data: IdentityRow): Promise<IdentityRow>
  find(model: IdentityModel, query: IdentityQuery): Promise<readonly IdentityRow[]>
  count(model: IdentityModel, where: readonly IdentityCondition[]): Promise<number>
  /** Updates the matching rows and resolves to their new values. */
  update(model: IdentityModel, where: readonly IdentityCondition[], data: IdentityRow): Promise<readonly IdentityRow[]>
  /** Deletes the matching rows and resolves to them. */
  delete(model: IdentityModel, where: readonly IdentityCondition[]): Promise<readonly IdentityRow[]>
  transaction<Result>(work: (store: IdentityStore) => Promise<Result>): Promise<Result>
}

/** A link for a user to open, as the identity library creates it. */
export interface IdentityLink {
  readonly email: string
  readonly name: string
  readonly url: string
  readonly token: string
}

/** The result of a call to the identity library: its HTTP response, or the reason why it refused the request. */
export type IdentityAnswer =
  | {
      readonly kind: "response"
      readonly response: Response
      /** The email address of the user whose password was reset through a mailed link. */
      readonly resetEmail?: string | undefined
    }
  | {
      readonly kind: "refused"
      readonly status: number
      readonly code: string | undefined
      readonly message: string | undefined
    }

/** Hashes and verifies passwords for a caller, who may have to wait for other callers. */
export interface PasswordHasher {
  hash(caller: string | undefined, password: string): Promise<string>
  verify(caller: string | undefined, stored: { readonly hash: string; readonly password: string }): Promise<boolean>
}

/** Facts about a request that the identity library does not read from the request itself. */
export interface IdentityRequestOptions {
  /** The caller for whom passwords are hashed. Callers take turns at password hashing. */
  readonly caller: string
  /**
   * The new password in the request. It is hashed before the identity library opens a transaction, which must not wait
   * for the hash.
   */
  readonly newPassword?: string | undefined
  /** The fields that the author added to users, with the values that a new user gets. They have been checked. */
  readonly userFields?: IdentityRow | undefined
}

/** Handles sign-up, sign-in and related endpoints through web-standard requests. */
export interface IdentityServer {
  answer(request: Request, options: IdentityRequestOptions): Promise<IdentityAnswer>
  /** Returns the session that the identity library finds by the cookie or the bearer token in these headers. */
  readSession(headers: HeaderReader): Promise<Session | null>
}
