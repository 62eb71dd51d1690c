import { loadKysely } from "./kysely.ts"

/** The SQL template tag. Interpolated values become parameters; `sql.ref` and `sql.table` insert identifiers. */
export const { sql } = loadKysely()
