import type { Connection, Database } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import { isSameSchema } from "../../sql/tables/diff.ts"
import { snapshotOf } from "../../sql/tables/schema-snapshot.ts"
import { type AdoptedMigration, adoptSynced } from "./files/adopt-migrations.ts"
import { type AppliedMigration, createMigrationsTable, insertApplied, readApplied } from "./files/applied-migrations.ts"
import { checkPreconditions } from "./files/check-preconditions.ts"
import { checksumOf, type Migration } from "./files/migration.ts"
import { runScript } from "./files/run-script.ts"
import { SchemaMismatchError } from "./schema-mismatch.ts"
import { changeSchema, readStoredSchema, storeSchema } from "./stored-schema.ts"

export interface MigrationReport {
  /** The names of the migrations that this call ran. */
  readonly applied: readonly string[]
  /**
   * The migrations that were recorded as applied, because a sync had already made the same changes to the tables. Of
   * these, only SQL that was added by hand ran.
   */
  readonly adopted: readonly AdoptedMigration[]
}

interface ApplyOptions {
  readonly logger?: Logger | undefined
  /** True if SQL that was added by hand to migrations that a sync has already made is not to run. */
  readonly skipAddedSql?: boolean
}

/** Throws if the app's schema differs from the schema after its last migration. */
export function checkMigrated(schema: AppSchema, migrations: readonly Migration[]): void {
  if (isMigrated(schema, migrations)) return
  throw new SchemaMismatchError(
    `The collections and globals are not what the last migration (${migrations.at(-1)?.name}) leads to. ` +
      'See the difference with "kit migrate plan", then run kit migrate create.',
  )
}

/** True if the app's schema equals the schema after its last migration, or if there are no migrations. */
export function isMigrated(schema: AppSchema, migrations: readonly Migration[]): boolean {
  const last = migrations.at(-1)
  return last === undefined || isSameSchema(last.snapshot, snapshotOf(schema))
}

/**
 * Runs the pending migrations in order, each in one transaction. Instances that start together do this one at a time.
 */
export async function applyMigrations(
  database: Database,
  migrations: readonly Migration[],
  { logger, skipAddedSql = false }: ApplyOptions = {},
): Promise<MigrationReport> {
  const begin = (connection: Connection) => adoptPending(connection, migrations, skipAddedSql)
  const { adopted, pending } = await changeSchema(database, begin, logger)
  const applied: string[] = []
  for (const migration of pending) {
    const isNew = await changeSchema(database, (connection) => applyOnce(connection, migration), logger)
    if (isNew) applied.push(migration.name)
  }
  return { applied, adopted }
}

async function adoptPending(connection: Connection, migrations: readonly Migration[], skipAddedSql: boolean) {
  await createMigrationsTable(connection)
  const applied = await readApplied(connection)
  refuseChanged(migrations, applied)
  const known = new Set(applied.map(({ name }) => name))
  const pending = migrations.filter(({ name }) => !known.has(name))
  const adopted = await adoptSynced(connection, { migrations, pending, skipAddedSql })
  const left = pending.slice(adopted.length)
  await checkPreconditions(connection, { migrations, pending: left })
  return { adopted, pending: left }
}

function refuseChanged(migrations: readonly Migration[], applied: readonly AppliedMigration[]): void {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]))
  const changed = migrations.filter(({ name, sql }) => (checksums.get(name) ?? checksumOf(sql)) !== checksumOf(sql))
  if (changed.length === 0) return
  const names = changed.map(({ name }) => `${name}.sql`).join(", ")
  throw new SchemaMismatchError(
    `${names} was changed after it had been applied. Restore it, and put the change into a new migration.`,
  )
}

async function applyOnce(connection: Connection, migration: Migration): Promise<boolean> {
  const isNew = await insertApplied(connection, migration)
  if (!isNew) return false
  const { name, sql, snapshot } = migration
  await runScript(connection, { sql, explain: (reason) => `${name}.sql failed and was rolled back: ${reason}` })
  const { keptTables } = (await readStoredSchema(connection))?.snapshot ?? {}
  await storeSchema(connection, { snapshot: keptTables ? { ...snapshot, keptTables } : snapshot, source: "migration" })
  return true
}
