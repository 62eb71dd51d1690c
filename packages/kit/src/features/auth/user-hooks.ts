import type { HookRow, Hooks } from "../../schema/builders/hooks.ts"
import { USER_TOKENS } from "../../sql/internal/user-tokens.ts"
import type { SessionCache } from "./sessions/session-cache.ts"

/** The part of `db` that this file uses. */
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
 * Hooks that keep identity up to date when code or a request changes a user: cached sessions are dropped, and the
 * tokens that were mailed to the user end when the address changes, on a ban, and with the deletion of the user.
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

// Locks the rows in the same order as `deleteTokensOf`, which may run at the same time.
async function endTokens(db: unknown, user: HookRow): Promise<void> {
  // This is an internal table, so the generated table types of an app do not include it.
  const tables = db as TokenTable
  const ids = tables.selectFrom(USER_TOKENS).select("id").where("value", "=", String(user["id"]))
  await tables.deleteFrom(USER_TOKENS).where("id", "in", ids.orderBy("id").forUpdate()).execute()
}
