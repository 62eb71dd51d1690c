import type { Connection } from "../../ports/database.ts"

// PostgreSQL 18 introduced `returning old`.
const FIRST_WITH_OLD_ROWS = 180_000

/** True if the server's `update … returning` can return the old row. */
export async function canReturnOldRows(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query({ text: "select current_setting('server_version_num')::int", values: [] })
  return Number(rows[0]?.[0]) >= FIRST_WITH_OLD_ROWS
}
