import { createHash } from "node:crypto"
import type { Connection, Database, DatabaseError } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import { isSameSchema } from "../../sql/tables/diff.ts"
import { snapshotOf } from "../../sql/tables/schema-snapshot.ts"
import type { SchemaSnapshot } from "../../sql/tables/snapshot.ts"
import { quoteText } from "../../sql/text/literal.ts"
import { SchemaMismatchError } from "./schema-mismatch.ts"
import { changeSchema, hasTable, readStoredSchema, storeSchema } from "./stored-schema.ts"

/** A migration, read from its SQL file and its snapshot file. */
export interface Migration {
  /** The name of the migration's files. Migrations run in the order of their names. */
  readonly name: string
  readonly sql: string
  /** The schema snapshot of the tables after the migration has run. */
  readonly snapshot: SchemaSnapshot
}

export interface AppliedMigration {
  readonly name: string
  readonly checksum: string
  readonly appliedAt: Date
}

export interface MigrationReport {
  /** The names of the migrations that this call ran. */
  readonly applied: readonly string[]
  /**
   * The names of the migrations that were recorded as applied without running, because a sync had already made the same
   * changes to the tables.
   */
  readonly adopted: readonly string[]
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
  logger?: Logger,
): Promise<MigrationReport> {
  const { adopted, pending } = await changeSchema(database, (connection) => adoptSynced(connection, migrations), logger)
  const applied: string[] = []
  for (const migration of pending) {
    const isNew = await changeSchema(database, (connection) => applyOnce(connection, migration), logger)
    if (isNew) applied.push(migration.name)
  }
  return { applied, adopted }
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

/** Returns a checksum of a migration's SQL. It ignores the kind of line endings, because Git may rewrite them. */
export function checksumOf(sql: string): string {
  return createHash("sha256").update(sql.replaceAll("\r\n", "\n")).digest("hex")
}

// Records migrations as applied without running them: if a sync has brought the database to a migration's result, that
// migration and all earlier migrations count as applied.
async function adoptSynced(connection: Connection, migrations: readonly Migration[]) {
  await createMigrationsTable(connection)
  const applied = await readApplied(connection)
  refuseChanged(migrations, applied)
  const known = new Set(applied.map(({ name }) => name))
  const pending = migrations.filter(({ name }) => !known.has(name))
  const stored = await readStoredSchema(connection)
  if (stored?.source !== "sync") return { adopted: [], pending }
  const reached = pending.findLastIndex(({ snapshot }) => isSameSchema(snapshot, stored.snapshot)) + 1
  const adopted = pending.slice(0, reached)
  for (const migration of adopted) await insertApplied(connection, migration)
  if (adopted.length > 0) await storeSchema(connection, { ...stored, source: "migration" })
  return { adopted: adopted.map(({ name }) => name), pending: pending.slice(reached) }
}

async function createMigrationsTable(connection: Connection): Promise<void> {
  await connection.query({
    text: `create table if not exists "_kit_migrations" (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    values: [],
  })
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
  await runFile(connection, migration)
  await storeSchema(connection, { snapshot: migration.snapshot, source: "migration" })
  return true
}

async function insertApplied(connection: Connection, { name, sql }: Migration): Promise<boolean> {
  const { rowCount } = await connection.query({
    text: `insert into "_kit_migrations" (name, checksum) values ($1, $2) on conflict do nothing`,
    values: [name, checksumOf(sql)],
  })
  return rowCount > 0
}

// The driver accepts only one SQL command per statement. A DO block runs all commands of the migration file, and
// rejects a COMMIT among them.
async function runFile(connection: Connection, { name, sql }: Migration): Promise<void> {
  try {
    await connection.query({ text: `do ${quoteText(`begin execute ${quoteText(sql)}; end`)}`, values: [] })
  } catch (cause) {
    // The cast is safe: all members are optional. Errors that do not come from the driver have no code and are
    // rethrown.
    const { code, message, detail } = cause as Partial<DatabaseError>
    if (code === undefined || !/^(0A|2|42)/.test(code)) throw cause
    const sentences = [`${name}.sql failed and was rolled back: ${message}.`, detail, remedyFor(code)]
    throw new SchemaMismatchError(sentences.filter(Boolean).join(" "), { cause })
  }
}

const REMEDIES: Readonly<Record<string, string>> = {
  "23502": "Give the field a .default(…) and create the migration again, or fill the column in the file.",
  "23503": "Change the records first.",
  "23505": "Change the records first.",
  "42P07": "The database has it already: was it synced to another state of the schema? See docs/migrations.md.",
  "42701": "The database has it already: was it synced to another state of the schema? See docs/migrations.md.",
}

function remedyFor(code: string): string | undefined {
  return REMEDIES[code]
}
