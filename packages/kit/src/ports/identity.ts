import type { HeaderReader, Session } from "./session-provider.ts"

/** What the identity library keeps. */
export type IdentityModel = "user" | "session" | "account" | "verification"

export type IdentityRow = Readonly<Record<string, unknown>>

/** One condition on a row; those joined by "OR" form one alternative beside the others. */
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

/** Where the identity library keeps its rows. */
export interface IdentityStore {
  create(model: IdentityModel, data: IdentityRow): Promise<IdentityRow>
  find(model: IdentityModel, query: IdentityQuery): Promise<readonly IdentityRow[]>
  count(model: IdentityModel, where: readonly IdentityCondition[]): Promise<number>
  /** Resolves to the rows as they are now. */
  update(model: IdentityModel, where: readonly IdentityCondition[], data: IdentityRow): Promise<readonly IdentityRow[]>
  /** Resolves to the rows that are gone. */
  delete(model: IdentityModel, where: readonly IdentityCondition[]): Promise<readonly IdentityRow[]>
  transaction<Result>(work: (store: IdentityStore) => Promise<Result>): Promise<Result>
}

/** A link that a person is to open, as the library makes it. */
export interface IdentityLink {
  readonly email: string
  readonly name: string
  readonly url: string
  readonly token: string
}

/** What the library answers: a response of its own, or the reason why not. */
export type IdentityAnswer =
  | {
      readonly kind: "response"
      readonly response: Response
      /** The address of the user whose password was set by mail. */
      readonly resetOf?: string | undefined
    }
  | {
      readonly kind: "refused"
      readonly status: number
      readonly code: string | undefined
      readonly message: string | undefined
    }

/** Hashes and checks passwords, each for a caller, who may have to wait. */
export interface PasswordHasher {
  hash(caller: string | undefined, password: string): Promise<string>
  verify(caller: string | undefined, stored: { readonly hash: string; readonly password: string }): Promise<boolean>
}

/** What the library does not read out of a request. */
export interface IdentityCaller {
  /** Whose turn it is when passwords are hashed. */
  readonly caller: string
  /** A password to be stored: it is hashed before the library opens a transaction, which nobody may hold while waiting. */
  readonly newPassword?: string | undefined
}

/** Sign-up, sign-in and all that belongs to them, behind web-standard requests. */
export interface IdentityServer {
  answer(request: Request, from: IdentityCaller): Promise<IdentityAnswer>
  /** The session as the library itself reads it, from a cookie or a bearer token. */
  readSession(headers: HeaderReader): Promise<Session | null>
}
