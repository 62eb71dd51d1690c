import { toRecord } from "../../../engine/read/records.ts"
import type { Connection } from "../../../ports/database.ts"
import type { Session } from "../../../ports/session-provider.ts"
import type { InternalTable } from "../../../schema/compile/internal-table.ts"
import type { Resource } from "../../../schema/compile/resource.ts"
import { sessionFields } from "../../../schema/compile/session-fields.ts"
import { selectWithOwner } from "../../../sql/internal/internal-owner.ts"
import type { Selection } from "../../../sql/parse/selection.ts"
import { banFields, isBanned } from "../accounts/bans.ts"

/** A row of a table such as sessions or API keys, and the user to whom the row belongs. */
export interface OwnedRow {
  readonly values: readonly unknown[]
  readonly user: Session["user"]
}

interface OwnerReaderOptions {
  readonly connection: Connection
  readonly users: Resource
  readonly table: InternalTable
  readonly columns: readonly string[]
  readonly by: string
}

export type OwnerReader = (key: string, now: Date) => Promise<OwnedRow | undefined>

/**
 * Returns a function that reads a row and the user to whom it belongs in one statement. Rows of a banned user count as
 * missing.
 */
export function ownerReader({ connection, users, ...query }: OwnerReaderOptions): OwnerReader {
  const bans = banFields(users)
  const fields = sessionFields(users)
  const text = selectWithOwner({ ...query, owner: users, fields: [...bans, ...fields] })
  const selection: Selection = { resource: users, fields, relations: [] }
  const width = query.columns.length
  return async (key, now) => {
    const [row] = (await connection.query({ text, values: [key] })).rows
    if (row === undefined || isBanned(row.slice(width), now)) return undefined
    // The user is frozen because several requests may share it. The cast is safe: the id is always one of the selected
    // fields.
    const user = Object.freeze(toRecord(selection, row.slice(width + bans.length))) as Session["user"]
    return { values: row, user }
  }
}
