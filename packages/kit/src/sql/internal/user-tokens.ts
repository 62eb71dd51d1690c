import type { Statement } from "../../ports/database.ts"

/** What the framework has sent to people and waits for: see `features/auth/accounts/identity-tables`. */
export const USER_TOKENS = "_kit_verifications"

/**
 * Removes the tokens that were sent to these users, and returns their ids. Of two that meet, one removes all of them: the
 * rows are locked in the order of their ids, so that neither waits for the other in a circle.
 *
 * No index leads to the users: the table holds the tokens of the last hour, and 100,000 rows are searched in 40 ms on a busy machine.
 */
export function deleteTokensOf(userIds: readonly string[]): Statement {
  const text = `with _ended as (select id from "${USER_TOKENS}" where value = any($1::text[]) order by id for update)
    delete from "${USER_TOKENS}" where id in (select id from _ended) returning id::text`
  return { text, values: [userIds] }
}
