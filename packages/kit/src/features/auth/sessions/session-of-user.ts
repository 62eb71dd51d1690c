import { byId } from "../../../engine/read/by-id.ts"
import { toRecord } from "../../../engine/read/records.ts"
import type { Connection } from "../../../ports/database.ts"
import type { Session } from "../../../ports/session-provider.ts"
import type { Resource } from "../../../schema/compile/resource.ts"
import { sessionFields } from "../../../schema/compile/session-fields.ts"
import { isId } from "../../../schema/fields/relation.ts"
import type { Selection } from "../../../sql/parse/selection.ts"
import { selectMatching } from "../../../sql/read/select.ts"
import { banFields, isBanned } from "../accounts/bans.ts"

interface SessionOfUserDependencies {
  readonly connection: Connection
  readonly users: Resource
  now(): Date
}

/**
 * Returns a function that loads the session of a user, for code that acts on the user's behalf. It resolves to null if
 * the user is missing or banned.
 */
export function sessionOfUser({
  connection,
  users,
  now,
}: SessionOfUserDependencies): (id: string) => Promise<Session | null> {
  const bans = banFields(users)
  const fields = sessionFields(users)
  const shown: Selection = { resource: users, fields, relations: [] }
  return async (id) => {
    if (!isId(id)) return null
    const read = { resource: users, fields: [...bans, ...fields], relations: [] }
    const [row] = (await connection.query(selectMatching(read, byId(users, id.toLowerCase())))).rows
    if (row === undefined || isBanned(row, now())) return null
    // The cast is safe: the id is always one of the selected fields.
    return { user: toRecord(shown, row.slice(bans.length)) as Session["user"] }
  }
}
