import type { Connection } from "../../../ports/database.ts"
import { hasTable } from "../stored-schema.ts"
import { checksumOf, type Migration } from "./migration.ts"

export interface AppliedMigration {
  readonly name: string
  readonly checksum: string
  readonly appliedAt: Date
}

export async function createMigrationsTable(connection: Connection): Promise<void> {
  await connection.query({
    text: `create table if not exists "_kit_migrations" (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    values: [],
  })
}

/** Returns the migrations that were applied to the database, in order. The list is empty if there were none. */
export async function readApplied(connection: Connection): Promise<readonly AppliedMigration[]> {
  if (!(await hasTable(connection, "_kit_migrations"))) return []
  const { rows } = await connection.query({
    text: `select name, checksum, applied_at from "_kit_migrations" order by name collate "C"`,
    values: [],
  })
  // The cast of `at` is safe: the driver returns a timestamp as a Date.
  return rows.map(([name, checksum, at]) => ({
    name: String(name),
    checksum: String(checksum),
    appliedAt: at as Date,
  }))
}

/** Records a migration as applied. Returns false if it had been recorded before. */
export async function insertApplied(connection: Connection, { name, sql }: Migration): Promise<boolean> {
  const { rowCount } = await connection.query({
    text: `insert into "_kit_migrations" (name, checksum) values ($1, $2) on conflict do nothing`,
    values: [name, checksumOf(sql)],
  })
  return rowCount > 0
}
