export type { ColumnType, Insertable, Kysely, Selectable, Transaction, Updateable } from "kysely"
export { sql } from "./drivers/kysely/kysely-sql.ts"
