import type { Connection } from "../../../ports/database.ts"
import type { AppSchema } from "../../../schema/compile/resource.ts"
import { countRows, countValues } from "../../../sql/tables/late-rename-sql.ts"
import { snapshotOf } from "../../../sql/tables/schema-snapshot.ts"
import { readCatalog } from "../database-catalog.ts"
import { readStoredSchema } from "../stored-schema.ts"

/** A table or column in the database that no collection, global or field uses. */
export interface LeftOver {
  readonly table: string
  /** The name of the column; undefined if the whole table is not used. */
  readonly column: string | undefined
  /** The number of rows that hold a value in the column, or the number of rows of the table. */
  readonly rows: number
}

/** Finds the columns of the app's tables that no field uses, and the tables that the app no longer declares. */
export async function findLeftOvers(connection: Connection, schema: AppSchema): Promise<readonly LeftOver[]> {
  const { tables: existing } = await readCatalog(connection)
  const { tables } = snapshotOf(schema)
  const { snapshot } = (await readStoredSchema(connection)) ?? {}
  const columns = tables.flatMap(({ name: table, columns: declared }) => {
    const known = new Set(declared.map(({ name }) => name))
    const names = [...(existing.get(table)?.keys() ?? [])].filter((name) => !known.has(name))
    return names.map((column) => ({ table, column }))
  })
  const declared = new Set(tables.map(({ name }) => name))
  const kept = (snapshot?.keptTables ?? []).filter((name) => existing.has(name) && !declared.has(name))
  const found: LeftOver[] = []
  for (const { table, column } of [...kept.map((table) => ({ table, column: undefined })), ...columns]) {
    const text = column === undefined ? countRows(table) : countValues(table, column)
    const { rows } = await connection.query({ text, values: [] })
    found.push({ table, column, rows: Number(rows[0]?.[0]) })
  }
  return found
}
