import type { HookRow, Hooks } from "../../schema/builders/hooks.ts"
import { USER_TOKENS } from "../../sql/internal/user-tokens.ts"
import type { SessionCache } from "./sessions/session-cache.ts"

/** The part of `db` that is used here. */
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
 * What a change of a user has to do with identity, whoever makes it: sessions are read again, and the tokens that were
 * sent to the user end with the address, with a ban and with the user.
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

// In the order of `deleteTokensOf`, which may be at work on the same rows.
async function endTokens(db: unknown, user: HookRow): Promise<void> {
  // The table is the framework's own: the types of an app's tables do not know it.
  const tables = db as TokenTable
  const ids = tables.selectFrom(USER_TOKENS).select("id").where("value", "=", String(user["id"]))
  await tables.deleteFrom(USER_TOKENS).where("id", "in", ids.orderBy("id").forUpdate()).execute()
}
