import type { Connection, Database } from "../../../ports/database.ts"
import type { Logger } from "../../../ports/logger.ts"
import type { AppSchema } from "../../../schema/compile/resource.ts"
import {
  type ContentFunction,
  contentFunctions,
  dropContentFunction,
  SELECT_CONTENT_FUNCTIONS,
} from "../../../sql/search/content/content-triggers.ts"
import { changeSchema } from "../../migrate/stored-schema.ts"

/**
 * Has the database watch the tables on which the content of records depends. If its functions are already those of the
 * schema, nothing is locked.
 */
export async function watchContentTables(database: Database, schema: AppSchema, logger?: Logger): Promise<void> {
  const wanted = contentFunctions(schema)
  if (isCurrent(wanted, await existingFunctions(database))) return
  await changeSchema(
    database,
    async (connection) => {
      const existing = await existingFunctions(connection)
      if (isCurrent(wanted, existing)) return
      for (const name of existing.keys()) await connection.query(dropContentFunction(name))
      for (const text of wanted.flatMap(({ create }) => create)) await connection.query({ text, values: [] })
    },
    logger,
  )
}

async function existingFunctions(connection: Connection): Promise<ReadonlyMap<string, string>> {
  const { rows } = await connection.query(SELECT_CONTENT_FUNCTIONS)
  return new Map(rows.map(([name, hash]) => [String(name), String(hash)]))
}

function isCurrent(wanted: readonly ContentFunction[], existing: ReadonlyMap<string, string>): boolean {
  return wanted.length === existing.size && wanted.every(({ name, hash }) => existing.get(name) === hash)
}
