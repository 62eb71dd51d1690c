import { findLeftOvers, type LeftOver } from "../../engine/migrate/sync/left-overs.ts"
import type { Connection } from "../../ports/database.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import { type Finding, warn } from "./finding.ts"

/** Reports the tables and columns that the app no longer declares, and whose data is still stored. */
export async function checkLeftOvers(connection: Connection, schema: AppSchema): Promise<readonly Finding[]> {
  return (await findLeftOvers(connection, schema)).map(findingOf)
}

function findingOf({ table, column, rows }: LeftOver): Finding {
  const drop = `(psql $(kit db url), or kit migrate create --empty)`
  if (column === undefined) {
    const message = `table "${table}" is left over: nothing declares it, and it has ${rowsText(rows)}`
    return warn(message, `If it was renamed, write .renamedFrom(…). Otherwise: drop table "${table}"; ${drop}`)
  }
  const message = `column "${table}.${column}" is left over: no field uses it, and ${holdText(rows)}`
  const fix = `If it was renamed, write .renamedFrom("${column}"). Otherwise: alter table "${table}" drop column "${column}"; ${drop}`
  return warn(message, fix)
}

function rowsText(rows: number): string {
  return rows === 1 ? "1 row" : `${rows} rows`
}

function holdText(rows: number): string {
  return rows === 1 ? "1 row holds a value" : `${rows} rows hold a value`
}
