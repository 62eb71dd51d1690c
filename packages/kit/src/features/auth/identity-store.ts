import { newId } from "../../engine/context/ids.ts"
import type { Engine } from "../../engine/engine.ts"
import type { Connection } from "../../ports/database.ts"
import type {
  IdentityCondition,
  IdentityModel,
  IdentityQuery,
  IdentityRow,
  IdentityStore,
} from "../../ports/identity.ts"
import { ACCOUNTS, SESSIONS } from "./accounts/identity-tables.ts"
import { InternalStore } from "./accounts/internal-store.ts"
import { fitProfile } from "./accounts/profile.ts"
import { UserStore } from "./accounts/user-store.ts"
import { VerificationStore } from "./accounts/verification-store.ts"
import type { SessionCache } from "./sessions/session-cache.ts"
import { SessionStore } from "./sessions/session-store.ts"

interface IdentityStoreDependencies {
  readonly engine: Engine
  readonly cache: SessionCache
}

/**
 * Returns the storage adapter of the identity library. The adapter stores users, sessions and tokens in the app's
 * tables.
 */
export function identityStore(parts: IdentityStoreDependencies): IdentityStore {
  const ctx = parts.engine.contextFor(null)
  return storeOn({ ...parts, connection: ctx.connection, afterCommit: (work) => work() })
}

interface ConnectedStoreDependencies extends IdentityStoreDependencies {
  readonly connection: Connection
  /**
   * Runs `work` after the connection's transaction commits, or immediately if the connection is not in a transaction.
   */
  afterCommit(work: () => void): void
}

/** The operations that the identity library calls on one of its models, such as users or sessions. */
interface ModelStore {
  create(row: IdentityRow): Promise<IdentityRow>
  find(query: IdentityQuery): Promise<readonly IdentityRow[]>
  update(where: readonly IdentityCondition[], data: IdentityRow): Promise<readonly IdentityRow[]>
  delete(where: readonly IdentityCondition[]): Promise<readonly IdentityRow[]>
}

function storeOn(parts: ConnectedStoreDependencies): IdentityStore {
  const { engine, connection } = parts
  const stores = modelStores(parts)
  const now = () => engine.contextFor(null).now()
  return {
    create: (model, data) => stores[model].create({ ...data, id: newId(now()) }),
    find: (model, query) => stores[model].find(query),
    count: async (model, where) => (await stores[model].find({ where })).length,
    update: (model, where, data) => stores[model].update(where, data),
    delete: (model, where) => stores[model].delete(where),
    transaction: (work) =>
      connection.transaction((transaction) =>
        work(storeOn({ ...parts, connection: transaction, afterCommit: (then) => transaction.afterCommit(then) })),
      ),
  }
}

function modelStores(parts: ConnectedStoreDependencies): Record<IdentityModel, ModelStore> {
  const { engine, connection } = parts
  const users = new UserStore({ ...engine.contextFor(null), connection })
  return {
    user: {
      create: (row) => users.create(fitProfile(row)),
      find: ({ where }) => users.find(where),
      update: (where, data) => users.update(where, fitProfile(data)),
      delete: (where) => users.delete(where),
    },
    session: sessionStore(parts),
    account: accountStore(parts),
    verification: verificationStore(parts),
  }
}

function sessionStore({ cache, connection, afterCommit }: ConnectedStoreDependencies): SessionStore {
  const forget = (ids: ReadonlySet<unknown>) => afterCommit(() => cache.forgetUsers(ids))
  return new SessionStore(new InternalStore(connection, SESSIONS), forget)
}

function verificationStore({ engine, connection }: ConnectedStoreDependencies): VerificationStore {
  return new VerificationStore({ connection, now: () => engine.contextFor(null).now() })
}

// Returns the store for accounts. A new password ends all sessions and mailed tokens of its user, because an attacker
// may have signed in with the old password or may have read a mail that contains a token.
function accountStore(parts: ConnectedStoreDependencies): ModelStore {
  const accounts = new InternalStore(parts.connection, ACCOUNTS)
  return {
    create: (row) => (row["password"] ? withNewPassword(parts, (inner) => inner.create(row)) : accounts.create(row)),
    find: (query) => accounts.find(query),
    delete: (where) => accounts.delete(where),
    update: (where, data) =>
      "password" in data ? withNewPassword(parts, (inner) => inner.update(where, data)) : accounts.update(where, data),
  }
}

type WriteResult = IdentityRow | readonly IdentityRow[]

function withNewPassword<Result extends WriteResult>(
  parts: ConnectedStoreDependencies,
  write: (accounts: InternalStore) => Promise<Result>,
): Promise<Result> {
  return parts.connection.transaction(async (connection) => {
    const inner = { ...parts, connection, afterCommit: (work: () => void) => connection.afterCommit(work) }
    const written = await write(new InternalStore(connection, ACCOUNTS))
    const owners = new Set([written].flat().map(({ userId }) => String(userId)))
    for (const owner of owners) await sessionStore(inner).endAllOf(owner)
    await verificationStore(inner).endAllOf([...owners])
    return written
  })
}
