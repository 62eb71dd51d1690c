import type { HeaderReader, Session } from "./session-provider.ts"

/** The kinds of rows that the identity library stores. */
export type IdentityModel = "user" | "session" | "account" | "verification"

export type IdentityRow = Readonly<Record<string, unknown>>

/** One condition on a row. All "OR" conditions form one group, which is joined with the others by AND. */
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

/** The storage for the rows of the identity library. */
export interface IdentityStore {
  create(model: IdentityModel, data: IdentityRow): Promise<IdentityRow>
  find(model: IdentityModel, query: IdentityQuery): Promise<readonly IdentityRow[]>
  count(model: IdentityModel, where: readonly IdentityCondition[]): Promise<number>
  /** Resolves to the rows after the update. */
  update(model: IdentityModel, where: readonly IdentityCondition[], data: IdentityRow): Promise<readonly IdentityRow[]>
  /** Resolves to the deleted rows. */
  delete(model: IdentityModel, where: readonly IdentityCondition[]): Promise<readonly IdentityRow[]>
  transaction<Result>(work: (store: IdentityStore) => Promise<Result>): Promise<Result>
}

/** A link for a person to open, as the library creates it. */
export interface IdentityLink {
  readonly email: string
  readonly name: string
  readonly url: string
  readonly token: string
}

/** The result of a call to the library: its response, or the reason for its refusal. */
export type IdentityAnswer =
  | {
      readonly kind: "response"
      readonly response: Response
      /** The email address of the user whose password was reset by a mailed link. */
      readonly resetEmail?: string | undefined
    }
  | {
      readonly kind: "refused"
      readonly status: number
      readonly code: string | undefined
      readonly message: string | undefined
    }

/** Hashes and verifies passwords on behalf of a caller, who may have to wait. */
export interface PasswordHasher {
  hash(caller: string | undefined, password: string): Promise<string>
  verify(caller: string | undefined, stored: { readonly hash: string; readonly password: string }): Promise<boolean>
}

/** Facts about a request that the library does not read from the request itself. */
export interface IdentityRequestOptions {
  /** The caller for whom passwords are hashed; callers take turns. */
  readonly caller: string
  /** A new password. It is hashed before the library opens a transaction, which must not wait for the hash. */
  readonly newPassword?: string | undefined
}

/** Sign-up, sign-in and related endpoints, behind web-standard requests. */
export interface IdentityServer {
  answer(request: Request, options: IdentityRequestOptions): Promise<IdentityAnswer>
  /** The session as the library itself reads it, from a cookie or a bearer token. */
  readSession(headers: HeaderReader): Promise<Session | null>
}
