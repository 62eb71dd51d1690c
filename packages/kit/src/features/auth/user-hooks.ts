import type { HookRow, Hooks } from "../../schema/builders/hooks.ts"
import { USER_TOKENS } from "../../sql/internal/user-tokens.ts"
import type { SessionCache } from "./sessions/session-cache.ts"

/** The part of the query builder `db` that this file uses. */
interface TokenTable {
  deleteFrom(table: string): { where(column: string, operator: "in", ids: TokenIds): { execute(): Promise<unknown> } }
  selectFrom(table: string): { select(column: string): TokenIds }
}

interface TokenIds {
  where(column: string, operator: "=", value: string): TokenIds
  orderBy(column: string): TokenIds
  forUpdate(): TokenIds
}

/**
 * Returns hooks that run when code or a request changes a user. They remove the user's cached sessions. They also end
 * the tokens that were mailed to the user, if the email address changes or the user is banned or deleted.
 */
export function identityHooks(cache: SessionCache): Hooks {
  return {
    afterChange: async ({ row, original, db, onAfterCommit }) => {
      onAfterCommit(() => cache.forgetUsers(new Set([row["id"]])))
      if (original !== null && endsTokens(original, row)) await endTokens(db, row)
    },
    afterDelete: async ({ original, db, onAfterCommit }) => {
      onAfterCommit(() => cache.forgetUsers(new Set([original["id"]])))
      await endTokens(db, original)
    },
  }
}

function endsTokens(before: HookRow, now: HookRow): boolean {
  return before["email"] !== now["email"] || (now["banned"] === true && before["banned"] !== true)
}

// Deletes a user's tokens. Locks their rows in the order of the ids, as `deleteTokensOf` does, so that the two
// functions cannot deadlock.
async function endTokens(db: unknown, user: HookRow): Promise<void> {
  // The cast is safe: the token table exists, but it is internal, so an app's generated table types do not include it.
  const tables = db as TokenTable
  const ids = tables.selectFrom(USER_TOKENS).select("id").where("value", "=", String(user["id"]))
  await tables.deleteFrom(USER_TOKENS).where("id", "in", ids.orderBy("id").forUpdate()).execute()
}
