import type { Connection } from "../../ports/database.ts"

// `returning old` came with it.
const FIRST_WITH_OLD_ROWS = 180_000

/** Whether the server can say in the statement of an update what a row was before. */
export async function canReturnOldRows(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query({ text: "select current_setting('server_version_num')::int", values: [] })
  return Number(rows[0]?.[0]) >= FIRST_WITH_OLD_ROWS
}
