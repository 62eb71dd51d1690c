import pg from "pg"
import { emptyDatabase } from "../../packages/kit/src/testing/fresh-database.ts"
import { testServer } from "../../packages/kit/src/testing/test-server.ts"

export interface TestDatabase {
  readonly url: string
  /** Runs SQL directly, without the framework. */
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  /** Runs a statement that each connection prepares once, because planning a long one takes longer than running it. */
  queryPrepared(name: string, text: string): Promise<Record<string, unknown>[]>
  drop(): Promise<void>
}

/** Creates an empty database on the PostgreSQL server of this test run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { url, drop } = await emptyDatabase(await testServer("."))
  const database = openTestDatabase(url)
  return {
    ...database,
    drop: async () => {
      await database.drop()
      drop()
    },
  }
}

/** Opens a database that the caller drops: `drop` only closes the connections to it. */
export function openTestDatabase(url: string): TestDatabase {
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  // Dropping the database may cut a connection that is still closing.
  pool.on("error", () => {})
  return {
    url,
    query: async (text, values) => (await pool.query(text, values)).rows,
    queryPrepared: async (name, text) => (await pool.query({ name, text })).rows,
    drop: () => pool.end(),
  }
}
