import { loadKysely } from "./kysely.ts"

/** SQL as a template tag: values become parameters, `sql.ref` and `sql.table` insert identifiers. */
export const { sql } = loadKysely()
