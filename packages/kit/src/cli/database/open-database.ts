import { chooseDatabase, hasDatabase } from "../../app/config/defaults.ts"
import type { DatabaseOptions } from "../../app/definition/app-definition.ts"
import { PostgresError } from "../../drivers/postgres/errors.ts"
import { openPostgres } from "../../drivers/postgres/open-postgres.ts"
import type { Database } from "../../ports/database.ts"
import { showLine } from "../terminal/show.ts"

/** Runs `work` with the app's database, which is closed afterwards. */
export async function withDatabase<Result>(
  place: DatabaseOptions,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const { url, release } = await chooseDatabase({ ...place, onProgress: showLine })
  const database = openPostgres({ ...place.config.db, url })
  try {
    return await work(database)
  } finally {
    await database.close()
    await release()
  }
}

/** Runs `work` with the app's database, or with undefined if the database does not exist or cannot be reached. */
export function withReachableDatabase<Result>(
  place: DatabaseOptions,
  work: (database: Database | undefined) => Promise<Result>,
): Promise<Result> {
  if (!hasDatabase(place)) return work(undefined)
  return withDatabase(place, async (database) => work((await answers(database)) ? database : undefined))
}

async function answers(database: Database): Promise<boolean> {
  try {
    await database.query({ text: "select 1", values: [] })
    return true
  } catch (error) {
    if (error instanceof PostgresError) return false
    throw error
  }
}
