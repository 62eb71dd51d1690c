import { loadKysely } from "./kysely.ts"

/** SQL as a template: values become parameters, `sql.ref` and `sql.table` name what the database has. */
export const { sql } = loadKysely()
