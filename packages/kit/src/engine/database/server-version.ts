import type { Connection } from "../../ports/database.ts"

// PostgreSQL 18 is the first version with `returning old`.
const FIRST_WITH_OLD_ROWS = 180_000

/** True if `update … returning` of this database server can return the row as it was before the update. */
export async function canReturnOldRows(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query({ text: "select current_setting('server_version_num')::int", values: [] })
  return Number(rows[0]?.[0]) >= FIRST_WITH_OLD_ROWS
}
