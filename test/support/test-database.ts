import { randomBytes } from "node:crypto"
import pg from "pg"

export interface TestDatabase {
  readonly url: string
  /** Runs SQL directly, past the framework. */
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  drop(): Promise<void>
}

/** A fresh database on the Postgres of this test run; the options are those of `create database`. */
export async function createTestDatabase(options = ""): Promise<TestDatabase> {
  const server = process.env["KIT_TEST_DATABASE_URL"]
  if (server === undefined) throw new Error("The global setup has not started a Postgres.")
  const name = `test_${randomBytes(6).toString("hex")}`
  await onServer(server, `create database ${name} ${options}`)
  const url = withDatabase(server, name)
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  // The drop may cut off a connection that is still saying goodbye.
  pool.on("error", () => {})
  return {
    url,
    query: async (text, values) => (await pool.query(text, values)).rows,
    drop: async () => {
      await pool.end()
      await onServer(server, `drop database ${name} with (force)`)
    },
  }
}

function withDatabase(url: string, name: string): string {
  return url.replace(/^([a-z]+:\/\/[^/?]*)\/[^?]*/, `$1/${name}`)
}

async function onServer(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}
