import { newId } from "../../../engine/context/ids.ts"
import { withExplainedErrors } from "../../../engine/database/database-errors.ts"
import type { Engine } from "../../../engine/engine.ts"
import type { Connection } from "../../../ports/database.ts"
import { invalid } from "../../../wire/errors/api-error.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import { ACCOUNTS } from "./identity-tables.ts"
import { InternalStore } from "./internal-store.ts"
import { UserStore } from "./user-store.ts"

export interface NewUser {
  readonly email: string
  readonly name: string
  /** A user without a password cannot sign in until they have set a password by mail. */
  readonly password?: string | undefined
  readonly role?: string | undefined
  readonly emailVerified?: boolean | undefined
  /** The fields that the author added to the users collection. */
  readonly [field: string]: unknown
}

/** Creates users from code, without a sign-up. */
export interface UserAccounts {
  /**
   * Creates a user. The email address counts as confirmed unless `emailVerified` is false.
   *
   * await users.create({ email: "eva@example.com", name: "Eva", password: "correct horse", role: "editor" })
   */
  create(user: NewUser): Promise<RecordData & { readonly id: string }>
}

type HashPassword = (password: string) => Promise<string>

export const PASSWORD_CHARACTERS = { min: 8, max: 128 } as const

/** Returns an object that creates users on this connection, which may be a transaction. */
export function userAccounts(engine: Engine, connection: Connection, hashPassword: HashPassword): UserAccounts {
  return {
    create: ({ password, ...user }) =>
      withExplainedErrors(engine.schema, async () => {
        if (password !== undefined) checkPassword(password)
        if (typeof user.name === "string" && user.name.trim() === "") throw invalid("name", "Required.")
        const hash = password === undefined ? undefined : await hashPassword(password)
        return connection.transaction((transaction) => createUser({ engine, connection: transaction }, user, hash))
      }),
  }
}

/** Throws if the password is too short or too long. */
export function checkPassword(password: unknown): void {
  const { min, max } = PASSWORD_CHARACTERS
  const isFine = typeof password === "string" && password.length >= min && password.length <= max
  if (!isFine) throw invalid("password", `Must have from ${min} to ${max} characters.`)
}

async function createUser(
  { engine, connection }: { engine: Engine; connection: Connection },
  user: Readonly<Record<string, unknown>>,
  hash: string | undefined,
): Promise<RecordData & { readonly id: string }> {
  const ctx = { ...engine.contextFor(null), connection }
  const created = await new UserStore(ctx).create({ emailVerified: true, ...user })
  // The cast is safe: every created record has an id.
  const record = created as RecordData & { readonly id: string }
  const now = ctx.now()
  const account = { userId: record.id, accountId: record.id, providerId: "credential", createdAt: now, updatedAt: now }
  if (hash !== undefined)
    await new InternalStore(connection, ACCOUNTS).create({ id: newId(now), ...account, password: hash })
  return record
}
